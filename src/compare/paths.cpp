#include "paths.hpp"

#include <cmath>

#include "gnomon/core/error.hpp"
#include "select/path_search.hpp"

namespace gnomon::compare {
namespace {

bool same_setting(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

std::size_t candidate_of(const PathOutcome& outcome, const std::vector<Candidate>& candidates) {
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (same_setting(candidates[i].width, outcome.width) &&
        same_setting(candidates[i].tuning, outcome.tuning) &&
        candidates[i].representation == outcome.representation)
      return i;
  }
  fail("a criterion chose a candidate that is not there");
}

JudgedPaths laid_out(const std::vector<Candidate>& candidates, std::size_t criteria) {
  JudgedPaths judged;
  for (const Candidate& candidate : candidates) {
    judged.first.push_back(judged.points);
    judged.points += static_cast<Index>(candidate.lambdas.size());
  }
  judged.criteria.resize(criteria);
  return judged;
}

}  // namespace

JudgedPaths judge_paths(const TrainingData& data, const SelectionRequest& request, const Metric& metric,
                        const std::vector<Candidate>& candidates,
                        const std::vector<AskedCriterion>& criteria) {
  JudgedPaths judged = laid_out(candidates, criteria.size());
  // The first criterion of a list must be defined; where it is not, the rest goes on without it.
  for (std::size_t from = 0; from < criteria.size(); ++from) {
    try {
      const std::vector<AskedCriterion> rest(criteria.begin() + static_cast<Index>(from), criteria.end());
      const TargetFindings found = find_for_target(data, request, metric, candidates, rest, 0, {});
      for (std::size_t c = 0; c < rest.size(); ++c) {
        const PathOutcome& outcome = found.result.path()->criteria[c];
        JudgedPaths::Judgement& own = judged.criteria[from + c];
        own.estimate = outcome.curve.value;
        own.kind = outcome.kind;
        if (!outcome.selected) continue;
        const std::size_t at = candidate_of(outcome, candidates);
        own.point = judged.first[at] + outcome.grid_index;
        own.lambda = candidates[at].lambdas[static_cast<std::size_t>(outcome.grid_index)];
      }
      return judged;
    } catch (const Error&) {  // undefined along the whole path: it chooses nothing here
    }
  }
  return judged;
}

PathFits fits_along(const Candidate& candidate, const Matrix& inputs) {
  const auto count = static_cast<Index>(candidate.lambdas.size());
  PathFits out{Matrix(candidate.learner->rows(), count), Matrix(inputs.rows(), count)};
  if (const PathLearner* learner = candidate.learner->solved()) {
    const Matrix features = learner->features_at(inputs);
    const auto& fits = learner->path(candidate.lambdas, 0);
    for (Index k = 0; k < count; ++k) {
      const PathFit& fit = fits[static_cast<std::size_t>(k)];
      out.fitted.col(k) = learner->fitted(fit);
      out.predicted.col(k) = ((features * fit.coefficients).array() + fit.offset).matrix();
    }
    return out;
  }
  for (Index k = 0; k < count; ++k) {
    const Fit fit =
        candidate.learner->fit_at(points_of({&candidate.lambdas[static_cast<std::size_t>(k)], 1}));
    out.fitted.col(k) = fit.fitted.col(0);
    out.predicted.col(k) = fit.model.predict(inputs).col(0);
  }
  return out;
}

Comparison comparison_of(const std::vector<Candidate>& candidates, const SelectionRequest& request) {
  const Candidate &first = candidates.front(), &last = candidates.back();
  const bool kernels = uses_kernel(request) && request.kernel.takes_width();
  return {.several_kernels = (kernels && last.width != first.width) ||
                             (uses_kernel(request) && several_representations(request)),
          .several_losses = std::isfinite(first.learner->loss_turn()) && last.tuning != first.tuning};
}

Trial trial_of(const JudgedPaths& judged, const Vector& error, std::size_t base,
               const std::function<double(std::size_t, Index)>& wanted) {
  Trial trial;
  trial.least = HUGE_VAL;
  for (const double e : error) {
    if (e < trial.least) trial.least = e;
  }
  trial.unregularized = error[judged.first[base]];
  for (std::size_t c = 0; c < judged.criteria.size(); ++c) {
    const auto& own = judged.criteria[c];
    Choice choice;
    if (own.point) choice = {error[*own.point], own.lambda, own.estimate[*own.point] - wanted(c, *own.point)};
    trial.choices.push_back(choice);
  }
  return trial;
}

}  // namespace gnomon::compare
