#include "candidates.hpp"

#include <algorithm>
#include <cmath>

#include "automatic_width.hpp"
#include "column_subsets.hpp"
#include "core/text.hpp"
#include "criteria_list.hpp"
#include "data/row_blocks.hpp"
#include "decompose/rotated_tridiagonal.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/data/weights.hpp"
#include "grid.hpp"
#include "judge_chosen.hpp"
#include "learn/held_out_moments.hpp"
#include "learn/point_moments.hpp"
#include "represent/width.hpp"
#include "training_rows.hpp"

namespace gnomon {
namespace {

constexpr ValueRule exponent_rule{.name = "flattening", .spacing = Spacing::even, .automatic = ""};

std::vector<double> requested_widths(const SelectionRequest& request, const TrainingData& data) {
  if (!uses_kernel(request) || !request.kernel.takes_width()) return {};
  const auto widths = named_widths(request);
  if (widths.empty())
    return {chooses_width(request, data) ? choose_width(request, data, {}).chosen
                                         : median_distance(data.x, data.weight)};
  return widths;
}

Representation make_representation(const SelectionRequest& request, double width, const Matrix& x) {
  if (!uses_kernel(request)) return request.basis.fit(x);
  return request.kernel.of_width(std::isfinite(width) ? width : 1);
}

/// The inputs that a basis of some of them uses; no matrix at all where it is all of them.
Matrix some_inputs(const Representation& representation, const Matrix& x) {
  const auto* basis = std::get_if<Basis>(&representation);
  return basis && !basis->columns().empty() ? Matrix(x(Eigen::all, basis->columns())) : Matrix();
}

/// Values that do not depend on data; empty for "auto" and for learners without a tuning parameter.
std::vector<double> named_tunings(const SelectionRequest& request) {
  const auto& tuning = request.learner->tuning;
  if (!tuning) return {};
  const auto values = tuning->asked(request).read(tuning->rule());
  if (tuning->check && !values.empty()) tuning->check(values);
  return values;
}

/// The exponent of the importance weights: iwls tunes it, other learners take one.
double exponent_of(const SelectionRequest& request, double tuning) {
  return request.learner->tunes_exponent() ? tuning : fixed_exponent(request);
}

/// The columns of a basis, made once for all candidates; null for kernels.
std::shared_ptr<const Matrix> shared_design(const SelectionRequest& request,
                                            const std::shared_ptr<const Matrix>& x) {
  if (uses_kernel(request)) return nullptr;
  const Basis basis = request.basis.fit(*x);
  return basis.is_identity() ? x : std::make_shared<const Matrix>(basis.design(*x));
}

/// sic measures the fit of an exponent against the fully weighted one.
bool pairs_fits(const SelectionRequest& request, const Metric& metric) {
  return metric.kind == Metric::Kind::points &&
         std::any_of(request.criteria.begin(), request.criteria.end(), [](const std::string& name) {
           return names_several(name) || find_criterion(name).criterion.name == "sic";
         });
}

/// Shared by all exponents of a tall least-squares problem.
std::shared_ptr<const HeldOutMoments> held_out_moments(const TrainingData& data,
                                                       const SelectionRequest& request, const Needs& needs,
                                                       const Matrix* design, const Metric& metric,
                                                       const std::vector<double>& tunings) {
  if (data.importance.size() == 0 || !request.learner->weighted_ridge_on_basis) return nullptr;
  if (!smoother_is_tall(design->rows(), design->cols())) return nullptr;
  std::vector<double> exponents;
  for (const double tuning : tunings) exponents.push_back(exponent_of(request, tuning));
  const std::vector<int> one_fold(needs.folds.count ? 0 : static_cast<std::size_t>(design->rows()), 0);
  return std::make_shared<const HeldOutMoments>(
      *design, data.y, data.importance, needs.folds.count ? needs.folds.of_row : one_fold,
      std::max(needs.folds.count, 1), std::move(exponents), pairs_fits(request, metric));
}

/// Whether the fit is a plain ridge on a kernel.
bool penalises_function(const SelectionRequest& request) {
  return request.learner->linear() && uses_kernel(request) &&
         request.learner->filter(request.penalty).filter.shift == Shift::plain;
}

/// The error after choosing repeats the choice on tables of left-out errors. Of a large kernel matrix they cost several times what
/// trace criteria do, and so many rows leave next to nothing to correct: the chosen point alone is judged then, at a third of a
/// product.
bool judges_chosen_alone(const TrainingData& data, const SelectionRequest& request) {
  constexpr Index cheap_tables = 600;
  return data.x.rows() > cheap_tables && rows_stand_alone(data) && penalises_function(request);
}

/// Folds of a kernel are held out by the rotation of leave-one-out, unless they take one of their own.
bool folds_have_leave_one_out(const TrainingData& data, const SelectionRequest& request) {
  using Rotation = RotatedTridiagonal::Rotation;
  return !penalises_function(request) || RotatedTridiagonal::for_folds(data.x.rows()) == Rotation::keep;
}

/// What will be asked for decides how a spectrum is obtained.
Needs needs_of(const TrainingData& data, const SelectionRequest& request, const Metric& metric) {
  const bool linear = request.learner->linear();
  Needs needs{.leave_one_out = false,
              .function_space = metric.kind == Metric::Kind::function_space,
              .vectors = metric.kind == Metric::Kind::points || data.y.cols() > 1 || request.further_targets};
  for (const auto& name : request.criteria) {
    const CriterionWord word = criterion_word(name);
    const bool collective = word != CriterionWord::one;
    needs.leave_one_out |= collective || find_criterion(name).criterion.needs_leverages();
    const auto is_validation = [](const Criterion& c) { return c.partition == Criterion::Partition::random; };
    const bool validates =
        word == CriterionWord::all ||
        (word == CriterionWord::automatic && (!linear || request.grouped || request.weighted)) ||
        (!collective && is_validation(find_criterion(name).criterion));
    if (validates && needs.folds.count == 0 && data.y.rows() > 1) {
      const int k = collective ? find_criterion("cv").folds : find_criterion(name).folds;
      needs.folds = unordered_folds(data.y.rows(), data.groups, k, request.seed);
    }
    needs.held_out |= validates && uses_kernel(request);
  }
  needs.leave_one_out |= needs.held_out && folds_have_leave_one_out(data, request);
  needs.leave_one_out |= judges_chosen(data, request) && !judges_chosen_alone(data, request);
  for (const Criterion& own : request.own_criteria) needs.leave_one_out |= own.needs_leverages();
  if (linear) needs.leave_one_out &= request.learner->filter(request.penalty).filter.closed_form_deletion;
  return needs;
}

/// Says for which learners importance weights are.
[[noreturn]] void refuse_importance(const SelectionRequest& request) {
  std::vector<std::string> served;
  for (const LearnerEntry& entry : learner_catalog()) {
    const auto takes = [&](const PenaltyFilter& f) { return f.weighted != nullptr; };
    if (entry.solver) served.push_back(entry.name);
    for (const PenaltyFilter& f : entry.filters) {
      if (takes(f))
        served.push_back(entry.filters.size() == 1
                             ? entry.name
                             : fmt::format("{} with the penalty '{}'", entry.name, name_of(f.penalty)));
    }
  }
  const std::string last = served.back();
  served.pop_back();
  const bool by_penalty = request.learner->filters.size() > 1;
  fail("importance weights are for {} and {}, not for {}{}", join(served), last, request.learner,
       by_penalty ? fmt::format(" with the penalty '{}'", request.penalty.name()) : "");
}

}  // namespace

bool uses_kernel(const SelectionRequest& request) {
  const Inputs inputs = request.learner->inputs;
  return inputs == Inputs::kernel || (inputs == Inputs::either && request.basis.empty());
}

std::string basis_of(const SelectionRequest& request) {
  return request.basis.empty() ? "linear" : request.basis.name();
}

Metric metric_of(const SelectionRequest& request, const TrainingData& data) {
  if (request.metric) return *request.metric;
  if (data.importance.size())
    return {
        Metric::Kind::points, {data.x, data.importance / data.importance.sum()}, "weighted training inputs"};
  const bool in_function_space = request.learner->linear() && uses_kernel(request) &&
                                 request.learner->filter(request.penalty).filter.whole_range;
  return in_function_space ? Metric{Metric::Kind::function_space, {}, "function-space"}
                           : Metric{Metric::Kind::train, {}, "train"};
}

std::vector<double> named_lambdas(const SelectionRequest& request) { return request.lambda.read({"lambda"}); }

std::vector<double> named_widths(const SelectionRequest& request) {
  const std::string text = request.width.text();
  const bool automatic = text == "auto" || text == "median";
  const auto named =
      automatic ? std::vector<double>()
                : request.width.read({.name = "width", .automatic = "auto, median", .positive = true});
  const auto own = request.kernel.own_width();
  return named.empty() && own ? std::vector<double>{*own} : named;
}

double fixed_exponent(const SelectionRequest& request) {
  const auto exponents = request.flattening.read(exponent_rule);
  return exponents.empty() ? 1 : exponents.front();
}

std::string tuning_text(const SelectionRequest& request) {
  const TuningParameter& tuning = request.learner->tuning.value();
  const std::string text = tuning.asked(request).text();
  return text.empty() ? tuning.automatic_in_words : text;
}

void check_tuning(const SelectionRequest& request) {
  named_tunings(request);
  const auto exponents = request.flattening.read(exponent_rule);
  require(request.learner->tunes_exponent() || exponents.size() <= 1,
          "only iwls chooses among several exponents; give {} one `flattening`", request.learner);
  if (request.learner->check) request.learner->check(request);
}

namespace {

/// A request for one kernel, or one basis on one subset of the columns.
struct OnOne {
  std::string name;
  SelectionRequest request;
};

std::vector<OnOne> on_each_kernel(const SelectionRequest& request) {
  std::vector<OnOne> out;
  for (const KernelChoice& kernel : request.kernel.alternatives()) {
    out.push_back({kernel.name(), request});
    out.back().request.kernel = kernel;
  }
  return out;
}

std::vector<OnOne> on_each_basis(const SelectionRequest& request) {
  std::vector<OnOne> out;
  for (const BasisChoice& basis : request.basis.alternatives()) {
    out.push_back({basis.name(), request});
    out.back().request.basis = basis;
  }
  return out;
}

/// A basis and a subset of the columns are named together.
std::vector<OnOne> on_each_subset(const TrainingData& data, const SelectionRequest& request) {
  auto bases = on_each_basis(request);
  if (bases.empty()) bases.push_back({"", request});
  std::vector<OnOne> out;
  for (const OnOne& basis : bases) {
    for (const ColumnSubset& subset : column_subsets(data, request)) {
      out.push_back({basis.name.empty() ? subset.name : fmt::format("{} of {}", basis.name, subset.name),
                     basis.request});
      out.back().request.basis = basis.request.basis.on(subset.features);
      out.back().request.subsets = {};
    }
  }
  return out;
}

/// The requests that one with several kernels, bases or subsets of the columns stands for.
std::vector<OnOne> one_by_one(const TrainingData& data, const SelectionRequest& request) {
  if (uses_kernel(request)) return on_each_kernel(request);
  return request.subsets.empty() ? on_each_basis(request) : on_each_subset(data, request);
}

/// The candidates on one kernel, or one basis on one subset of the columns.
std::vector<Candidate> candidates_on_one(const TrainingData& data, const SelectionRequest& request,
                                         const Metric& metric, const Progress& progress) {
  const LearnerEntry& entry = *request.learner;
  const std::vector<double> fixed_grid = named_lambdas(request);
  std::vector<double> widths = requested_widths(request, data);
  require(widths.size() <= 1 || data.y.cols() == 1,
          "several widths and several targets cannot be chosen together; run one target at a time");
  if (entry.tuning && data.y.cols() > 1)
    fail("{} tunes its {} for one target; run one target at a time", request.learner, entry.tuning->name);
  if (widths.empty()) widths = {undefined};
  std::vector<double> tunings = named_tunings(request);
  if (entry.tuning && tunings.empty())
    tunings = entry.tuning->automatic(
        {data, make_representation(request, widths.front(), data.x), request.intercept});
  if (tunings.empty()) tunings = {undefined};

  const bool shifted = data.importance.size() > 0;
  require(shifted || entry.row_weights != RowWeights::density_ratios,
          "{} needs importance weights: `importance`, or a column of density ratios", request.learner);
  if (!shifted && !request.flattening.automatic())
    fail("`flattening` {} needs importance weights: `importance`", request.flattening.text());
  if (shifted && !entry.takes_importance(request.penalty)) refuse_importance(request);
  const bool smooths = entry.linear() && !shifted;
  const Needs needs = needs_of(data, request, metric);
  // The data outlive the learners, so the inputs are shared without owning them.
  const std::shared_ptr<const Matrix> inputs(std::shared_ptr<void>(), &data.x);
  const auto blocks = data.blocks ? data.blocks : std::make_shared<const RowBlocks>(inputs);
  const std::shared_ptr<const Matrix> design = smooths ? nullptr : shared_design(request, inputs);
  const auto held_out = held_out_moments(data, request, needs, design.get(), metric, tunings);
  const auto judged_at = held_out && pairs_fits(request, metric)
                             ? std::make_shared<const PointMoments>(PointMoments{
                                   &metric.points, moments_at(metric.points, request.basis.fit(data.x))})
                             : nullptr;
  const Matrix first_row = data.blocks ? data.blocks->block(0, 1) : Matrix();
  std::vector<Candidate> candidates;
  for (const double width : widths) {
    for (const double tuning : tunings) {
      progress("preparing",
               static_cast<double>(candidates.size()) / static_cast<double>(widths.size() * tunings.size()));
      Candidate candidate{width, tuning, nullptr, fixed_grid};
      const Representation representation =
          make_representation(request, width, data.blocks ? first_row : data.x);
      if (smooths) {
        auto smoother =
            std::make_unique<Smoother>(blocks, data.y, data.weight,
                                       SmootherOptions{.representation = representation,
                                                       .filter = entry.filter(request.penalty).filter,
                                                       .intercept = request.intercept,
                                                       .strategy = request.strategy,
                                                       .needs = needs},
                                       progress);
        if (fixed_grid.empty()) candidate.lambdas = automatic_grid(*smoother);
        candidate.learner = std::move(smoother);
      } else {
        const Matrix some = some_inputs(representation, data.x);
        PathLearnerOptions options{
            .representation = representation,
            .solver = entry.linear()
                          ? entry.filter(request.penalty).weighted
                          : entry.solver({request, some.size() ? some : data.x, tuning, data.weight}),
            .intercept = request.intercept,
            .divergence = request.divergence,
            .probes = request.probes,
            .seed = request.seed,
            .folds = needs.folds,
            .held_out = held_out,
            .judged_at = judged_at,
            .features = design};
        Vector weight;
        if (held_out) {
          options.flattening = exponent_of(request, tuning);
        } else {
          options.importance = data.importance;
          weight = shifted ? flattened(data.importance, exponent_of(request, tuning)) : data.weight;
        }
        auto learner = std::make_unique<PathLearner>(inputs, data.y, weight, std::move(options));
        if (fixed_grid.empty())
          candidate.lambdas =
              entry.automatic_lambdas.empty() ? learner->automatic_grid() : entry.automatic_lambdas;
        candidate.learner = std::move(learner);
      }
      candidates.push_back(std::move(candidate));
    }
  }
  return candidates;
}

}  // namespace

std::string varying_representation(const SelectionRequest& request) {
  if (uses_kernel(request)) return request.kernel.alternatives().empty() ? "" : "kernel";
  const bool bases = !request.basis.alternatives().empty();
  if (request.subsets.empty()) return bases ? "basis" : "";
  return bases ? "model" : "columns";
}

SelectionRequest on_representation(const TrainingData& data, const SelectionRequest& request,
                                   const std::string& name) {
  for (OnOne& each : one_by_one(data, request)) {
    if (each.name == name) return std::move(each.request);
  }
  return request;
}

std::vector<Candidate> make_candidates(const TrainingData& data, const SelectionRequest& request,
                                       const Metric& metric, const Progress& progress) {
  if (!several_representations(request)) return candidates_on_one(data, request, metric, progress);
  require(data.y.cols() == 1,
          "several {} and several targets cannot be chosen together; run one target at a time",
          uses_kernel(request)      ? "kernels"
          : request.subsets.empty() ? "bases"
                                    : "subsets of columns");
  std::vector<Candidate> all;
  const auto each = one_by_one(data, request);
  for (std::size_t i = 0; i < each.size(); ++i) {
    const Progress part{[&](std::string_view what, double share) {
      progress(what, (static_cast<double>(i) + share) / static_cast<double>(each.size()));
      return true;
    }};
    for (Candidate& candidate : candidates_on_one(data, each[i].request, metric, part)) {
      candidate.representation = each[i].name;
      all.push_back(std::move(candidate));
    }
  }
  return all;
}

}  // namespace gnomon
