// Does a decay per input do harm where the inputs are strongly correlated? Ridge on the linear experiment of Sigurdsson, Larsen &
// Hansen (40 rows, 10 inputs): squared error on fresh rows of one λ and of one decay per input under several criteria, relative
// to least squares, and of the rule that takes the decays only where their gain on the scale of −2 log likelihood pays for them.
//
//   study_groups [data sets]

#include <cmath>
#include <cstdlib>
#include <map>
#include <mutex>

#include "experiments/linear/linear_experiment.hpp"
#include "gnomon/gnomon.hpp"

namespace {

using namespace gnomon;
using experiments::Spread;

struct Draw {
  TrainingData data;
  Matrix x_test;
  Vector truth;
  double noise;
};

Draw draw(Spread spread, double nsr, std::uint64_t stream) {
  constexpr Index rows = 40, fresh = 2000, inputs = 10;
  Random random(1116, stream);
  const Matrix a = experiments::mixing(spread);
  const Vector w = experiments::true_weights();
  const double sigma = std::sqrt(3 * nsr);
  Matrix z(rows + fresh, inputs);
  for (Index j = 0; j < inputs; ++j) z.col(j) = random.normal_vector(rows + fresh);
  Matrix x = z * a.transpose();
  const Vector truth = z * w;
  const Scaling scaling = Scaling::fit(x.topRows(rows), Vector(), Scale::standard);
  scaling.apply(x);
  const Vector y = truth.head(rows) + sigma * random.normal_vector(rows);
  return {{x.topRows(rows), y, Vector(), {"y"}}, x.bottomRows(fresh), truth.tail(fresh), sigma * sigma};
}

double error_of(const Draw& d, const Selection& s) {
  return (s.model.predict(d.x_test).col(0) - d.truth).squaredNorm() / static_cast<double>(d.truth.size()) +
         d.noise;
}

Selection ridge(const Draw& d, const char* criterion, bool each) {
  SelectionRequest request;
  request.learner = "ridge";
  request.criteria = {criterion};
  if (each) request.groups = "each";
  return select(d.data, request);
}

Selection least_squares(const Draw& d) {
  SelectionRequest request;
  request.learner = "ridge";
  request.criteria = {"loo"};
  request.lambda = Values{std::vector<double>{0.0}};
  return select(d.data, request);
}

/// Minus twice a log likelihood of what was chosen, and the number of decays that are not at a bound.
struct Found {
  double error, value, decays;
};
Found found(const Draw& d, const Selection& s) {
  const TargetSelection& t = s.targets[0];
  double decays = 1;
  if (const TunedSearch* search = t.search()) decays = static_cast<double>(search->parameters.size());
  return {error_of(d, s), t.chosen().selected->value, decays};
}

}  // namespace

int main(int argc, char** argv) {
  const Index sets = argc > 1 ? std::atol(argv[1]) : 200;
  fmt::print(
      "| spread | NSR | rule | improvement on least squares, % | s.e. | improvement on one λ by loo, % | "
      "s.e. |\n|---|---|---|---|---|---|---|\n");
  for (const Spread spread : {Spread::low, Spread::high4}) {
    for (const double nsr : {0.1, 0.5, 1.0, 2.0}) {
      std::map<std::string, std::vector<double>> on_least_squares, on_one;
      std::mutex lock;
      parallel_for(sets, [&](Index i) {
        const Draw d = draw(spread, nsr, static_cast<std::uint64_t>(i));
        const double base = error_of(d, least_squares(d));
        std::map<std::string, double> error;
        for (const char* criterion : {"evidence", "loo", "gcv", "gpe", "cv", "blend"}) {
          const Found one = found(d, ridge(d, criterion, false)), each = found(d, ridge(d, criterion, true));
          error[fmt::format("one λ, {}", criterion)] = one.error;
          error[fmt::format("each, {}", criterion)] = each.error;
          for (const double price : {1.0, 2.0, 3.0}) {
            const double n = static_cast<double>(d.data.x.rows());
            const bool logs =
                std::string_view(criterion) == "evidence" || std::string_view(criterion) == "blend";
            const double gain = logs ? one.value - each.value : n * std::log(one.value / each.value);
            error[fmt::format("each if it gains {} per decay, {}", price, criterion)] =
                gain > price * (each.decays - 1) ? each.error : one.error;
          }
        }
        const std::lock_guard guard(lock);
        for (const auto& [rule, e] : error) {
          on_least_squares[rule].push_back(100 * (base - e) / base);
          on_one[rule].push_back(100 * (error["one λ, loo"] - e) / error["one λ, loo"]);
        }
      });
      for (const auto& [rule, v] : on_least_squares) {
        const auto mean_of = [](const std::vector<double>& list) {
          const Eigen::Map<const Vector> x(list.data(), static_cast<Index>(list.size()));
          const double mean = x.mean();
          return std::pair(mean,
                           std::sqrt((x.array() - mean).square().sum() / static_cast<double>(x.size() - 1) /
                                     static_cast<double>(x.size())));
        };
        const auto [a, sa] = mean_of(v);
        const auto [b, sb] = mean_of(on_one[rule]);
        fmt::print("| {} | {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n", name_of(spread), nsr, rule, a,
                   sa, b, sb);
      }
    }
  }
}
