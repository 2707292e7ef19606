#pragma once

#include <cmath>

#include "gnomon/gnomon.hpp"

namespace gnomon::testing {

/// A smoother with all that criteria ask for, so that a test reads `judge.curve(gcv)`.
struct Judge {
  const Smoother& smoother;
  std::vector<double> lambdas;
  NoiseVariance noise;
  Metric metric{Metric::Kind::train, {}, "train"};
  double pilot = 1;
  int folds = 5;
  Progress progress{};

  static NoiseVariance known(double sigma2) { return {"given", "", Vector::Constant(1, sigma2)}; }

  CriterionCurve curve(const Criterion& c) const {
    return c.evaluate({smoother, 0, lambdas, noise, metric, pilot, folds, 1, 7, progress});
  }
};

/// Mean and standard error of a stream of numbers.
class Running {
 public:
  void add(double value) {
    ++n_;
    const double delta = value - mean_;
    mean_ += delta / n_;
    m2_ += delta * (value - mean_);
  }
  double mean() const { return mean_; }
  double deviation() const { return std::sqrt(m2_ / (n_ - 1)); }
  double standard_error() const { return deviation() / std::sqrt(static_cast<double>(n_)); }
  /// Distance from `truth` in standard errors.
  double z(double truth) const { return std::abs(mean_ - truth) / standard_error(); }

 private:
  int n_ = 0;
  double mean_ = 0, m2_ = 0;
};

}  // namespace gnomon::testing
