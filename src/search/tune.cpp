#include "gnomon/search/tune.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/criteria/criteria.hpp"
#include "mackay.hpp"

namespace gnomon {
namespace {

constexpr std::size_t most_starts = 3;

Vector logs(const Learner& learner, double Parameter::*value) {
  const auto& parameters = learner.parameters();
  Vector out(static_cast<Index>(parameters.size()));
  for (Index i = 0; i < out.size(); ++i) out[i] = std::log(parameters[static_cast<std::size_t>(i)].*value);
  return out;
}

/// A point that must not be chosen has no value.
double usable(const Estimate& e) { return e.overfitted || !std::isfinite(e.value) ? HUGE_VAL : e.value; }

/// All decays together, from weak to strong, with all widths multiplied by one factor.
std::vector<Vector> common_line(const Learner& learner, double width_factor) {
  const Vector unit = logs(learner, &Parameter::unit), lower = logs(learner, &Parameter::lower),
               upper = logs(learner, &Parameter::upper);
  const auto& parameters = learner.parameters();
  const double decade = std::log(10.0);
  const bool one = parameters.size() == 1, slow = learner.iterative();
  const double first = one ? lower[0] - unit[0] : slow ? -4 * decade : -6 * decade;
  const double last = one ? upper[0] - unit[0] : slow ? 0 : 3 * decade;
  const double step = one ? (slow ? decade : decade / 4) : slow ? 2 * decade : decade;
  std::vector<Vector> line;
  for (double shift = first; shift <= last + 1e-9; shift += step) {
    Vector theta = unit;
    for (Index i = 0; i < theta.size(); ++i) {
      const bool decay = parameters[static_cast<std::size_t>(i)].kind == Parameter::Kind::decay;
      theta[i] += decay ? shift : std::log(width_factor);
    }
    line.push_back(theta.cwiseMax(lower).cwiseMin(upper));
  }
  return line;
}

bool has_widths(const Learner& learner) {
  return std::any_of(learner.parameters().begin(), learner.parameters().end(),
                     [](const Parameter& p) { return p.kind == Parameter::Kind::width; });
}

/// Points no higher than their neighbours, the lowest first.
std::vector<std::size_t> local_minima(const std::vector<double>& values) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool left = i == 0 || values[i] <= values[i - 1];
    const bool right = i + 1 == values.size() || values[i] < values[i + 1];
    if (std::isfinite(values[i]) && left && right) places.push_back(i);
  }
  std::stable_sort(places.begin(), places.end(), [&](auto a, auto b) { return values[a] < values[b]; });
  return places;
}

}  // namespace

std::vector<Vector> tuning_starts(const Learner& learner, const GivenCriterion& criterion,
                                  const Progress& progress) {
  const std::vector<double> factors =
      has_widths(learner) ? std::vector<double>{1, 1.0 / 3} : std::vector<double>{1};
  std::vector<Vector> starts, further;
  for (const double factor : factors) {
    const std::vector<Vector> line = common_line(learner, factor);
    std::vector<double> values;
    for (const Vector& theta : line) {
      progress("looking for starts", static_cast<double>(values.size()) / static_cast<double>(line.size()));
      values.push_back(usable(criterion.at(learner, theta.array().exp(), false)));
    }
    const auto minima = local_minima(values);
    for (std::size_t k = 0; k < minima.size(); ++k) (k == 0 ? starts : further).push_back(line[minima[k]]);
  }
  for (const Vector& theta : further) {
    if (starts.size() < most_starts && !learner.iterative()) starts.push_back(theta);
  }
  if (starts.empty())
    fail("{} is undefined for every common size of the parameters; choose another criterion, such as {}",
         criterion.criterion.name, criterion.criterion.needs() == Account::held_out ? "evidence" : "cv");
  return starts;
}

SearchResult tune(const Learner& learner, const GivenCriterion& criterion, const TuneOptions& options,
                  const Progress& progress) {
  std::vector<Vector> starts = options.starts;
  if (starts.empty()) {
    starts = tuning_starts(learner, criterion, progress);
    starts.insert(starts.end(), options.more_starts.begin(), options.more_starts.end());
  }
  SearchOptions search;
  for (const Parameter& p : learner.parameters()) search.names.push_back(p.name);
  search.lower = logs(learner, &Parameter::lower);
  search.upper = logs(learner, &Parameter::upper);
  search.max_evaluations = options.max_evaluations;
  if (learner.iterative()) {  // a trained minimum may jump: no point in polishing
    search.gradient_tolerance = 1e-3, search.value_tolerance = search.plateau_tolerance = 1e-4;
    search.max_evaluations = std::min(search.max_evaluations, 100);
  }
  if (criterion.criterion.target.of != Target::Of::error)
    search.scale = 10;  // a logarithm, whose zero moves with the units of the target
  int done = 0;
  return minimise_log_parameters(
      [&](const Vector& theta) {
        progress(fmt::format("searching by {}", criterion.criterion.name),
                 std::min(0.99, ++done / (50.0 * static_cast<double>(starts.size()))));
        Estimate e = criterion.at(learner, theta.array().exp(), true);
        if (e.overfitted) e.value = undefined;
        return e;
      },
      starts, search);
}

SearchResult tune_by_mackay(const Learner& learner, const TuneOptions& asked, const Progress& progress) {
  const GivenCriterion by_evidence{evidence};
  const Vector start =
      asked.starts.empty() ? tuning_starts(learner, by_evidence, progress).front() : asked.starts.front();
  const double samples = learner.decays(start.array().exp()).samples;
  const auto& parameters = learner.parameters();
  MackayOptions options;
  options.scale.resize(start.size());
  options.lower = 0, options.upper = HUGE_VAL;
  for (Index i = 0; i < start.size(); ++i) {
    const Parameter& p = parameters[static_cast<std::size_t>(i)];
    options.names.push_back(p.name);
    options.scale[i] = p.unit / samples;
    options.lower = std::max(options.lower, p.lower / p.unit);
    options.upper = std::min(options.upper, p.upper / p.unit);
  }
  int done = 0;
  const MackayResult found = mackay(
      [&](const Vector& kappa) {
        progress("MacKay's updates", std::min(0.99, ++done / 100.0));
        return learner.decays(samples * kappa);
      },
      start.array().exp() / samples, options);
  SearchResult result;
  result.parameters = (samples * found.kappa).array().log();
  result.value = by_evidence.at(learner, result.parameters.array().exp(), false).value;
  result.gradient_norm = found.residual * 2;
  result.verdicts = found.verdicts;
  // The parts of the evidence may be in other units than its value: both differ by a constant.
  const double shift = result.value - 2 * found.negative_log_evidence;
  for (const MackayStep& step : found.trace)
    result.trace.push_back(
        {0, (samples * step.kappa).array().log(), 2 * step.negative_log_evidence + shift, undefined});
  result.value_of_start = {result.value};
  result.evaluations = done, result.converged = found.converged, result.status = found.status;
  return result;
}

}  // namespace gnomon
