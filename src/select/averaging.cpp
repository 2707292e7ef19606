#include "averaging.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "automatic_width.hpp"
#include "core/text.hpp"
#include "criteria_list.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/criteria/judge.hpp"
#include "make_tunable.hpp"

namespace gnomon {
namespace {

constexpr double averaging_scale = 4;  // of −2 log likelihoods: temperature 2
constexpr double negligible = 1e-6;    // of the sum of the weights

bool averages(const SelectionRequest& request) { return request.combine == Combine::average; }

bool blends(const Criterion& criterion) { return std::holds_alternative<Blend>(criterion.formula); }

/// Whether the criterion that chooses is a blend; `auto` and `all` take the learner's own.
bool chooses_by_blend(const SelectionRequest& request) {
  if (request.criteria.empty()) return blends(request.own_criteria.front());
  const std::string& first = request.criteria.front();
  const bool named = criterion_word(first) == CriterionWord::one;
  return blends(find_criterion(named ? first : request.learner->recommended.path.criterion).criterion);
}

/// Where every path begins among the points, and where the last one ends.
std::vector<Index> ends_of(const std::vector<TargetPath>& paths) {
  std::vector<Index> ends{0};
  for (const TargetPath& path : paths)
    ends.push_back(ends.back() + static_cast<Index>(path.lambdas().size()));
  return ends;
}

/// The fits of one path that have a weight.
struct WeightedPath {
  const TargetPath* path;
  std::vector<double> lambda, weight, value, df;
};

/// In the order of the paths, or of their widths where these tell them apart.
std::vector<WeightedPath> weighted_paths(const AveragedFits& fits) {
  std::vector<WeightedPath> out;
  const auto ends = ends_of(fits.paths);
  for (std::size_t i = 0; i < fits.paths.size(); ++i) {
    WeightedPath own{&fits.paths[i], {}, {}, {}, {}};
    for (Index at = ends[i]; at < ends[i + 1]; ++at) {
      if (!(fits.weight[at] > 0)) continue;
      const auto k = static_cast<std::size_t>(at - ends[i]);
      own.lambda.push_back(own.path->lambdas()[k]);
      own.weight.push_back(fits.weight[at]);
      own.value.push_back(fits.value[at]);
      own.df.push_back(own.path->counts[k].df);
    }
    if (!own.lambda.empty()) out.push_back(std::move(own));
  }
  if (fits.paths.front().candidate->representation.empty())
    std::stable_sort(out.begin(), out.end(), [](const WeightedPath& a, const WeightedPath& b) {
      return a.path->candidate->width < b.path->candidate->width;
    });
  return out;
}

}  // namespace

void check_averaging(const SelectionRequest& request) {
  if (!averages(request)) return;
  if (is_tuned(request))
    throw UsageError(
        "`combine` average belongs to a path of one lambda, not to a search over several parameters");
  if (!request.learner->takes("combine"))
    throw UsageError(
        fmt::format("`combine` average is for learners with blend along their path, such as ridge and "
                    "kernel-ridge, not for {}",
                    request.learner));
  if (!chooses_by_blend(request))
    throw UsageError(
        "`combine` average takes its weights from blend; let `criteria` begin with auto or blend");
  if (request.rule != Rule::minimum)
    throw UsageError(
        fmt::format("`combine` average and `rule` {} cannot go together: an average takes no single point",
                    name_of(Rule(request.rule))));
  if (!request.subsets.empty())
    throw UsageError(
        "`combine` average is over λ, widths and bases, not over `subsets` of the columns; leave one of them "
        "out");
  const auto lambdas = named_lambdas(request);
  require(lambdas.empty() || lambdas.front() > 0,
          "`combine` average needs positive `lambda`: blend is not defined at 0");
}

void check_averaging(const SelectionRequest& request, const TrainingData& data) {
  if (!averages(request)) return;
  require(data.y.cols() == 1, "`combine` average is for one target; run one target at a time");
  require(data.importance.size() == 0,
          "`combine` average is not for importance weights; leave one of them out");
  require(data.dependence == 0 && !request.series,
          "`combine` average is not for time series, whose rows depend on each other; leave it out");
  require(data.groups.empty(),
          "`combine` average leaves out one row at a time, not groups or given folds; leave it out");
}

Vector averaging_weights(const Vector& value) {
  double least = HUGE_VAL;
  for (const double v : value)
    if (std::isfinite(v)) least = std::min(least, v);
  Vector weight(value.size());
  for (Index k = 0; k < value.size(); ++k)
    weight[k] = std::isfinite(value[k]) ? std::exp((least - value[k]) / averaging_scale) : 0;
  std::vector<Index> order(static_cast<std::size_t>(value.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return weight[a] < weight[b]; });
  double dropped = 0;
  const double most = negligible * weight.sum();
  for (const Index k : order) {
    dropped += weight[k];
    if (!(dropped < most)) break;
    weight[k] = 0;
  }
  const double sum = weight.sum();
  return sum > 0 ? Vector(weight / sum) : weight;
}

std::vector<double> widths_to_average(const WidthSearch& search) {
  // No path has more points that count, so that a width whose best one is this far off adds up to nothing.
  constexpr double most_points = 100;
  const double furthest = averaging_scale * std::log(most_points / negligible);
  double least = HUGE_VAL;
  for (const double value : search.value) least = std::fmin(least, value);
  std::vector<double> widths;
  for (std::size_t i = 0; i < search.width.size(); ++i)
    if (search.width[i] != search.chosen && search.value[i] - least <= furthest)
      widths.push_back(search.width[i]);
  return widths;
}

std::optional<AveragedFits> averaged_fits(const TargetFindings& found, const std::vector<Candidate>& beside,
                                          const WidthSearch* widths) {
  const PathOutcome& chosen = found.laid_out().chosen();
  if (!blends(chosen.criterion)) return std::nullopt;
  AveragedFits out{found.paths, {}, {}};
  for (const Candidate& other : beside)
    out.paths.push_back(
        {&other, other.learner->counts(points_of(other.lambdas), found.target, false, false), nullptr});
  const auto ends = ends_of(out.paths);
  out.value.resize(ends.back());
  for (std::size_t i = 0; i < out.paths.size(); ++i) {
    const TargetPath& path = out.paths[i];
    const Index count = ends[i + 1] - ends[i];
    Vector own =
        i < found.paths.size()
            ? Vector(chosen.curve.value.segment(ends[i], count))
            : judge(path.learner(), chosen.criterion, path.lambdas(), {.target = found.target}).value;
    leave_out_copied_fits(chosen.criterion, found.repeats, path.counts, own);
    for (Index k = 0; k < count; ++k)
      if (!chosen.criterion.may_choose(path.counts[static_cast<std::size_t>(k)].df, path.learner().count()))
        own[k] = undefined;
    out.value.segment(ends[i], count) =
        own.array() + (widths ? prior_of_width(path.candidate->width, *widths) : 0);
  }
  out.weight = averaging_weights(out.value);
  return out;
}

Combined combined_of(const AveragedFits& fits) {
  Combined out;
  for (WeightedPath& own : weighted_paths(fits))
    out.push_back({own.path->candidate->width, own.path->candidate->representation, std::move(own.lambda),
                   std::move(own.weight), std::move(own.value)});
  return out;
}

double df_of(const AveragedFits& fits) {
  double df = 0;
  for (const WeightedPath& own : weighted_paths(fits))
    df += std::inner_product(own.weight.begin(), own.weight.end(), own.df.begin(), 0.0);
  return df;
}

Vector left_out_residuals(const AveragedFits& fits, Index target) {
  Vector out;
  for (const WeightedPath& own : weighted_paths(fits)) {
    const Matrix residual =
        own.path->learner().unseen_residuals(points_of(own.lambda), target, {}, true, {}).residual;
    const Vector part =
        residual * Eigen::Map<const Vector>(own.weight.data(), static_cast<Index>(own.weight.size()));
    out = out.size() ? Vector(out + part) : part;
  }
  return out;
}

Fit average_of(const AveragedFits& fits) {
  std::vector<Fit> parts;
  for (const WeightedPath& own : weighted_paths(fits))
    parts.push_back(own.path->learner().smoother().average(own.lambda, own.weight));
  if (parts.size() == 1) return std::move(parts.front());
  Fit out;
  out.fitted = Matrix::Zero(parts.front().fitted.rows(), 1);
  ModelSum sum;
  for (const Fit& part : parts) {
    sum.terms.push_back(*part.model.linear());
    out.fitted += part.fitted;
  }
  out.model = std::move(sum);
  return out;
}

}  // namespace gnomon
