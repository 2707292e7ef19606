// The error after choosing along paths: tables of held-out errors, no refit for a draw.

#include <algorithm>
#include <cmath>

#include "after_choosing.hpp"
#include "automatic_width.hpp"
#include "criteria/weighted_mean.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/criteria/judge.hpp"
#include "judge_chosen.hpp"
#include "training_rows.hpp"

namespace gnomon {
namespace {

constexpr Index most_table_rows = 20'000;  // beyond, the choice is sure and only the chosen point is judged
constexpr Index most_table_entries = 10'000'000;  // beyond, each candidate keeps its best λ
constexpr double part_of_optimism = 0.5;          // of a choice by other means than these rows' errors
constexpr int most_folds = 10;                    // where leaving one out has no formula

/// Whether a single point is all there is.
bool is_one_point(const TargetFindings& found) {
  if (found.averaged) return found.averaged->value.size() == 1;
  return found.paths.size() == 1 && found.paths.front().lambdas().size() == 1;
}

/// Whether a criterion made of held-out errors holds out what the tables do, so that the choice by one can be repeated by the other:
/// whole rows, or the blocks or groups that rows must be held out in. What is made of single rows is not, where rows are not alone, nor
/// what leaves out one unit of a row's weight.
bool holds_out_alike(const TrainingData& data, const Criterion& criterion) {
  return (rows_stand_alone(data) && !stand_for_several(data)) || criterion.needs() == Account::held_out;
}

/// Whether left-out errors come at little cost: a large kernel matrix is prepared for them only where a criterion asks for them.
bool has_tables(const TargetFindings& found) {
  const Smoother* smoother = found.learner().linear();
  return !smoother || !smoother->no_leave_one_out().empty() || smoother->prepared_for_leave_one_out();
}

/// Folds of rows that come in an order are blocks of it. Random ones are those of cross-validation, which may be known.
Folds folds_for(const TrainingData& data, const SelectionRequest& request, const CriterionOutcome& chosen) {
  const Index n = data.y.rows();
  const int asked = chosen.folds > 1 && chosen.criterion.partition == Criterion::Partition::random
                        ? chosen.folds
                        : most_folds;
  const int k = static_cast<int>(std::min<Index>(asked, n));
  return data.dependence > 0 ? blocked_folds(n, k) : unordered_folds(n, data.groups, k, request.seed);
}

/// The place with the least value of the criterion that chose, on one path; the chosen place on its own.
std::size_t best_place(const TargetFindings& found, std::size_t path, Index first) {
  const PathOutcome& chosen = found.laid_out().chosen();
  if (path == found.chosen) return static_cast<std::size_t>(chosen.grid_index);
  std::size_t best = 0;
  double least = HUGE_VAL;
  for (std::size_t k = 0; k < found.paths[path].lambdas().size(); ++k) {
    const double value = chosen.curve.value[first + static_cast<Index>(k)];
    if (value < least) least = value, best = k;
  }
  return best;
}

/// The tables of all paths side by side; behind them those of the widths that were tried and not chosen before. Of very many
/// candidates each is there at its best λ: the choice among them is what can be repeated then.
class PathTables {
 public:
  PathTables(const TrainingData& data, const TargetFindings& found, const std::vector<JudgedWidth>& widths,
             const Progress& progress)
      : data_(data), found_(found), whole_(data.y.rows() <= most_table_rows && has_tables(found)) {
    if (const Vector& exact = found.laid_out().leave_one_out_residual;
        !whole_ && exact.size() && rows_stand_alone(data)) {
      fill({{exact, "leave-one-out"}});
      return;
    }
    const Folds folds = folds_for(data, found.request, found.laid_out().chosen());
    const bool alone = rows_stand_alone(data);
    const auto residuals = [&](const Learner& learner, std::span<const double> lambdas) {
      return learner.unseen_residuals(points_of(lambdas), found.target, folds, alone, progress);
    };
    if (!whole_) {
      const double lambda = found.paths[found.chosen].lambdas()[chosen_on_grid()];
      fill({residuals(found.learner(), {&lambda, 1})});
      return;
    }
    thin_ = !found.averaged &&
            data.y.rows() * static_cast<Index>(found.laid_out().lambda.size()) > most_table_entries;
    const std::vector<TargetPath>& paths = found.averaged ? found.averaged->paths : found.paths;
    std::vector<UnseenResiduals> parts;
    Index place = 0;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      progress("judging the chosen fit", static_cast<double>(i) / static_cast<double>(paths.size()));
      const std::vector<double>& lambdas = paths[i].lambdas();
      first_.push_back(static_cast<Index>(point_.size()));
      const std::size_t best = thin_ ? best_place(found, i, place) : 0, count = thin_ ? 1 : lambdas.size();
      for (std::size_t k = best; k < best + count; ++k) point_.push_back(place + static_cast<Index>(k));
      parts.push_back(residuals(paths[i].learner(), {lambdas.data() + best, count}));
      place += static_cast<Index>(lambdas.size());
    }
    auto columns = static_cast<Index>(point_.size());
    for (const JudgedWidth& other : widths) {
      first_.push_back(columns);
      parts.push_back(residuals(*other.smoother, other.lambdas));
      columns += parts.back().residual.cols();
    }
    fill(parts);
  }

  /// All candidates are in the tables; otherwise the chosen point alone.
  bool whole() const { return whole_; }
  const Matrix& residual() const { return residual_; }
  const std::vector<Index>& first_of_path() const { return first_; }
  /// The points of the paths that the columns stand for.
  const std::vector<Index>& points() const { return point_; }
  const std::string& by() const { return by_; }

  Index chosen_place() const { return whole_ ? place_on(found_.chosen, chosen_on_grid()) : 0; }

  /// Where a criterion's choice lies among the points, to the nearest λ of the grid; −1 if it chose nothing.
  Index place_of(const PathOutcome& c) const {
    if (!c.selected) return -1;
    for (std::size_t i = 0; i < found_.paths.size(); ++i) {
      const Candidate& own = *found_.paths[i].candidate;
      const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
      if (same(own.width, c.width) && same(own.tuning, c.tuning) && own.representation == c.representation)
        return place_on(i, static_cast<std::size_t>(c.grid_index));
    }
    return -1;
  }

 private:
  std::size_t chosen_on_grid() const {
    return static_cast<std::size_t>(found_.laid_out().chosen().grid_index);
  }
  /// A point of a path, or what stands for it.
  Index place_on(std::size_t path, std::size_t lambda) const {
    return first_[path] + (thin_ ? 0 : static_cast<Index>(lambda));
  }
  void fill(const std::vector<UnseenResiduals>& parts) {
    Index columns = 0;
    for (const UnseenResiduals& part : parts) columns += part.residual.cols();
    residual_.resize(data_.y.rows(), columns);
    columns = 0;
    for (const UnseenResiduals& part : parts) {
      residual_.middleCols(columns, part.residual.cols()) = part.residual;
      columns += part.residual.cols();
    }
    by_ = parts.back().by;
  }

  const TrainingData& data_;
  const TargetFindings& found_;
  bool whole_, thin_ = false;
  Matrix residual_;
  std::vector<Index> first_, point_;
  std::string by_;
};

/// The choice among all points, to be made again by held-out errors; with the chosen point alone there is none.
RepeatedChoice choice_of(const TargetFindings& found, const PathTables& tables, const UnseenErrors& errors) {
  const PathOutcome& chosen = found.laid_out().chosen();
  RepeatedChoice choice;
  choice.mean = weighted_means(errors.loss, errors.choosing);
  if (!tables.whole()) {
    choice.value = Vector::Zero(1);
    return choice;
  }
  if (found.averaged) {
    choice.value = found.averaged->value;
    choice.averages = true;
    choice.moves = moves_with_error(chosen.criterion);
    choice.count = found.learner().count();
    return choice;
  }
  choice.value = chosen.curve.value;
  choice.first_of_path = tables.first_of_path();
  choice.moves = moves_with_error(chosen.criterion);
  choice.rule = found.request.rule;
  choice.count = found.learner().count();
  Index k = 0;
  for (const TargetPath& path : found.paths) {
    for (const Counts& counts : path.counts) {
      if (!chosen.criterion.may_choose(counts.df, path.learner().count())) choice.value[k] = undefined;
      ++k;
    }
  }
  choice.value = Vector(choice.value(tables.points()));
  const CriterionCurve& curve = chosen.curve;
  const Vector& error = choice.rule == Rule::paired ? curve.difference_error : curve.standard_error;
  if (error.size()) choice.standard_error = error(tables.points());
  return choice;
}

/// The values of the other widths' paths behind those of the chosen one, and what chose among the widths at all their points.
void add_widths(const TargetFindings& found, const WidthSearch& search,
                const std::vector<JudgedWidth>& others, RepeatedChoice& choice) {
  const Criterion& criterion = found.laid_out().chosen().criterion;
  const bool blends = choice.moves.how == MovesWithError::How::by_logarithm;
  choice.before =
      judged_width_values(*found.learner().linear(), found.paths.front().lambdas(), search.chosen, search);
  choice.before_share = std::get<Blend>(blend.formula).share;
  const auto append = [](Vector& to, const Vector& more) {
    to.conservativeResize(to.size() + more.size());
    to.tail(more.size()) = more;
  };
  for (const JudgedWidth& other : others) {
    append(choice.before, judged_width_values(*other.smoother, other.lambdas, other.width, search));
    // A mean is what the draw makes of it, and a criterion that stands is not asked elsewhere.
    append(choice.value,
           blends ? judge(*other.smoother, criterion, other.lambdas, {.target = found.target}).value
                  : Vector::Zero(static_cast<Index>(other.lambdas.size())));
  }
}

/// A criterion that no held-out row has a part in does not move with their draws, and its choice stands. Yet it has seen these rows'
/// targets: its choice is too good for them by a part of what the choice by their errors would be.
AfterChoosing error_of_standing_choice(const UnseenErrors& errors, const RepeatedChoice& choice, Index chosen,
                                       double level, std::uint64_t seed) {
  RepeatedChoice standing;
  standing.value = Vector::Zero(1);
  const UnseenErrors own{
      errors.loss.col(chosen), errors.choosing, errors.judging, errors.block, {}, errors.groups};
  const AfterChoosing found = error_after_choosing(own, standing, level, seed);
  if (errors.loss.cols() == 1) return found;
  RepeatedChoice by_errors = choice;
  by_errors.moves = {MovesWithError::How::is_the_mean};
  by_errors.rule = Rule::minimum;
  const Index least = by_errors.from(choice.mean);
  if (least < 0) return found;
  const double corrected = error_after_choosing(errors, by_errors, level, seed).value;
  return moved_towards(found, found.value * corrected / choice.mean[least], part_of_optimism);
}

/// Other criteria's choices against the delivered fit, row by row.
std::vector<ErrorDifference> differences(const TargetFindings& found, const PathTables& tables,
                                         const UnseenErrors& errors) {
  std::vector<ErrorDifference> out;
  if (!tables.whole() || !errors.groups.empty()) return out;  // rows of a group do not differ independently
  const Index n = errors.loss.rows();
  const Vector w = errors.judging.size() ? errors.judging : Vector::Ones(n);
  const auto& criteria = found.laid_out().criteria;
  const Vector delivered = found.averaged ? Vector(found.laid_out().leave_one_out_residual.cwiseAbs2())
                                          : Vector(errors.loss.col(tables.chosen_place()));
  for (std::size_t i = 1; i < criteria.size(); ++i) {
    const Index place = tables.place_of(criteria[i]);
    if (place < 0) continue;
    const WeightedMean mean = weighted_mean(errors.loss.col(place) - delivered, w);
    out.push_back({criteria[i].label, mean.value, mean.standard_error});
  }
  return out;
}

/// The residuals of the fit itself, between the points of the grid where the search went on there.
Vector residuals_of_chosen(const TrainingData& data, const TargetFindings& found, const PathTables& tables) {
  const Vector& exact = found.laid_out().leave_one_out_residual;
  return exact.size() && rows_stand_alone(data) ? exact
                                                : Vector(tables.residual().col(tables.chosen_place()));
}

}  // namespace

std::optional<ChosenError> error_along_paths(const TrainingData& data, const TargetFindings& found,
                                             const WidthSearch* widths, const Progress& progress) {
  if (!found.learner().lacks(Account::held_out, {}).empty()) return std::nullopt;
  const Criterion& criterion = found.laid_out().chosen().criterion;
  const bool repeats = moves_with_error(criterion).how != MovesWithError::How::not_at_all &&
                       (found.averaged || holds_out_alike(data, criterion));
  std::vector<JudgedWidth> others;
  if (widths && !found.averaged && data.groups.empty() && found.learner().linear() && has_tables(found))
    others = widths_not_chosen(found.request, data, *widths);
  const PathTables tables(data, found, others, progress);
  const UnseenErrors errors{tables.residual().cwiseAbs2(),
                            choosing_weight(data, criterion),
                            judging_weight(data),
                            std::max<Index>(1, data.dependence),
                            found.averaged ? tables.residual() : Matrix(),
                            drawn_together(data)};
  RepeatedChoice choice = choice_of(found, tables, errors);
  if (!others.empty()) add_widths(found, *widths, others, choice);
  ChosenError out;
  const std::uint64_t seed = found.request.seed;
  const AfterChoosing after =
      repeats ? error_after_choosing(errors, choice, out.level, seed)
              : error_of_standing_choice(errors, choice, tables.chosen_place(), out.level, seed);
  out.value = after.value, out.low = after.low, out.high = after.high;
  out.method = fmt::format(
      "{}, {}", tables.by(),
      is_one_point(found) ? "nothing was chosen"
      : !tables.whole()   ? found.averaged ? "of the average" : "at the chosen point"
      : found.averaged
          ? "the weights made again on resampled rows"
          : fmt::format("{} resampled {}", repeats ? "the choice repeated on" : "corrected for the choice by",
                        errors.groups.empty() ? "rows" : "groups"));
  out.differences = differences(found, tables, errors);
  out.residual = residuals_of_chosen(data, found, tables);
  return out;
}

}  // namespace gnomon
