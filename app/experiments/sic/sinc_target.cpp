#include "sinc_target.hpp"

#include <cmath>
#include <numbers>

#include "gnomon/represent/quadrature.hpp"

namespace gnomon::experiments {

double SincTarget::operator()(double x) const {
  const double t = frequency * x;
  return t == 0 ? 1 : std::sin(t) / t;
}

double SincTarget::squared_norm() const {
  const Quadrature rule = gauss_legendre(64, -frequency, frequency);
  return std::sqrt(2 * std::numbers::pi) / (4 * frequency * frequency) *
         rule.weights.dot((rule.nodes.array().square() / 2).exp().matrix());
}

Vector function_space_error(const Smoother& learner, Index noise_free, std::span<const double> lambdas,
                            double sigma2, double squared_norm) {
  const Spectrum& s = learner.spectrum();
  Vector error = Vector::Constant(static_cast<Index>(lambdas.size()), squared_norm);
  for (Index k = 0; k < error.size(); ++k) {
    for (Index i = 0; i < s.values.size(); ++i) {
      const double d = s.values[i], mu2 = s.squared(i, noise_free);
      const double gain = filter_at(s, learner.filter(), d, lambdas[static_cast<std::size_t>(k)]).gain;
      error[k] += gain * (d * gain * (mu2 + sigma2) - 2 * mu2);
    }
  }
  return error;
}

Vector realised_function_space_error(const Smoother& learner, Index target, const VectorView& noise_free,
                                     std::span<const double> lambdas, double squared_norm) {
  Vector error(static_cast<Index>(lambdas.size()));
  for (Index k = 0; k < error.size(); ++k) {
    const double lambda = lambdas[static_cast<std::size_t>(k)];
    const Vector alpha = learner.coefficients(lambda, target);
    error[k] = alpha.dot(learner.fitted(lambda, target) - 2 * noise_free) + squared_norm;
  }
  return error;
}

}  // namespace gnomon::experiments
