#include "design.hpp"

#include <algorithm>
#include <cmath>

#include "decompose/decomposition.hpp"
#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::compare {
namespace {

double mean_of_squares(const Vector& v) { return v.squaredNorm() / static_cast<double>(v.size()); }

}  // namespace

Design::Design(const TrainingData& data, std::vector<Index> test, const SelectionRequest& request,
               const Metric& metric, const std::vector<Candidate>& prepared, const World& world,
               const Progress& progress)
    : intercept_(request.intercept), test_(std::move(test)), data_(data) {
  std::sort(test_.begin(), test_.end());
  for (Index i = 0; i < data.x.rows(); ++i)
    if (!std::binary_search(test_.begin(), test_.end(), i)) train_.push_back(i);
  data_.x = data.x(train_, Eigen::all);
  data_.y = data.y(train_, Eigen::all);
  data_.test_x = data.x(test_, Eigen::all);
  for (const Candidate& c : prepared) lambdas_.push_back(c.lambdas);
  if (!prepared.front().learner->linear()) return;
  candidates_ = make_candidates(data_, request, metric, progress);
  require(candidates_.size() == prepared.size(), "a part of the rows has other candidates than all of them");
  Matrix truths(static_cast<Index>(train_.size()), static_cast<Index>(world.truths.size()));
  for (Index t = 0; t < truths.cols(); ++t)
    truths.col(t) = world.truths[static_cast<std::size_t>(t)].values(train_);
  for (const Candidate& c : candidates_) {
    const auto own = c.learner->linear()->with_targets(truths);
    if (!own->decomposition().coordinates()) {
      known_.clear();
      break;
    }
    known_.push_back(
        {*own->decomposition().coordinates(), own->spectrum().outside, own->spectral_features(data_.test_x)});
  }
}

TrainingData Design::data_with(const Vector& y, const Vector& truth) const {
  TrainingData own = data_;
  own.y = y(train_);
  own.test_y = truth(test_);
  return own;
}

std::vector<Candidate> Design::candidates_on(const TrainingData& own, const SelectionRequest& request,
                                             const Metric& metric) const {
  std::vector<Candidate> out;
  for (const Candidate& c : candidates_)
    out.push_back({c.width, c.tuning, c.learner->linear()->with_targets(own.y), {}});
  if (candidates_.empty()) out = make_candidates(own, request, metric, {});
  require(out.size() == lambdas_.size(), "the candidates of a data set are not those of the user's data");
  for (std::size_t i = 0; i < out.size(); ++i) out[i].lambdas = lambdas_[i];
  return out;
}

double Design::intercept_error(const Vector& y, const Vector& truth) const {
  return intercept_ ? std::pow((y - truth).sum(), 2) / static_cast<double>(y.size()) : 0;
}

double Design::left_out_constant(const TrainingData& data, const Vector& truth) const {
  const Vector f = truth(train_), y = data.y.col(0);
  const double mean = intercept_ ? f.mean() : 0;
  return ((f.array() - mean).square().sum() + intercept_error(y, f)) / static_cast<double>(f.size());
}

void Design::add_spectral(const Candidate& own, const Known& known, const TrainingData& data,
                          const Vector& truth, std::size_t which, Index first, PathErrors& errors) const {
  const Smoother& smoother = *own.learner->linear();
  const Spectrum& spectrum = smoother.spectrum();
  const Vector z = smoother.decomposition().coordinates()->col(0), y = data.y.col(0);
  const Vector t = known.coordinates.col(static_cast<Index>(which));
  const double fixed = known.outside[static_cast<Index>(which)] + intercept_error(y, truth(train_));
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
    errors.at_training[first + k] = sum / static_cast<double>(y.size());
  }
  const Matrix fitted = lapack::product(known.features, false, coordinates, false);
  const Vector wanted = (data.test_y.col(0).array() - (intercept_ ? y.mean() : 0)).matrix();
  for (Index k = 0; k < count; ++k) errors.at_new[first + k] = mean_of_squares(wanted - fitted.col(k));
}

void Design::add_fitted(const Candidate& own, const TrainingData& data, const Vector& truth, Index first,
                        PathErrors& errors) const {
  const Vector wanted = truth(train_);
  for (std::size_t k = 0; k < own.lambdas.size(); ++k) {
    const Fit fit = own.learner->fit_at(points_of({&own.lambdas[k], 1}));
    const Index at = first + static_cast<Index>(k);
    errors.at_training[at] = mean_of_squares(fit.fitted.col(0) - wanted);
    errors.at_new[at] = mean_of_squares(fit.model.predict(data.test_x).col(0) - data.test_y.col(0));
  }
}

PathErrors Design::errors(const std::vector<Candidate>& own, const TrainingData& data, const Vector& truth,
                          std::size_t which) const {
  Index points = 0;
  for (const auto& lambdas : lambdas_) points += static_cast<Index>(lambdas.size());
  PathErrors errors{Vector(points), Vector(points)};
  Index first = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (known_.empty())
      add_fitted(own[i], data, truth, first, errors);
    else
      add_spectral(own[i], known_[i], data, truth, which, first, errors);
    first += static_cast<Index>(own[i].lambdas.size());
  }
  return errors;
}

}  // namespace gnomon::compare
