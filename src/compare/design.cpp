#include "design.hpp"

#include <cmath>

#include "decompose/decomposition.hpp"
#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"
#include "paths.hpp"

namespace gnomon::compare {

Design::Design(const Stage& stage, const SelectionRequest& request, const std::vector<Candidate>& prepared,
               const Progress& progress)
    : stage_(stage), intercept_(request.intercept) {
  for (const Candidate& c : prepared) lambdas_.push_back(c.lambdas);
  if (!prepared.front().learner->linear()) return;
  candidates_ = make_candidates(stage.data, request, stage.metric, progress);
  require(candidates_.size() == prepared.size(), "a part of the rows has other candidates than all of them");
  Matrix truths(stage.data.x.rows(), static_cast<Index>(stage.truth_known.size()));
  for (Index t = 0; t < truths.cols(); ++t) truths.col(t) = stage.truth_known[static_cast<std::size_t>(t)];
  for (const Candidate& c : candidates_) {
    const auto own = c.learner->linear()->with_targets(truths);
    if (!own->decomposition().coordinates()) {
      known_.clear();
      break;
    }
    known_.push_back({*own->decomposition().coordinates(), own->spectrum().outside,
                      own->spectral_features(stage.data.test_x)});
  }
}

std::vector<Candidate> Design::candidates_on(const TrainingData& own, const SelectionRequest& request) const {
  std::vector<Candidate> out;
  for (const Candidate& c : candidates_)
    out.push_back({c.width, c.tuning, c.learner->linear()->with_targets(own.y), {}, c.representation});
  if (candidates_.empty()) out = make_candidates(own, request, stage_.metric, {});
  require(out.size() == lambdas_.size(), "the candidates of a data set are not those of the user's data");
  for (std::size_t i = 0; i < out.size(); ++i) out[i].lambdas = lambdas_[i];
  return out;
}

double Design::rows() const {
  const Vector& weight = stage_.data.weight;
  return weight.size() ? weight.sum() : static_cast<double>(stage_.data.x.rows());
}

double Design::intercept_error(const TrainingData& data, std::size_t which) const {
  if (!intercept_) return 0;
  return rows() * std::pow(weighted_mean(data.y.col(0) - stage_.truth_known[which], data.weight), 2);
}

double Design::left_out_constant(const TrainingData& data, std::size_t which) const {
  const Vector& f = stage_.truth_known[which];
  const double mean = intercept_ ? weighted_mean(f, data.weight) : 0;
  return mean_square((f.array() - mean).matrix(), data.weight) + intercept_error(data, which) / rows();
}

void Design::add_spectral(const Candidate& own, const Known& known, const TrainingData& data,
                          std::size_t which, Index first, PathErrors& errors) const {
  const Smoother& smoother = *own.learner->linear();
  const Spectrum& spectrum = smoother.spectrum();
  const Vector z = smoother.decomposition().coordinates()->col(0);
  const Vector t = known.coordinates.col(static_cast<Index>(which));
  const double fixed = known.outside[static_cast<Index>(which)] + intercept_error(data, which);
  const auto count = static_cast<Index>(own.lambdas.size());
  Matrix coordinates(z.size(), count);
  for (Index k = 0; k < count; ++k) {
    double sum = fixed;
    for (Index i = 0; i < z.size(); ++i) {
      const FilterValue value = filter_at(spectrum, smoother.filter(), spectrum.values[i],
                                          own.lambdas[static_cast<std::size_t>(k)]);
      const double gap = (1 - value.complement) * z[i] - t[i];
      sum += gap * gap;
      coordinates(i, k) = value.gain * z[i];
    }
    errors.at_training[first + k] = sum / rows();
  }
  const Matrix fitted = lapack::product(known.features, false, coordinates, false);
  const double offset = intercept_ ? weighted_mean(data.y.col(0), data.weight) : 0;
  const Vector wanted = (stage_.truth[which].array() - offset).matrix();
  for (Index k = 0; k < count; ++k)
    errors.at_new[first + k] = mean_square(wanted - fitted.col(k), stage_.judge_weight);
}

void Design::add_fitted(const Candidate& own, std::size_t which, Index first, PathErrors& errors) const {
  const PathFits fits = fits_along(own, stage_.data.test_x);
  for (Index k = 0; k < fits.fitted.cols(); ++k) {
    errors.at_training[first + k] =
        mean_square(fits.fitted.col(k) - stage_.truth_known[which], stage_.data.weight);
    errors.at_new[first + k] = mean_square(fits.predicted.col(k) - stage_.truth[which], stage_.judge_weight);
  }
}

PathErrors Design::errors(const std::vector<Candidate>& own, const TrainingData& data,
                          std::size_t which) const {
  Index points = 0;
  for (const auto& lambdas : lambdas_) points += static_cast<Index>(lambdas.size());
  PathErrors errors{Vector(points), Vector(points)};
  Index first = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (known_.empty())
      add_fitted(own[i], which, first, errors);
    else
      add_spectral(own[i], known_[i], data, which, first, errors);
    first += static_cast<Index>(own[i].lambdas.size());
  }
  return errors;
}

}  // namespace gnomon::compare
