#include "gnomon/compare/simulation.hpp"

#include <chrono>

#include "contest.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "noise_families.hpp"
#include "select/make_tunable.hpp"

namespace gnomon::compare {
namespace {

constexpr std::uint64_t simulated_key = 0x9e3779b97f4a7c15;  // keeps these streams apart from those of folds

std::size_t truth_of(const World& world, Index index) {
  return static_cast<std::size_t>(index) % world.truths.size();
}
const NoiseFamily& noise_of(const World& world, Index index) {
  return noise_families()[static_cast<std::size_t>(index) / world.truths.size() % noise_families().size()];
}

/// Combinations go round fastest, so that each of them meets every stage.
std::size_t stage_of(const Contest& contest, Index index) {
  const auto round =
      static_cast<std::size_t>(index) / (contest.world().truths.size() * noise_families().size());
  return round % contest.stages().size();
}

SelectionRequest request_of(const Contest& contest, Index index) {
  SelectionRequest own = contest.request();
  own.seed = Random(own.seed ^ simulated_key, static_cast<std::uint64_t>(index) << 1 | 1).bits();
  return own;
}

}  // namespace

Simulation::Simulation(TrainingData data, SelectionRequest request, const Progress& progress) {
  check_request(request);
  require(data.y.cols() == 1, "a simulation takes one target at a time, not {}", data.y.cols());
  require(data.classes.empty(), "classes cannot be simulated: there is no noise to add to them");
  require(data.x.rows() >= 5, "compare needs at least 5 rows; there are {}", data.x.rows());
  const BlasThreads one(1);  // the truths, and so all data sets, are the same bits on any number of threads
  contest_ = is_tuned(request) ? contest_of_searches(std::move(data), std::move(request), progress)
                               : contest_of_paths(std::move(data), std::move(request), progress);
}

Simulation::~Simulation() = default;

const World& Simulation::world() const { return contest_->world(); }
const std::vector<std::string>& Simulation::criteria() const { return contest_->criteria(); }
const std::vector<std::string>& Simulation::left_out() const { return contest_->left_out(); }
const std::vector<double>& Simulation::shown_lambdas() const { return contest_->shown_lambdas(); }
bool Simulation::searches() const { return contest_->searches(); }

Index Simulation::combinations() const {
  return static_cast<Index>(world().truths.size() * noise_families().size());
}

std::string Simulation::truth_name(Index index) const {
  return world().truths[truth_of(world(), index)].name;
}
std::string Simulation::noise_name(Index index) const { return std::string(noise_of(world(), index).name); }

Vector Simulation::targets(Index index) const {
  const Vector& truth = world().truths[truth_of(world(), index)].values;
  Random random(contest_->request().seed ^ simulated_key, static_cast<std::uint64_t>(index) << 1);
  Vector noise = noise_of(world(), index).draw(world(), truth, random);
  if (const Vector& weight = contest_->data().weight; weight.size())
    noise.array() /= weight.array().sqrt();  // a row counted w times stands for the mean of w observations
  return truth + noise;
}

Trial Simulation::trial(Index index) const {
  return contest_->trial(stage_of(*contest_, index), targets(index), truth_of(world(), index),
                         request_of(*contest_, index));
}

const std::vector<Index>& Simulation::test_rows(Index index) const {
  return contest_->stages()[stage_of(*contest_, index)].test;
}

PathErrors Simulation::true_errors(Index index) const {
  return contest_->true_errors(stage_of(*contest_, index), targets(index), truth_of(world(), index));
}

std::vector<double> Simulation::lambdas() const { return contest_->lambdas(); }

Vector Simulation::seconds() const {
  Vector seconds(static_cast<Index>(criteria().size()));
  for (std::size_t c = 0; c < criteria().size(); ++c) {
    const auto start = std::chrono::steady_clock::now();
    contest_->choose_by(c, 0, targets(0));
    seconds[static_cast<Index>(c)] =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return seconds;
}

}  // namespace gnomon::compare
