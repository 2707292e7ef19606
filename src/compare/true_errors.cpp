#include "true_errors.hpp"

#include "decompose/decomposition.hpp"

namespace gnomon::compare {

Vector spectral_errors(const Smoother& smoother, const std::vector<double>& lambdas,
                       const SpectralTruths& truths, std::size_t which, double constant_part) {
  const auto truth = static_cast<Index>(which);
  const Matrix z = *smoother.decomposition().coordinates();
  const Spectrum& spectrum = smoother.spectrum();
  Vector errors(static_cast<Index>(lambdas.size()));
  for (Index k = 0; k < errors.size(); ++k) {
    double sum = truths.outside[truth] + constant_part;
    for (Index i = 0; i < z.rows(); ++i) {
      const double g =
          filter_at(spectrum, smoother.filter(), spectrum.values[i], lambdas[static_cast<std::size_t>(k)])
              .complement;
      const double d = (1 - g) * z(i, 0) - truths.coordinates(i, truth);
      sum += d * d;
    }
    errors[k] = sum / static_cast<double>(smoother.rows());
  }
  return errors;
}

Vector fitted_errors(const Learner& learner, const std::vector<double>& lambdas, const Vector& truth) {
  Vector errors(static_cast<Index>(lambdas.size()));
  for (Index k = 0; k < errors.size(); ++k) {
    const Fit fit = learner.fit_at(points_of({&lambdas[static_cast<std::size_t>(k)], 1}));
    errors[k] = (fit.fitted.col(0) - truth).squaredNorm() / static_cast<double>(truth.size());
  }
  return errors;
}

}  // namespace gnomon::compare
