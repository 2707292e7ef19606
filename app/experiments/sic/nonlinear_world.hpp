#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gnomon/core/random.hpp"
#include "gnomon/learn/path_learner.hpp"

namespace gnomon::experiments {

/// Noise of mean 0 and variance 1.
enum class NoiseLaw { gaussian, laplace, exponential };
const char* name_of(NoiseLaw);
Vector drawn_noise(NoiseLaw law, Index n, Random& random);

/// A linear function seen at 20 fixed rows of 5 inputs with noise of variance 1, and 15 other points at which it may be asked for:
/// realizable, so that SIC's claims need no more than its noise law.
struct NonlinearWorld {
  NonlinearWorld();

  Matrix x, points;
  Vector weight;  ///< of the points; sums to 1
  Vector beta;
  Matrix pseudo_inverse;  ///< of x: L_u

  Vector truth() const { return x * beta; }
  Metric at_rows() const { return {Metric::Kind::train, {}, "train"}; }
  Metric at_points() const { return {Metric::Kind::points, {points, weight}, "points"}; }

  /// ⟨f, g⟩ over the rows, and of coefficients a, b over the points.
  double product_at_rows(const VectorView& f, const VectorView& g) const;
  double product_at_points(const VectorView& a, const VectorView& b) const;
};

/// A learner at one value of its parameter.
struct NonlinearLearner {
  std::string name;
  double lambda;
  std::function<PathLearner(const NonlinearWorld&, const Vector& y)> make;
};

/// a = (ΦᵀΦ + λI)⁻¹Φᵀ(y + v), v half of the first input: affine in y.
NonlinearLearner affine_learner(double lambda);
NonlinearLearner ridge_learner(double lambda);
NonlinearLearner huber_learner(double tau, double lambda);
NonlinearLearner lasso_learner(double lambda);
/// Least squares coefficients, those below the threshold λ in size set to 0. Between its jumps it is differentiable, and says so
/// as if it never jumped; `honest` says that it does.
NonlinearLearner hard_threshold_learner(double threshold, bool honest);

/// One draw of a learner in the world: how far an estimate is from the loss that it estimates, and the term that all depends on.
struct GapParts {
  double fitted_error;  ///< ‖f̂ − f‖²
  double loss;          ///< ‖f̂ − f‖² − ‖f‖², what SIC estimates without its constant
  double twice_term;    ///< 2⟨f̂, f_u − f⟩: its mean is 2C
  /// 2⟨f̂₀, f_u − f⟩ with f̂₀ the fit to noise-free targets. Of mean 0 whatever the learner: added to a gap it takes variance away.
  double mean_zero;
};
GapParts parts_at_rows(const NonlinearWorld&, const PathLearner&, const PathFit&, const Vector& noise,
                       const Vector& noiseless_fit);
GapParts parts_at_points(const NonlinearWorld&, const Vector& coefficients, const Vector& noise,
                         const Vector& noiseless_coefficients);

}  // namespace gnomon::experiments
