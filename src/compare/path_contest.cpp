#include <algorithm>

#include "contest.hpp"
#include "design.hpp"
#include "found_world.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon::compare {
namespace {

constexpr Index most_shown_points = 25;

/// A request whose every number is what the user's own data gave, so that all data sets have one path.
SelectionRequest settled(SelectionRequest request, const std::vector<Candidate>& candidates) {
  std::vector<double> widths, tunings;
  for (const Candidate& c : candidates) {
    if (std::isfinite(c.width)) widths.push_back(c.width);
    if (std::isfinite(c.tuning)) tunings.push_back(c.tuning);
  }
  const auto once = [](std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  };
  once(widths);
  once(tunings);
  if (!widths.empty()) request.width = widths;
  if (const auto& tuning = request.learner->tuning; tuning && !tunings.empty())
    (tuning->values ? request.*(tuning->values) : request.tuning) = tunings;
  return request;
}

class PathContest final : public Contest {
 public:
  PathContest(TrainingData data, SelectionRequest request, const Progress& progress)
      : Contest(std::move(data), std::move(request)) {
    request_.search = Search::grid;
    request_.keep_spectrum = false;
    request_.further_targets = true;
    metric_ = metric_of(request_, data_);
    SelectionRequest preparing =
        request_;  // for the criteria asked for, and the default that finds the truth
    if (!compares_every_cheap()) preparing.criteria.emplace_back("auto");
    candidates_ = make_candidates(data_, preparing, metric_, progress);
    request_ = settled(std::move(request_), candidates_);
    choose_criteria(*candidates_.front().learner, comparison_of(candidates_, request_));
    find_world(progress);
    request_.criteria = labels_;
    stages_ = make_stages(data_, request_, world_);
    for (std::size_t d = 0; d < stages_.size(); ++d) {
      progress("preparing the design", static_cast<double>(d) / static_cast<double>(stages_.size()));
      designs_.push_back(std::make_unique<Design>(stages_[d], request_, candidates_, progress));
    }
  }

  bool searches() const override { return false; }

  Trial trial(std::size_t stage, const Vector& y, std::size_t which,
              const SelectionRequest& asking) const override {
    const Design& design = *designs_[stage];
    const TrainingData own = stages_[stage].with_targets(y);
    const auto candidates = design.candidates_on(own, asking);
    const JudgedPaths judged = judge_paths(own, asking, stages_[stage].metric, candidates, asked_);
    const PathErrors errors = design.errors(candidates, own, which);
    const double constant = linear() ? design.left_out_constant(own, which) : undefined;
    const auto wanted_at = [&](std::size_t c, Index k) {
      return wanted(c, errors.at_new[k], errors.at_training[k], constant);
    };
    Trial trial = trial_of(judged, errors.at_new, base_, wanted_at);
    const auto points = static_cast<Index>(shown_.size());
    trial.curves = Matrix::Constant(points, 1 + static_cast<Index>(asked_.size()), undefined);
    for (Index k = 0; k < points; ++k) {
      const Index at = judged.first[base_] + shown_[static_cast<std::size_t>(k)];
      trial.curves(k, 0) = errors.at_new[at];
      for (std::size_t c = 0; c < asked_.size(); ++c) {
        if (const Vector& estimate = judged.criteria[c].estimate; estimate.size())
          trial.curves(k, 1 + static_cast<Index>(c)) = errors.at_new[at] + estimate[at] - wanted_at(c, at);
      }
    }
    return trial;
  }

  void choose_by(std::size_t criterion, std::size_t stage, const Vector& y) const override {
    const TrainingData own = stages_[stage].with_targets(y);
    judge_paths(own, request_, stages_[stage].metric, designs_[stage]->candidates_on(own, request_),
                {asked_[criterion]});
  }

  PathErrors true_errors(std::size_t stage, const Vector& y, std::size_t which) const override {
    const TrainingData own = stages_[stage].with_targets(y);
    return designs_[stage]->errors(designs_[stage]->candidates_on(own, request_), own, which);
  }

  std::vector<double> lambdas() const override {
    std::vector<double> all;
    for (const Candidate& c : candidates_) all.insert(all.end(), c.lambdas.begin(), c.lambdas.end());
    return all;
  }

 private:
  bool linear() const { return candidates_.front().learner->linear() != nullptr; }

  void find_world(const Progress& progress) {
    std::string reason;
    SelectionRequest by_default = request_;
    by_default.criteria = {"auto"};
    const auto criteria = asked_criteria(by_default, *candidates_.front().learner, metric_,
                                         comparison_of(candidates_, request_), reason);
    const TargetFindings found =
        find_for_target(data_, by_default, metric_, candidates_, criteria, 0, progress);
    world_ = world_of_path(found, data_);
    base_ = found.chosen;
    const auto& path = candidates_[base_].lambdas;
    const auto count = static_cast<Index>(path.size());
    const Index points = std::min(count, most_shown_points);
    for (Index k = 0; k < points; ++k) {
      shown_.push_back(points == 1 ? 0 : k * (count - 1) / (points - 1));
      shown_lambdas_.push_back(path[static_cast<std::size_t>(shown_.back())]);
    }
  }

  std::vector<Candidate> candidates_;  // on all of the user's data
  std::size_t base_ = 0;               // the one that the fit comes from
  std::vector<Index> shown_;           // places on its path
  std::vector<std::unique_ptr<const Design>> designs_;
};

}  // namespace

std::unique_ptr<const Contest> contest_of_paths(TrainingData data, SelectionRequest request,
                                                const Progress& progress) {
  return std::make_unique<PathContest>(std::move(data), std::move(request), progress);
}

}  // namespace gnomon::compare
