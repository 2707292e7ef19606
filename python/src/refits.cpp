#include "refits.hpp"

#include <Eigen/QR>
#include <array>
#include <cmath>

#include "gnomon/core/error.hpp"
#include "gnomon/criteria/criteria.hpp"
#include "gnomon/criteria/judge.hpp"
#include "gnomon/learn/filters.hpp"
#include "gnomon/learn/smoother.hpp"
#include "gnomon/represent/basis.hpp"

namespace gnomon::python {
namespace {

constexpr Index most_blocks = 20;  // of replications, whose spread tells the simulation's error

double deviation_of(const Vector& values) {
  if (values.size() < 2) return undefined;
  return std::sqrt((values.array() - values.mean()).square().sum() / static_cast<double>(values.size() - 1));
}

/// The mean squared leave-one-out error of least squares on a basis; λ is there for the digits only.
double left_out_error(const Matrix& x, const Vector& y, const Vector& weight, const std::string& basis) {
  const Smoother learner(
      x, y, weight,
      {.representation = Basis::fit(basis, x), .filter = tikhonov, .needs = {.leave_one_out = true}});
  const double smallest = 1e-10 * x.squaredNorm();
  return judge(learner, loo, std::array{smallest}).value[0];
}

std::string best_reference(const Matrix& x, const Vector& y, const Vector& weight) {
  std::string best = "linear";
  double least = HUGE_VAL;
  for (const auto& [name, degree] : {std::pair("linear", 1), {"polynomial:2", 2}, {"polynomial:3", 3}}) {
    if (degree > 1 && degree * x.cols() > x.rows() / 4) break;
    const double error = left_out_error(x, y, weight, name);
    if (error < least) least = error, best = name;
  }
  return best;
}

std::string key_of(const double* values, Index size) {
  return {reinterpret_cast<const char*>(values), static_cast<std::size_t>(size) * sizeof(double)};
}

}  // namespace

Reference Reference::at_rows(const Vector& y, const Vector& weight) {
  return {"", y, 1,
          [weight, n = weight.sum()](const Vector& e) { return Vector(e.cwiseProduct(weight) / n); }};
}

Reference Reference::at_points(const Matrix& x, const Vector& y, const Vector& weight, const Matrix& points,
                               const std::string& basis) {
  const std::string name = basis == "auto" ? best_reference(x, y, weight) : basis;
  const Basis functions = Basis::fit(name, x);
  Matrix design = functions.design(x), there = functions.design(points);
  const double n = weight.sum(), m = static_cast<double>(points.rows());
  const Vector root = weight.cwiseSqrt();
  const Eigen::RowVectorXd mean = weight.transpose() * design / n;
  design.rowwise() -= mean;
  there.rowwise() -= mean;
  // L_u e = there · (W^½ design)⁺ W^½ e + mean(e)
  design = root.asDiagonal() * design;
  const Eigen::CompleteOrthogonalDecomposition<Matrix> solver(design);
  require(solver.rank() < y.size() - 1, "the reference {} has {} functions for {} rows; name a smaller one",
          name, design.cols(), y.size());
  const Matrix map = there * solver.pseudoInverse();  // of W^½ e, whose entries have the variance σ²
  const auto apply = [map, root, weight, n](const Vector& e) -> Vector {
    return (map * e.cwiseProduct(root)).array() + e.dot(weight) / n;
  };
  return {name, apply(y), map.squaredNorm() / m + 1 / n,
          [apply, m](const Vector& e) { return Vector(apply(e) / m); }};
}

Refits::Refits(Vector y, Vector weight, Vector fitted, Vector values, Reference reference)
    : y_(std::move(y)),
      weight_(std::move(weight)),
      fitted_(std::move(fitted)),
      values_(std::move(values)),
      reference_(std::move(reference)) {
  require(y_.size() >= 2, "an estimate needs two rows or more");
  require(weight_.size() == y_.size() && (weight_.array() > 0).all() && weight_.allFinite(),
          "sample_weight must be positive, one for each row; leave rows of weight 0 out");
  require(fitted_.size() == y_.size(), "the learner gave {} fitted values for {} rows", fitted_.size(),
          y_.size());
  require(values_.size() == reference_.values.size(), "the learner gave {} values for {} points",
          values_.size(), reference_.values.size());
  require(fitted_.allFinite() && values_.allFinite(), "the learner predicts values that are not finite");
}

FitFunction Refits::replay(const Matrix& targets, const Matrix& refits) const {
  require(refits.cols() == targets.cols() && refits.rows() == values_.size(),
          "{} × {} values of refits instead of {} × {}", refits.rows(), refits.cols(), values_.size(),
          targets.cols());
  require(refits.allFinite(), "a refit predicts values that are not finite");
  std::unordered_map<std::string, Index> place;
  for (Index b = 0; b < targets.cols(); ++b) place.emplace(key_of(targets.col(b).data(), targets.rows()), b);
  return [this, place = std::move(place), &refits](const Vector& y) -> Vector {
    const auto found = place.find(key_of(y.data(), y.size()));
    if (found != place.end()) return refits.col(found->second);
    require(y == y_, "a refit is asked for whose target was not handed out");
    return values_;
  };
}

Matrix Refits::resampled(std::uint64_t seed, const BootstrapOptions& options, double sigma2) {
  require(options.replications >= 2, "{} replications are too few; a covariance needs 2 or more",
          options.replications);
  bootstrap_seed_ = seed;
  const Vector residual = y_ - fitted_;
  residual_ = treated_residuals(residual, weight_, count() - rss() / sigma2, options);
  require(residual_.allFinite(), "scaled residuals need a noise variance, and residuals that are not all 0");
  const Resampling draw = random_resampling(seed, weight_);
  const Vector root = weight_.cwiseSqrt();
  bootstrap_targets_.resize(y_.size(), options.replications);
  std::vector<Index> rows(static_cast<std::size_t>(y_.size()));
  for (Index b = 0; b < options.replications; ++b) {
    draw(b, rows);
    bootstrap_targets_.col(b) = fitted_ + Vector(residual_(rows)).cwiseQuotient(root);
  }
  return bootstrap_targets_;
}

FoundCovariance Refits::by_bootstrap(const Matrix& refits) const {
  const FitFunction learner = replay(bootstrap_targets_, refits);
  const Resampling draw = random_resampling(bootstrap_seed_, weight_);
  const auto covariance = [&](Index first, Index count) {
    const Resampling from = [&](Index b, std::vector<Index>& rows) { draw(first + b, rows); };
    const BootstrapProblem problem{.learner = learner,
                                   .pairing = reference_.pairing,
                                   .fitted = fitted_,
                                   .residual = residual_,
                                   .weight = weight_,
                                   .intercept = true};
    return bootstrap_covariance(problem, from, static_cast<int>(count));
  };
  const Index replications = bootstrap_targets_.cols();
  FoundCovariance found;
  found.less_constant = covariance(0, replications);

  // The constant's own part ⟨f̂, mean(e)⟩, about f̂ and about the mean that is drawn, so that it has little noise.
  const Vector share = reference_.pairing(Vector::Ones(y_.size()));
  const double drawn = weight_.cwiseSqrt().sum() / count() * mean_of(residual_);
  const BootstrapProblem constant{
      .learner = [&](const Vector& y) { return Vector::Constant(1, share.dot(learner(y) - values_)); },
      .pairing = [&](const Vector& e) { return Vector::Constant(1, mean_of(e) - drawn); },
      .fitted = fitted_,
      .residual = residual_,
      .weight = weight_,
      .intercept = false};
  found.whole = found.less_constant + bootstrap_covariance(constant, draw, static_cast<int>(replications));

  const Index blocks = std::min(most_blocks, replications / 2);
  Vector parts(blocks);
  for (Index k = 0; k < blocks; ++k) {
    const Index first = k * replications / blocks;
    parts[k] = covariance(first, (k + 1) * replications / blocks - first);
  }
  found.simulation = deviation_of(parts) / std::sqrt(static_cast<double>(blocks));
  return found;
}

Matrix Refits::probed(std::uint64_t seed, int probes, double step, bool central) {
  require(probes >= 1, "{} probes are too few; give 1 or more", probes);
  require(step > 0, "a step of {} is not allowed; give a positive number", step);
  probe_seed_ = seed, step_ = step, central_ = central;
  const Matrix signs = random_probes(y_.size(), probes, seed);
  probe_targets_.resize(y_.size(), central ? 2 * probes : probes);
  for (Index j = 0; j < probes; ++j) {
    const Vector b = signs.col(j).array() / weight_.array().sqrt();
    probe_targets_.col(j) = y_ + step * b;
    if (central) probe_targets_.col(probes + j) = y_ - step * b;
  }
  return probe_targets_;
}

FoundCovariance Refits::by_probes(const Matrix& refits) const {
  const FitFunction learner = replay(probe_targets_, refits);
  const int probes = static_cast<int>(central_ ? probe_targets_.cols() / 2 : probe_targets_.cols());
  const Matrix signs = random_probes(y_.size(), probes, probe_seed_);
  Vector terms(probes);
  for (Index j = 0; j < probes; ++j)
    terms[j] =
        monte_carlo_divergence(learner, reference_.pairing, y_, weight_, signs.col(j), step_, central_);
  FoundCovariance found;
  found.whole = terms.mean();
  found.less_constant = found.whole - 1 / count();
  found.simulation = deviation_of(terms) / std::sqrt(static_cast<double>(probes));
  return found;
}

double Refits::distance() const {
  return reference_.pairing(Vector::Ones(y_.size())).dot((values_ - reference_.values).cwiseAbs2());
}

double Refits::spread_of_residuals() const {
  const Vector squares = (y_ - fitted_).cwiseAbs2();
  const Vector off = squares.array() - mean_of(squares);
  return count() > 1 ? std::sqrt(mean_of(off.cwiseAbs2()) / (count() - 1)) : undefined;
}

double Refits::value(const Criterion& criterion, double divergence, double bootstrapped,
                     double sigma2) const {
  const Given given{.sigma2 = sigma2};
  if (const auto* counted = std::get_if<CountsFormula>(&criterion.formula)) {
    CountsOf<double> counts;
    counts.n = count();
    counts.rss = rss();
    counts.df = count() * divergence;
    counts.left = count() - counts.df;
    return (*counted)(counts, given);
  }
  // Σ ω (f² − 2 f r), both less the mean of the targets.
  const double level = mean_of(y_);
  const Vector f = values_.array() - level, r = reference_.values.array() - level;
  const Vector omega = reference_.pairing(Vector::Ones(y_.size()));
  SicOf<double> parts;
  parts.distance = omega.dot(f.cwiseProduct(f - 2 * r));
  parts.divergence = divergence - 1 / count();
  parts.covariance = bootstrapped;
  return std::get<SicFormula>(criterion.formula)(parts, given);
}

}  // namespace gnomon::python
