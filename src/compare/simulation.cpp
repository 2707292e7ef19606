#include "gnomon/compare/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "design.hpp"
#include "found_world.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "noise_families.hpp"
#include "paths.hpp"
#include "select/make_tunable.hpp"
#include "select/path_search.hpp"

namespace gnomon::compare {
namespace {

constexpr Index most_shown_points = 25;
constexpr Index parts = 5;                      // of the rows, one of which is left to judge by
constexpr Index most_rows_of_all_parts = 1500;  // beyond, vectors for all of them take much memory
constexpr std::uint64_t simulated_key = 0x9e3779b97f4a7c15;  // keeps these streams apart from those of folds

/// No refits for folds, rows or replications.
bool is_cheap(const Criterion& c, bool linear) {
  if (c.needs() == Account::held_out) return false;
  if (!linear && (c.needs() == Account::left_out || c.covariance == Criterion::Covariance::bootstrap))
    return false;
  return c.same_as.empty();
}

/// A request whose every number is what the user's own data gave, so that all data sets have one path.
SelectionRequest settled(SelectionRequest request, const std::vector<Candidate>& candidates) {
  std::vector<double> widths, tunings;
  for (const Candidate& c : candidates) {
    if (std::isfinite(c.width)) widths.push_back(c.width);
    if (std::isfinite(c.tuning)) tunings.push_back(c.tuning);
  }
  if (!widths.empty()) request.width = widths;
  if (const auto& tuning = request.learner->tuning; tuning && !tunings.empty())
    (tuning->values ? request.*(tuning->values) : request.tuning) = tunings;
  return request;
}

}  // namespace

struct Simulation::Parts {
  TrainingData data;
  SelectionRequest request;
  Metric metric;
  std::vector<Candidate> candidates;
  std::vector<AskedCriterion> asked;
  std::vector<std::string> labels, dropped;
  World world;
  std::size_t base = 0;  // the candidate that the fit comes from
  std::vector<Index> shown;
  std::vector<double> shown_lambdas;
  std::vector<std::unique_ptr<Design>> designs;

  bool linear() const { return candidates.front().learner->linear() != nullptr; }

  void choose_criteria(bool every_cheap) {
    std::string reason;
    SelectionRequest asking = request;
    if (every_cheap) asking.criteria = {"all"};
    const Learner& learner = *candidates.front().learner;
    asked = asked_criteria(asking, learner, metric, comparison_of(candidates, request), reason);
    if (every_cheap) {
      // The default of a learner that is not linear in y is compared whatever it costs.
      const std::string first = linear() ? "" : asked.front().request.label;
      std::erase_if(asked, [&](const AskedCriterion& c) {
        const bool drop = c.request.label != first && !is_cheap(c.criterion(), linear());
        if (drop && c.criterion().same_as.empty()) dropped.push_back(c.request.label);
        return drop;
      });
    }
    require(!asked.empty(), "no criterion is left to compare; name some with `criteria`");
    for (const auto& c : asked) labels.push_back(c.request.label);
  }

  void find_world(const Progress& progress) {
    std::string reason;
    SelectionRequest by_default = request;
    by_default.criteria = {"auto"};
    const auto criteria = asked_criteria(by_default, *candidates.front().learner, metric,
                                         comparison_of(candidates, request), reason);
    const TargetFindings found = find_for_target(data, by_default, metric, candidates, criteria, 0, progress);
    world = world_of(found, data.y.col(0));
    base = found.chosen;
    const auto& path = candidates[base].lambdas;
    const auto count = static_cast<Index>(path.size());
    const Index points = std::min(count, most_shown_points);
    for (Index k = 0; k < points; ++k) {
      shown.push_back(points == 1 ? 0 : k * (count - 1) / (points - 1));
      shown_lambdas.push_back(path[static_cast<std::size_t>(shown.back())]);
    }
  }

  /// One per fifth of the rows.
  void make_designs(const Progress& progress) {
    const Index n = data.x.rows();
    const auto order = Random(request.seed ^ simulated_key, ~std::uint64_t{0}).permutation(n);
    const Index count = n <= most_rows_of_all_parts ? parts : 2;
    for (Index d = 0; d < count; ++d) {
      progress("preparing the design", static_cast<double>(d) / static_cast<double>(count));
      const auto first = order.begin() + d * n / parts, last = order.begin() + (d + 1) * n / parts;
      designs.push_back(std::make_unique<Design>(data, std::vector<Index>(first, last), request, metric,
                                                 candidates, world, progress));
    }
  }

  /// Combinations go round fastest, so that each of them meets every design.
  const Design& design(Index index) const {
    const auto round = static_cast<std::size_t>(index) / (world.truths.size() * noise_families().size());
    return *designs[round % designs.size()];
  }

  /// What criterion c estimates at point k, in what it is an estimate of; NaN where it estimates no error. The constant that the
  /// family of SIC leaves out is known here for learners that are linear in y.
  double wanted(std::size_t c, Index k, const PathErrors& errors, double left_out_constant) const {
    const Criterion& criterion = asked[c].criterion();
    const Target& target = criterion.target;
    const bool other_loss = criterion.own_loss && std::isfinite(candidates.front().learner->loss_turn());
    if (other_loss || criterion.kind(metric) != ErrorKind::prediction) return undefined;
    const double noise = target.noise == Target::Noise::included ? world.sigma2 : 0;
    if (target.where == Target::Where::at_training_inputs) return errors.at_training[k] + noise;
    if (target.where == Target::Where::like_training) return errors.at_new[k] + noise;
    const bool known = linear() && target.less_a_constant && metric.kind == Metric::Kind::train;
    return known ? errors.at_training[k] + noise - left_out_constant : undefined;
  }

  SelectionRequest request_of(Index index) const {
    SelectionRequest own = request;
    own.seed = Random(request.seed ^ simulated_key, static_cast<std::uint64_t>(index) << 1 | 1).bits();
    return own;
  }
};

Simulation::Simulation(TrainingData data, SelectionRequest request, const Progress& progress)
    : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  const BlasThreads one(
      1);  // the truths, and so all data sets, are the same bits whatever the number of threads
  check_request(request);
  require(!is_tuned(request),
          "compare goes along paths of one lambda; {} searches over several parameters at once",
          request.learner);
  require(data.y.cols() == 1, "compare takes one target at a time, not {}", data.y.cols());
  require(data.weight.size() == 0 && data.importance.size() == 0, "compare takes no row weights yet");
  require(data.x.rows() >= 5, "compare needs at least 5 rows; there are {}", data.x.rows());
  const bool every_cheap =
      request.criteria == std::vector<std::string>{"auto"} && request.own_criteria.empty();
  request.search = Search::grid;
  request.keep_spectrum = false;
  request.further_targets = true;
  p.data = std::move(data);
  p.metric = metric_of(request, p.data);
  p.request = request;
  SelectionRequest preparing =
      request;  // for what criteria are asked for, and for the default that finds the truth
  if (!every_cheap) preparing.criteria.emplace_back("auto");
  p.candidates = make_candidates(p.data, preparing, p.metric, progress);
  p.request = settled(std::move(request), p.candidates);
  p.choose_criteria(every_cheap);
  p.request.criteria = p.labels;
  p.find_world(progress);
  p.make_designs(progress);
}

Simulation::~Simulation() = default;

const World& Simulation::world() const { return parts_->world; }
const std::vector<std::string>& Simulation::criteria() const { return parts_->labels; }
const std::vector<std::string>& Simulation::left_out() const { return parts_->dropped; }
const std::vector<double>& Simulation::shown_lambdas() const { return parts_->shown_lambdas; }

Index Simulation::combinations() const {
  return static_cast<Index>(parts_->world.truths.size() * noise_families().size());
}

namespace {

std::size_t truth_of(const World& world, Index index) {
  return static_cast<std::size_t>(index) % world.truths.size();
}
const NoiseFamily& noise_of(const World& world, Index index) {
  return noise_families()[static_cast<std::size_t>(index) / world.truths.size() % noise_families().size()];
}

}  // namespace

std::string Simulation::truth_name(Index index) const {
  return parts_->world.truths[truth_of(parts_->world, index)].name;
}
std::string Simulation::noise_name(Index index) const {
  return std::string(noise_of(parts_->world, index).name);
}

Vector Simulation::targets(Index index) const {
  const Vector& truth = parts_->world.truths[truth_of(parts_->world, index)].values;
  Random random(parts_->request.seed ^ simulated_key, static_cast<std::uint64_t>(index) << 1);
  return truth + noise_of(parts_->world, index).draw(parts_->world, truth, random);
}

Trial Simulation::trial(Index index) const {
  const Parts& p = *parts_;
  const std::size_t which = truth_of(p.world, index);
  const Vector& truth = p.world.truths[which].values;
  const Design& design = p.design(index);
  const TrainingData own = design.data_with(targets(index), truth);
  const SelectionRequest asking = p.request_of(index);
  const auto candidates = design.candidates_on(own, asking, p.metric);
  const JudgedPaths judged = judge_paths(own, asking, p.metric, candidates, p.asked);
  const PathErrors errors = design.errors(candidates, own, truth, which);
  const double constant = design.left_out_constant(own, truth);
  const auto wanted = [&](std::size_t c, Index k) { return p.wanted(c, k, errors, constant); };
  Trial trial = trial_of(judged, errors.at_new, p.base, wanted);
  const auto points = static_cast<Index>(p.shown.size());
  trial.curves = Matrix::Constant(points, 1 + static_cast<Index>(p.asked.size()), undefined);
  for (Index k = 0; k < points; ++k) {
    const Index at = judged.first[p.base] + p.shown[static_cast<std::size_t>(k)];
    trial.curves(k, 0) = errors.at_new[at];
    for (std::size_t c = 0; c < p.asked.size(); ++c) {
      if (const Vector& estimate = judged.criteria[c].estimate; estimate.size())
        trial.curves(k, 1 + static_cast<Index>(c)) = errors.at_new[at] + estimate[at] - wanted(c, at);
    }
  }
  return trial;
}

const std::vector<Index>& Simulation::test_rows(Index index) const {
  return parts_->design(index).test_rows();
}

PathErrors Simulation::true_errors(Index index) const {
  const Parts& p = *parts_;
  const std::size_t which = truth_of(p.world, index);
  const Vector& truth = p.world.truths[which].values;
  const TrainingData own = p.design(index).data_with(targets(index), truth);
  return p.design(index).errors(p.design(index).candidates_on(own, p.request, p.metric), own, truth, which);
}

std::vector<double> Simulation::lambdas() const {
  std::vector<double> all;
  for (const Candidate& c : parts_->candidates) all.insert(all.end(), c.lambdas.begin(), c.lambdas.end());
  return all;
}

Vector Simulation::seconds() const {
  const Parts& p = *parts_;
  const Design& design = p.design(0);
  const TrainingData own = design.data_with(targets(0), p.world.truths.front().values);
  Vector seconds(static_cast<Index>(p.asked.size()));
  for (std::size_t c = 0; c < p.asked.size(); ++c) {
    const auto candidates = design.candidates_on(own, p.request, p.metric);
    const auto start = std::chrono::steady_clock::now();
    judge_paths(own, p.request, p.metric, candidates, {p.asked[c]});
    seconds[static_cast<Index>(c)] =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return seconds;
}

}  // namespace gnomon::compare
