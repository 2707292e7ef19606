// The error after choosing where a choice cannot be repeated without refits: selections inside folds.

#include <algorithm>
#include <cmath>

#include "after_choosing.hpp"
#include "gnomon/core/error.hpp"
#include "judge_chosen.hpp"
#include "make_tunable.hpp"
#include "training_rows.hpp"

namespace gnomon {
namespace {

constexpr Index few_rows = 200;  // up to which a fit to four fifths of them is too poor a stand-in

/// What a fold repeats: the same choice by the same criterion, and nothing that is only reported. A search whose every step
/// trains a network begins where the whole data led it; all else begins anew.
SelectionRequest request_of_fold(const Selection& selection) {
  SelectionRequest request = selection.request;
  request.chosen_error = request.keep_held_out = request.keep_spectrum = false;
  if (request.criteria.empty()) {
    request.own_criteria.erase(request.own_criteria.begin() + 1, request.own_criteria.end());
  } else {
    request.criteria = {selection.targets.front().chosen().label};
    request.own_criteria.clear();
  }
  const TunedSearch* search = selection.targets.front().search();
  if (search && search->searched && selection.model.network() && request.search != Search::mackay) {
    for (std::size_t i = 0; i < search->parameters.size(); ++i)
      request.start[search->parameters[i].name] = search->chosen[static_cast<Index>(i)];
  }
  return request;
}

/// The model chosen on some of the rows. Where the search on all rows ended, one on fewer may find nothing: it begins anew then.
Model chosen_on(const TrainingData& some, const SelectionRequest& request) {
  if (request.start.empty()) return select(some, request).model;
  try {
    return select(some, request).model;
  } catch (const Error&) {
    SelectionRequest anew = request;
    anew.start.clear();
    return select(some, anew).model;
  }
}

/// Predictions of every row by the selection without its fold; class probabilities of a classifier.
Matrix unseen_predictions(const TrainingData& data, const Selection& selection, const Folds& folds,
                          const Progress& progress) {
  const SelectionRequest request = request_of_fold(selection);
  const auto held_out = rows_by_fold(folds);
  Matrix out;
  for (int f = 0; f < folds.count; ++f) {
    progress(fmt::format("judging the choice, fold {} of {}", f + 1, folds.count),
             static_cast<double>(f) / folds.count);
    std::vector<Index> train;
    for (Index i = 0; i < folds.rows(); ++i)
      if (folds.of_row[static_cast<std::size_t>(i)] != f) train.push_back(i);
    const auto& held = held_out[static_cast<std::size_t>(f)];
    const Matrix own =
        chosen_on(rows_of(data, train), request).predict(Matrix(inputs_of(data)(held, Eigen::all)));
    if (out.size() == 0) out.resize(data.y.rows(), own.cols());
    out(held, Eigen::all) = own;
  }
  return out;
}

/// −log of the probability given to the class of each row, no class being ruled out altogether.
Vector cross_entropies(const Matrix& probability, const Matrix& indicator) {
  return -(probability.cwiseProduct(indicator).rowwise().sum().array().max(1e-300)).log();
}

double share_put_elsewhere(const Matrix& probability, const Matrix& indicator) {
  Index wrong = 0;
  for (Index i = 0; i < probability.rows(); ++i) {
    Index own = 0, predicted = 0;
    indicator.row(i).maxCoeff(&own);
    probability.row(i).maxCoeff(&predicted);
    wrong += own != predicted;
  }
  return static_cast<double>(wrong) / static_cast<double>(probability.rows());
}

/// The mean leave-one-out error of the chosen fit of a search, where it is a formula. It is too low, for the fit was chosen on
/// these rows, where folds tend to be too high, for their fits are chosen on fewer.
double left_out_error(const TrainingData& data, const Selection& selection, Index target) {
  const TunedSearch* search = selection.targets[static_cast<std::size_t>(target)].search();
  if (!search || selection.model.network() || !rows_stand_alone(data)) return undefined;
  const std::unique_ptr<Learner> learner = make_tunable(data, selection.request, target);
  if (!learner->lacks(Account::left_out, {}).empty()) return undefined;
  const LeftOut errors = learner->left_out(Points(search->chosen), 0, false, Progress{}).front();
  return errors.sum / errors.weight;
}

ChosenError judged(const TrainingData& data, const Selection& selection, const Vector& loss, int folds) {
  const UnseenErrors errors{loss,
                            data.weight,
                            data.importance.size() ? data.importance : data.weight,
                            std::max<Index>(1, data.dependence),
                            {},
                            drawn_together(data)};
  ChosenError out;
  RepeatedChoice settled;  // every fold has made its own
  settled.value = Vector::Zero(1);
  const AfterChoosing found = error_after_choosing(errors, settled, out.level, selection.request.seed);
  out.value = found.value, out.low = found.low, out.high = found.high;
  out.method = fmt::format("{} folds, the choice repeated without each of them", folds);
  return out;
}

}  // namespace

void judge_by_nested_folds(const TrainingData& data, Selection& selection, const Progress& progress) {
  const auto lacks = [](const TargetSelection& t) { return !t.error; };
  if (std::none_of(selection.targets.begin(), selection.targets.end(), lacks)) return;
  const Index n = data.y.rows();
  const int folds =
      static_cast<int>(std::min<Index>(n, n <= few_rows && !selection.model.network() ? 10 : 5));
  const Folds parts = data.dependence > 0 ? blocked_folds(n, folds)
                                          : unordered_folds(n, data.groups, folds, selection.request.seed);
  const Matrix predicted = unseen_predictions(data, selection, parts, progress);
  for (std::size_t t = 0; t < selection.targets.size(); ++t) {
    TargetSelection& target = selection.targets[t];
    if (target.error) continue;
    if (!data.classes.empty()) {
      target.error = judged(data, selection, cross_entropies(predicted, data.y), parts.count);
      target.error->squared = false;
      target.error->error_rate = share_put_elsewhere(predicted, data.y);
      continue;
    }
    const Vector residual = data.y.col(static_cast<Index>(t)) - predicted.col(static_cast<Index>(t));
    target.error = judged(data, selection, residual.cwiseAbs2(), parts.count);
    const double left_out = left_out_error(data, selection, static_cast<Index>(t));
    if (left_out < target.error->value) {
      const AfterChoosing both =
          moved_towards({target.error->value, target.error->low, target.error->high}, left_out, 0.25);
      target.error->value = both.value, target.error->low = both.low;
      target.error->method += ", and leave-one-out";
    }
    target.error->residual = residual;
  }
}

}  // namespace gnomon
