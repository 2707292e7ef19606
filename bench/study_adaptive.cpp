// Which criterion should choose many regularization parameters at once when the user does not say? Known truth, fixed
// seeds: the noise-free squared error on fresh inputs of the fit that each criterion chooses, over the least of them.
//
//   study_adaptive [draws [ridge|kernel-ridge|mlp]]
//
// Prints Markdown tables. study_adaptive.md is its output with conclusions.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "gnomon/gnomon.hpp"
#include "statistics.hpp"

namespace {

using namespace gnomon;
using bench::mean, bench::standard_error;

struct Setting {
  std::string problem;
  Index rows, inputs, relevant;
  double noise;  ///< standard deviation over that of the signal
};

/// Linear in the relevant inputs (ridge), or a smooth function of two of them (kernels and networks).
Vector truth(const Setting& s, const Matrix& x) {
  if (s.problem == "linear") {
    Vector f = Vector::Zero(x.rows());
    for (Index j = 0; j < s.relevant; ++j)
      f += (j % 2 ? -1.0 : 1.0) / (1 + 0.3 * static_cast<double>(j)) * x.col(j);
    return f;
  }
  if (s.problem == "additive") return (1.5 * x.col(0)).array().sin() + 0.5 * x.col(1).array();
  return (x.col(0).array() * 1.2).tanh() * (1 + x.col(1).array()).cos();  // an interaction
}

struct Draw {
  TrainingData train;
  Matrix fresh;
  Vector f;
};

Draw draw(const Setting& s, std::uint64_t seed) {
  Random random(seed);
  const auto inputs = [&](Index rows) {
    Matrix x(rows, s.inputs);
    for (Index j = 0; j < s.inputs; ++j) x.col(j) = random.normal_vector(rows);
    return x;
  };
  Draw d;
  d.train.x = inputs(s.rows);
  d.fresh = inputs(1000);
  d.f = truth(s, d.fresh);
  const double deviation = std::sqrt((d.f.array() - d.f.mean()).square().mean());
  d.train.y = truth(s, d.train.x) + s.noise * deviation * random.normal_vector(s.rows);
  d.train.target_names = {"y"};
  return d;
}

double error(const Draw& d, const SelectionRequest& request) {
  return (select(d.train, request).model.predict(d.fresh).col(0) - d.f).squaredNorm() / 1000;
}

struct Case {
  std::string name;
  std::vector<Setting> settings;
  std::vector<std::string> criteria;
  SelectionRequest request, plain;  ///< many parameters, and the usual one for comparison
};

std::vector<Case> cases() {
  std::vector<Case> all;
  Case ridge{"ridge", {}, {"loo", "gcv", "cv:5", "cv:10", "evidence", "sic", "gen", "fper", "gpe"}, {}, {}};
  for (const Index rows : {25, 50, 100}) {
    for (const double noise : {0.5, 1.5}) {
      for (const Index relevant : {3, 10}) ridge.settings.push_back({"linear", rows, 10, relevant, noise});
    }
  }
  ridge.request.learner = ridge.plain.learner = "ridge";
  ridge.request.groups = "each";
  ridge.plain.groups = "all";
  all.push_back(ridge);
  Case kernel{"kernel-ridge", {}, {"loo", "gcv", "cv:5", "cv:10", "evidence", "sic", "gen", "fper"}, {}, {}};
  for (const std::string problem : {"additive", "interaction"}) {
    for (const Index rows : {40, 100}) {
      for (const double noise : {0.2, 0.7}) {
        for (const Index inputs : {2, 6}) kernel.settings.push_back({problem, rows, inputs, 2, noise});
      }
    }
  }
  kernel.request.search = Search::gradient;
  kernel.plain.groups = "all";
  all.push_back(kernel);
  Case mlp{"mlp", {}, {"cv:5", "evidence", "gen", "fper", "gcv"}, {}, {}};
  for (const std::string problem : {"additive", "interaction"}) {
    for (const Index rows : {40, 100}) {
      for (const double noise : {0.2, 0.7}) mlp.settings.push_back({problem, rows, 4, 2, noise});
    }
  }
  mlp.request.learner = mlp.plain.learner = "mlp";
  mlp.request.hidden = mlp.plain.hidden = "6";
  mlp.request.restarts = mlp.plain.restarts = 3;
  mlp.request.decay_groups = "input";
  all.push_back(mlp);
  return all;
}

/// Logarithms of error over the least error of the same data set, by column of the table.
void study(const Case& learner, int draws) {
  std::vector<std::string> columns = learner.criteria;
  for (const std::string& c : {learner.criteria.front(), std::string("evidence")})
    columns.push_back("fewer, " + c);
  std::map<std::string, std::vector<double>> log_regret, few_rows, many_rows;
  std::map<std::string, int> failed;
  for (std::size_t s = 0; s < learner.settings.size(); ++s) {
    const Setting& setting = learner.settings[s];
    for (int q = 0; q < draws; ++q) {
      const Draw d = draw(setting, 1000 * s + static_cast<std::uint64_t>(q));
      std::map<std::string, double> errors;
      for (const std::string& column : columns) {
        const bool fewer = column.starts_with("fewer, ");
        SelectionRequest request = fewer ? learner.plain : learner.request;
        request.criteria = {fewer ? column.substr(7) : column};
        request.seed = static_cast<std::uint64_t>(q);
        try {
          errors[column] = error(d, request);
        } catch (const Error&) {
          ++failed[column];
        }
      }
      const double least = std::min_element(errors.begin(), errors.end(), [](auto& a, auto& b) {
                             return a.second < b.second;
                           })->second;
      for (const auto& [column, value] : errors) {
        log_regret[column].push_back(std::log(value / least));
        (setting.rows < 60 ? few_rows : many_rows)[column].push_back(std::log(value / least));
      }
    }
    std::fprintf(stderr, "%s: setting %zu of %zu\n", learner.name.c_str(), s + 1, learner.settings.size());
  }
  std::sort(columns.begin(), columns.end(),
            [&](const auto& a, const auto& b) { return mean(log_regret[a]) < mean(log_regret[b]); });
  std::printf(
      "\n### %s\n\n| chosen by | geometric mean of error over the least | behind the first ± s.e. | n ≤ 50 | "
      "n = 100 | no answer |\n|---|---|---|---|---|---|\n",
      learner.name.c_str());
  const std::vector<double>& first = log_regret[columns.front()];
  for (const std::string& column : columns) {
    std::vector<double> behind;
    for (std::size_t i = 0; i < std::min(first.size(), log_regret[column].size()); ++i)
      behind.push_back(log_regret[column][i] - first[i]);
    std::printf("| %s | %.3f | %+.3f ± %.3f | %.3f | %.3f | %d |\n", column.c_str(),
                std::exp(mean(log_regret[column])), mean(behind), standard_error(behind),
                std::exp(mean(few_rows[column])), std::exp(mean(many_rows[column])), failed[column]);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const int draws = count > 1 ? std::atoi(arguments[1]) : 20;
  std::printf("%d draws of each setting.\n", draws);
  for (const Case& learner : cases()) {
    if (count <= 2 || learner.name == arguments[2]) study(learner, draws);
  }
}
