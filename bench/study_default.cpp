// Which criterion should choose when the user does not say? Simulated data with a known truth: the risk
// (noise-free squared error on fresh inputs) of the fit each criterion chooses, over the least risk on the
// same path.
//
//   study_default [draws]        prints a Markdown table per learner and over all; seeds are fixed.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <mutex>

#include "gnomon/gnomon.hpp"

namespace {

using namespace gnomon;

struct Learner {
  std::string name, learner, penalty, basis;
};

const std::vector<Learner> learners{{"kernel ridge, function penalty", "kernel-ridge", "function", ""},
                                    {"kernel ridge, coefficient penalty", "kernel-ridge", "coefficients", ""},
                                    {"ridge, linear basis", "ridge", "function", "linear"},
                                    {"ridge, polynomial:8 basis", "ridge", "function", "polynomial:8"},
                                    {"spectral cut-off", "spectral-cutoff", "function", ""},
                                    {"Landweber", "landweber", "function", ""}};
const std::vector<std::string> problems{"sinc",   "sinc-pi",   "step",          "doppler",
                                        "linear", "friedman1", "additive-sines"};
const std::vector<Index> sizes{30, 100, 300};
const std::vector<double> noise_to_signal{0.1, 0.5, 1.0};  // standard deviations

struct Record {
  std::vector<double> ratios;
  int edges = 0;
};
using Records = std::map<std::string, Record>;

/// One data set: every criterion's chosen risk over the best on the path.
void run_draw(const Learner& learner, const std::string& problem, Index n, double level, std::uint64_t stream,
              Records& table, std::mutex& lock) {
  Random random(2026, stream), scale_random(77), fresh(4711, stream);
  const Synthetic pilot = make_synthetic(problem, 2000, 0, scale_random);
  const double signal = std::sqrt((pilot.truth.array() - pilot.truth.mean()).square().mean());
  const Synthetic data = make_synthetic(problem, n, level * signal, random),
                  test = make_synthetic(problem, 1000, 0, fresh);
  const Scaling scaling = Scaling::fit(data.x, Vector(), Scale::standard);
  Matrix x = data.x, x_test = test.x;
  scaling.apply(x);
  scaling.apply(x_test);
  SelectionRequest request;
  request.learner = learner.learner;
  request.penalty = learner.penalty;
  if (!learner.basis.empty()) request.basis = learner.basis;
  request.criteria = {"all"};
  request.search = Search::grid;
  const Selection s = select({x, data.y, Vector(), {"y"}}, request);
  const SelectionPath& path = *s.targets[0].path();
  const Smoother smoother(
      x, data.y, Vector(),
      {.representation = s.model.linear()->representation, .filter = s.filter, .strategy = Strategy::full});
  Vector risk(static_cast<Index>(path.lambda.size()));
  for (Index k = 0; k < risk.size(); ++k) {
    const Matrix f = smoother.fit({&path.lambda[static_cast<std::size_t>(k)], 1}).predict(x_test);
    risk[k] = (f.col(0) - test.truth).squaredNorm();
  }
  const double best = risk.minCoeff();
  const std::lock_guard guard(lock);
  for (const auto& c : path.criteria) {
    if (!c.selected) continue;
    Record& record = table[c.label];
    record.ratios.push_back(risk[c.grid_index] / best);
    record.edges += c.selected->at_edge;
  }
}

double quantile(std::vector<double> v, double q) {
  std::sort(v.begin(), v.end());
  return v[static_cast<std::size_t>(q * static_cast<double>(v.size() - 1))];
}

void print(const std::string& title, const Records& table) {
  fmt::print(
      "\n### {}\n\n| criterion | geometric mean | median | 90 % | 99 % | at an edge "
      "|\n|---|---|---|---|---|---|\n",
      title);
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [name, record] : table) {
    double logs = 0;
    for (const double r : record.ratios) logs += std::log(r);
    order.emplace_back(std::exp(logs / static_cast<double>(record.ratios.size())), name);
  }
  std::sort(order.begin(), order.end());
  for (const auto& [mean, name] : order) {
    const Record& r = table.at(name);
    fmt::print("| {} | {:.3f} | {:.3f} | {:.2f} | {:.1f} | {:.1f} % |\n", name, mean, quantile(r.ratios, 0.5),
               quantile(r.ratios, 0.9), quantile(r.ratios, 0.99),
               100.0 * r.edges / static_cast<double>(r.ratios.size()));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Index draws = argc > 1 ? std::atol(argv[1]) : 20;
  fmt::print(
      "# Study of the default criterion\n\nRisk of the chosen fit over the least risk on the path. {} draws "
      "of each of {} problems, "
      "n = 30, 100, 300, noise sd 0.1, 0.5, 1 × signal sd.\nNoise variance `auto`, automatic grid, default "
      "metric.\n",
      draws, problems.size());
  Records all;
  for (const auto& learner : learners) {
    Records table;
    std::mutex lock;
    std::vector<std::tuple<std::string, Index, double, std::uint64_t>> tasks;
    std::uint64_t stream = 0;
    for (const auto& problem : problems) {
      for (const Index n : sizes) {
        for (const double level : noise_to_signal) {
          for (Index d = 0; d < draws; ++d) tasks.emplace_back(problem, n, level, stream++);
        }
      }
    }
    parallel_for(static_cast<Index>(tasks.size()), [&](Index i) {
      const auto& [problem, n, level, id] = tasks[static_cast<std::size_t>(i)];
      run_draw(learner, problem, n, level, id, table, lock);
    });
    print(learner.name, table);
    for (const auto& [name, record] : table) {
      auto& r = all[name].ratios;
      r.insert(r.end(), record.ratios.begin(), record.ratios.end());
      all[name].edges += record.edges;
    }
  }
  print("All learners", all);
}
