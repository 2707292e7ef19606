// Does a width per input do harm, and by which criterion should they be chosen? Kernel ridge on the linear experiment with
// strongly correlated inputs, and on the families and sets of problems.hpp: test error of one width per input under several
// criteria over that of one width chosen before λ.
//
//   study_widths_per_input FOLDER [data sets]

#include <cmath>
#include <cstdlib>
#include <map>
#include <mutex>

#include "experiments/linear/linear_experiment.hpp"
#include "problems.hpp"

namespace {

using namespace gnomon;
using namespace gnomon::regret;

Draw correlated(double nsr, std::uint64_t stream) {
  constexpr Index rows = 40, fresh = 1000, inputs = 10;
  Random random(1117, stream);
  const Matrix a = experiments::mixing(experiments::Spread::high4);
  Matrix z(rows + fresh, inputs);
  for (Index j = 0; j < inputs; ++j) z.col(j) = random.normal_vector(rows + fresh);
  Matrix x = z * a.transpose();
  const Vector truth = z * experiments::true_weights();
  Scaling::fit(x.topRows(rows), Vector(), Scale::standard).apply(x);
  const Vector y = truth.head(rows) + std::sqrt(3 * nsr) * random.normal_vector(rows);
  return {x.topRows(rows), x.bottomRows(fresh), y, truth.tail(fresh), 3 * nsr};
}

struct Found {
  double error, evidence;
};

/// One width before λ (no groups), or a search over λ and the widths of the groups.
Found found(const Draw& d, const char* criterion, const char* groups) {
  SelectionRequest request;
  request.criteria = {criterion};
  request.groups = groups;
  if (*groups) request.search = Search::gradient;
  const Selection s = select({d.x, d.y, Vector(), {"y"}}, request);
  const double error =
      (s.model.predict(d.x_test).col(0) - d.y_test).squaredNorm() / static_cast<double>(d.y_test.size()) +
      d.noise;
  return {error, s.targets[0].chosen().selected->value};
}

const std::vector<double> prices{1, 2, 3};

/// Errors of every rule over that of one width chosen before λ.
std::map<std::string, double> ratios_of(const Draw& d) {
  const double one = found(d, "blend", "").error;
  const Found all = found(d, "evidence", "all"), each = found(d, "evidence", "each");
  std::map<std::string, double> out{{"one width, evidence", all.error / one},
                                    {"each, evidence", each.error / one},
                                    {"each, loo", found(d, "loo", "each").error / one},
                                    {"each, blend", found(d, "blend", "each").error / one}};
  for (const double price : prices) {
    const bool pays = all.evidence - each.evidence > price * static_cast<double>(d.x.cols() - 1);
    out[fmt::format("each if it gains {} per width", price)] = (pays ? each : all).error / one;
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const Index sets = argc > 2 ? std::atol(argv[2]) : 24;  // by problem
  std::vector<std::pair<std::string, std::function<Draw(std::uint64_t)>>> cases;
  for (const double nsr : {0.1, 1.0})
    cases.emplace_back(fmt::format("linear experiment, high spread, NSR {}", nsr),
                       [nsr](std::uint64_t stream) { return correlated(nsr, stream); });
  std::vector<Problem> problems = made_families();
  for (Problem& real : real_sets(argc > 1 ? argv[1] : "../shared/data")) problems.push_back(std::move(real));
  for (const Problem& p : problems) {
    const Index columns = draw(p, 25, 1).x.cols();
    if (columns < 2) continue;
    for (const Index n : {40, 100})
      if (large_enough(p, n))
        cases.emplace_back(fmt::format("{}, n = {}", p.name, n),
                           [&p, n](std::uint64_t stream) { return draw(p, n, stream); });
  }
  std::map<std::string, std::vector<double>> over_all;
  bool first = true;
  for (const auto& [name, make] : cases) {
    std::map<std::string, std::vector<double>> ratio;
    std::mutex lock;
    parallel_for(sets, [&](Index i) {
      const auto own = ratios_of(make(static_cast<std::uint64_t>(i)));
      const std::lock_guard guard(lock);
      for (const auto& [rule, r] : own) ratio[rule].push_back(r);
    });
    if (first) {
      fmt::print("| data |");
      for (const auto& [rule, r] : ratio) fmt::print(" {} |", rule);
      fmt::print("\n|---|");
      for (std::size_t i = 0; i < ratio.size(); ++i) fmt::print("---|");
      fmt::print("\n");
      first = false;
    }
    fmt::print("| {} |", name);
    for (const auto& [rule, list] : ratio) {
      const Eigen::Map<const Vector> r(list.data(), sets);
      const double mean = r.mean();
      fmt::print(" {:.3f} ± {:.3f} |", mean,
                 std::sqrt((r.array() - mean).square().sum() / static_cast<double>((sets - 1) * sets)));
      over_all[rule].push_back(mean);
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
  fmt::print("| mean |");
  for (const auto& [rule, means] : over_all) {
    double sum = 0;
    for (const double m : means) sum += m;
    fmt::print(" {:.3f} |", sum / static_cast<double>(means.size()));
  }
  fmt::print("\n");
}
