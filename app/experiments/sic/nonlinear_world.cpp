#include "nonlinear_world.hpp"

#include <Eigen/QR>
#include <cmath>
#include <memory>

#include "gnomon/learn/additive.hpp"
#include "gnomon/learn/elastic_net.hpp"
#include "gnomon/learn/huber.hpp"

namespace gnomon::experiments {
namespace {

constexpr Index rows = 20, inputs = 5, other_points = 15;

PathLearner solved(const NonlinearWorld& world, const Vector& y, SolverFactory factory) {
  return {
      std::make_shared<const Matrix>(world.x), y, Vector(),
      PathLearnerOptions{
          .representation = Basis::fit("linear", world.x), .solver = std::move(factory), .intercept = false}};
}

/// Ridge on y plus `amplitude` times the first input.
SolverFactory shifted_ridge(double amplitude) {
  return [amplitude](const SolverDesign& design, const CentredGram*) -> PathSolverPtr {
    return std::make_unique<Additive>(design, amplitude * design.features->col(0));
  };
}

class HardThreshold final : public PathSolver {
 public:
  HardThreshold(const Matrix& x, const Matrix& pseudo_inverse, Dependence dependence)
      : x_(x), pseudo_inverse_(pseudo_inverse), dependence_(dependence) {}

  std::string_view name() const override { return "hard threshold"; }
  Dependence dependence() const override { return dependence_; }
  std::vector<PathFit> path(const VectorView& y, std::span<const double> thresholds) const override {
    std::vector<PathFit> fits;
    for (const double threshold : thresholds) fits.push_back(refit(y, threshold, {}));
    return fits;
  }
  PathFit refit(const VectorView& y, double threshold, const PathFit&) const override {
    PathFit fit;
    fit.lambda = threshold;
    fit.coefficients = pseudo_inverse_ * y;
    for (Index j = 0; j < fit.coefficients.size(); ++j) {
      if (std::abs(fit.coefficients[j]) > threshold)
        fit.active.push_back(j);
      else
        fit.coefficients[j] = 0;
    }
    fit.rss = (y - x_ * fit.coefficients).squaredNorm();
    if (dependence_ == Dependence::differentiable) fit.df = trace(fit, x_);
    return fit;
  }
  /// J are the rows of the pseudo-inverse that belong to the coefficients left.
  double trace(const PathFit& fit, const MatrixView& m) const override {
    double sum = 0;
    for (const Index j : fit.active) sum += pseudo_inverse_.row(j).dot(m.col(j));
    return sum;
  }
  std::vector<double> automatic_grid(const MatrixView&) const override { return {0}; }

 private:
  const Matrix &x_, &pseudo_inverse_;
  Dependence dependence_;
};

double exponential(Random& random) { return -std::log(random.uniform()); }

}  // namespace

const char* name_of(NoiseLaw law) {
  switch (law) {
    case NoiseLaw::laplace:
      return "Laplace";
    case NoiseLaw::exponential:
      return "exponential";
    case NoiseLaw::gaussian:
      break;
  }
  return "Gaussian";
}

Vector drawn_noise(NoiseLaw law, Index n, Random& random) {
  if (law == NoiseLaw::gaussian) return random.normal_vector(n);
  Vector e(n);
  for (double& each : e) {
    const double size = exponential(random);
    if (law == NoiseLaw::exponential)
      each = size - 1;
    else
      each = (random.below(2) ? size : -size) / std::sqrt(2.0);
  }
  return e;
}

NonlinearWorld::NonlinearWorld() : x(rows, inputs), points(other_points, inputs) {
  Random random(2007);
  for (Index j = 0; j < inputs; ++j) {
    x.col(j) = random.normal_vector(rows).array() + 0.4;
    points.col(j) = 0.7 * random.normal_vector(other_points).array() - 0.5;
  }
  weight = random.uniform_vector(other_points, 0.2, 1);
  weight /= weight.sum();
  beta = Vector(inputs);
  beta << 1, -0.5, 0.25, 0, 0;
  pseudo_inverse = x.completeOrthogonalDecomposition().pseudoInverse();
}

double NonlinearWorld::product_at_rows(const VectorView& f, const VectorView& g) const {
  return f.dot(g) / static_cast<double>(rows);
}

double NonlinearWorld::product_at_points(const VectorView& a, const VectorView& b) const {
  return weight.dot((points * a).cwiseProduct(points * b));
}

NonlinearLearner affine_learner(double lambda) {
  return {"affine", lambda,
          [](const NonlinearWorld& w, const Vector& y) { return solved(w, y, shifted_ridge(0.5)); }};
}

NonlinearLearner ridge_learner(double lambda) {
  return {"ridge", lambda,
          [](const NonlinearWorld& w, const Vector& y) { return solved(w, y, shifted_ridge(0)); }};
}

NonlinearLearner huber_learner(double tau, double lambda) {
  return {lambda > 0 ? "Huber + ridge" : "Huber", lambda, [tau](const NonlinearWorld& w, const Vector& y) {
            return solved(w, y, [tau](const SolverDesign& design, const CentredGram*) -> PathSolverPtr {
              return std::make_unique<Huber>(design, HuberOptions{.tau = tau});
            });
          }};
}

NonlinearLearner lasso_learner(double lambda) {
  return {"lasso", lambda, [](const NonlinearWorld& w, const Vector& y) {
            return solved(w, y, [](const SolverDesign& design, const CentredGram* known) -> PathSolverPtr {
              return std::make_unique<ElasticNet>(design, ElasticNetOptions{}, known);
            });
          }};
}

NonlinearLearner hard_threshold_learner(double threshold, bool honest) {
  const auto dependence = honest ? Dependence::discontinuous : Dependence::differentiable;
  return {"hard threshold", threshold, [dependence](const NonlinearWorld& w, const Vector& y) {
            return solved(w, y, [&w, dependence](const SolverDesign&, const CentredGram*) -> PathSolverPtr {
              return std::make_unique<HardThreshold>(w.x, w.pseudo_inverse, dependence);
            });
          }};
}

GapParts parts_at_rows(const NonlinearWorld& world, const PathLearner& learner, const PathFit& fit,
                       const Vector& noise, const Vector& noiseless_fit) {
  const Vector f = world.truth(), fitted = learner.fitted(fit),
               reference = world.x * (world.pseudo_inverse * noise);
  const double error = world.product_at_rows(fitted - f, fitted - f);
  return {error, error - world.product_at_rows(f, f), 2 * world.product_at_rows(fitted, reference),
          2 * world.product_at_rows(noiseless_fit, reference)};
}

GapParts parts_at_points(const NonlinearWorld& world, const Vector& coefficients, const Vector& noise,
                         const Vector& noiseless_coefficients) {
  const Vector gap = coefficients - world.beta, reference = world.pseudo_inverse * noise;
  const double error = world.product_at_points(gap, gap);
  return {error, error - world.product_at_points(world.beta, world.beta),
          2 * world.product_at_points(coefficients, reference),
          2 * world.product_at_points(noiseless_coefficients, reference)};
}

}  // namespace gnomon::experiments
