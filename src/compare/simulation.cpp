#include "gnomon/compare/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "decompose/decomposition.hpp"
#include "found_world.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "paths.hpp"
#include "select/make_tunable.hpp"
#include "select/path_search.hpp"
#include "true_errors.hpp"

namespace gnomon::compare {
namespace {

constexpr Index most_shown_points = 25;
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
  std::vector<SpectralTruths> spectral;  // of every candidate; empty where there are no coordinates

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

  void find_coordinates() {
    Matrix truths(data.x.rows(), static_cast<Index>(world.truths.size()));
    for (Index t = 0; t < truths.cols(); ++t)
      truths.col(t) = world.truths[static_cast<std::size_t>(t)].values;
    for (const Candidate& c : candidates) {
      const Smoother* smoother = c.learner->linear();
      if (!smoother || !smoother->decomposition().coordinates()) return spectral.clear();
      const auto own = smoother->with_targets(truths);
      spectral.push_back({*own->decomposition().coordinates(), own->spectrum().outside});
    }
  }

  /// The candidates on other targets. `own` must outlive them.
  std::vector<Candidate> on(const TrainingData& own, const SelectionRequest& asking) const {
    std::vector<Candidate> out;
    if (linear()) {
      for (const Candidate& c : candidates)
        out.push_back({c.width, c.tuning, c.learner->linear()->with_targets(own.y), c.lambdas});
      return out;
    }
    out = make_candidates(own, asking, metric, {});
    require(out.size() == candidates.size(), "the candidates of a data set are not those of the user's data");
    for (std::size_t i = 0; i < out.size(); ++i) out[i].lambdas = candidates[i].lambdas;
    return out;
  }

  Vector errors_of(const std::vector<Candidate>& own, const Vector& y, std::size_t truth) const {
    const Vector& values = world.truths[truth].values;
    const double constant = intercept_part(y, values);
    std::vector<double> all;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const Vector errors = spectral.empty() ? fitted_errors(*own[i].learner, own[i].lambdas, values)
                                             : spectral_errors(*own[i].learner->linear(), own[i].lambdas,
                                                               spectral[i], truth, constant);
      all.insert(all.end(), errors.begin(), errors.end());
    }
    return Eigen::Map<Vector>(all.data(), static_cast<Index>(all.size()));
  }

  /// What the true error needs to become what the criterion estimates; NaN where it estimates no error. The constant that SIC
  /// leaves out is known here: of a learner that is linear in y, at its inputs, ‖f‖² less the part of the constant, which the
  /// intercept fits without penalty.
  double offset(std::size_t c, const Vector& y, std::size_t truth) const {
    const Criterion& criterion = asked[c].criterion();
    const Target& target = criterion.target;
    const bool other_loss = criterion.own_loss && std::isfinite(candidates.front().learner->loss_turn());
    if (other_loss || criterion.kind(metric) != ErrorKind::prediction) return undefined;
    const double noise = target.noise == Target::Noise::included ? world.sigma2 : 0;
    if (!target.less_a_constant) return noise;
    if (!linear() || metric.kind != Metric::Kind::train) return undefined;
    const Vector& f = world.truths[truth].values;
    const double n = static_cast<double>(f.size()), mean = request.intercept ? f.mean() : 0;
    return noise - ((f.array() - mean).square().sum() + intercept_part(y, f)) / n;
  }

  /// n (mean y − mean truth)², the error of the intercept.
  double intercept_part(const Vector& y, const Vector& f) const {
    return request.intercept ? std::pow((y - f).sum(), 2) / static_cast<double>(y.size()) : 0;
  }

  TrainingData data_with(const Vector& y, std::size_t truth) const {
    TrainingData own = data;
    own.y = y;
    if (!linear()) {  // then the selector reports the error at these rows
      own.test_x = data.x;
      own.test_y = world.truths[truth].values;
    }
    return own;
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
  p.find_coordinates();
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
  const std::size_t truth = truth_of(p.world, index);
  const Vector y = targets(index);
  const TrainingData own = p.data_with(y, truth);
  const SelectionRequest asking = p.request_of(index);
  const auto candidates = p.on(own, asking);
  const JudgedPaths judged = judge_paths(own, asking, p.metric, candidates, p.asked);
  Vector errors = p.linear() ? p.errors_of(candidates, y, truth) : judged.test_error;
  if (errors.size() != judged.points) errors = Vector::Constant(judged.points, undefined);
  Trial trial = trial_of(judged, errors, p.base, [&](std::size_t c) { return p.offset(c, y, truth); });
  const auto points = static_cast<Index>(p.shown.size());
  trial.curves = Matrix::Constant(points, 1 + static_cast<Index>(p.asked.size()), undefined);
  for (Index k = 0; k < points; ++k) {
    const Index at = judged.first[p.base] + p.shown[static_cast<std::size_t>(k)];
    trial.curves(k, 0) = errors[at];
    for (std::size_t c = 0; c < p.asked.size(); ++c) {
      if (const Vector& estimate = judged.criteria[c].estimate; estimate.size())
        trial.curves(k, 1 + static_cast<Index>(c)) = estimate[at] - p.offset(c, y, truth);
    }
  }
  return trial;
}

Vector Simulation::true_errors(const Vector& y, std::size_t truth) const {
  const Parts& p = *parts_;
  const TrainingData own = p.data_with(y, truth);
  return p.errors_of(p.on(own, p.request), y, truth);
}

std::vector<double> Simulation::lambdas() const {
  std::vector<double> all;
  for (const Candidate& c : parts_->candidates) all.insert(all.end(), c.lambdas.begin(), c.lambdas.end());
  return all;
}

Vector Simulation::seconds() const {
  const Parts& p = *parts_;
  const TrainingData own = p.data_with(targets(0), 0);
  Vector seconds(static_cast<Index>(p.asked.size()));
  for (std::size_t c = 0; c < p.asked.size(); ++c) {
    const auto candidates = p.on(own, p.request);
    const auto start = std::chrono::steady_clock::now();
    judge_paths(own, p.request, p.metric, candidates, {p.asked[c]});
    seconds[static_cast<Index>(c)] =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return seconds;
}

}  // namespace gnomon::compare
