#include "kernel_choosers.hpp"

#include <cmath>

#include "gnomon/criteria/criteria.hpp"
#include "gnomon/criteria/judge.hpp"
#include "gnomon/learn/filters.hpp"
#include "gnomon/noise/noise.hpp"

namespace gnomon::app {
namespace {

const Metric& function_space() {
  static const Metric metric{Metric::Kind::function_space, {}, "function-space"};
  return metric;
}

Vector sic_with(const NoiseVariance& noise, const Smoother& learner, Index target,
                std::span<const double> lambdas) {
  const Progress quiet;
  return sic
      .evaluate({.learner = learner,
                 .target = target,
                 .lambdas = {lambdas.begin(), lambdas.end()},
                 .noise = noise,
                 .metric = function_space(),
                 .progress = quiet})
      .value;
}

}  // namespace

std::vector<double> quarter_decades(int low, int high) {
  std::vector<double> grid;
  for (int k = 4 * low; k <= 4 * high; ++k) grid.push_back(std::pow(10.0, k / 4.0));
  return grid;
}

Smoother sic_kernel_ridge(const MatrixView& x, const MatrixView& y, bool function_penalty) {
  return {x,
          y,
          Vector(),
          {.representation = parse_kernel("gaussian", 1),
           .filter = function_penalty ? tikhonov : coefficient_tikhonov,
           .intercept = false,
           .strategy = Strategy::full,
           .needs = {.leave_one_out = true, .function_space = true, .vectors = true},
           .range_tolerance = -1}};
}

Vector function_space_sic(const Smoother& learner, Index target, std::span<const double> lambdas,
                          double sigma2) {
  return judge(learner, sic, lambdas, {.sigma2 = sigma2, .metric = function_space(), .target = target}).value;
}

Vector chooser_curve(KernelChooser chooser, const Smoother& learner, Index target,
                     std::span<const double> lambdas, double sigma2) {
  const auto counts = [&] { return learner.counts(points_of(lambdas), target, false, false); };
  switch (chooser) {
    case KernelChooser::sic_known:
      return function_space_sic(learner, target, lambdas, sigma2);
    case KernelChooser::sic_residual: {
      NoiseVariance noise;
      noise.at_point = residual_variance;
      return sic_with(noise.along(counts()), learner, target, lambdas);
    }
    case KernelChooser::sic_gcv:
      return sic_with(one_variance(gcv_variance(counts())), learner, target, lambdas);
    case KernelChooser::loo:
      return judge(learner, loo, lambdas, {.target = target}).value;
    case KernelChooser::abic:
      return judge(learner, evidence, lambdas, {.target = target}).value;
  }
  return {};
}

}  // namespace gnomon::app
