#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cases.hpp"
#include "gnomon/learn/additive.hpp"
#include "gnomon/learn/elastic_net.hpp"
#include "gnomon/learn/huber.hpp"
#include "gnomon/learn/svr.hpp"

namespace gnomon::testing {

/// A learner that is solved anew for every y. Its settings follow the units of the target: for targets c·y the solver is
/// made with unit c and λ is multiplied by lambda_factor(c), and the fit must be c times as large.
struct PathCase {
  std::string name;
  std::vector<double> lambdas;
  std::function<SolverFactory(double unit)> solver;
  std::function<double(double unit)> lambda_factor = [](double) { return 1.0; };
  bool kernel = false;

  Representation representation(const Matrix& x) const {
    if (kernel) return parse_kernel("gaussian", 1.5);
    return Basis::fit("linear", x);
  }
  PathLearnerOptions options(const Matrix& x, bool intercept, double unit = 1) const {
    return {.representation = representation(x), .solver = solver(unit), .intercept = intercept};
  }
  PathLearner learner(const Data& data, bool intercept = true, double unit = 1) const {
    return PathLearner(std::make_shared<const Matrix>(data.x), data.y, data.weight,
                       options(data.x, intercept, unit));
  }
  std::vector<double> lambdas_at(double unit) const {
    std::vector<double> scaled = lambdas;
    for (double& lambda : scaled) lambda *= lambda_factor(unit);
    return scaled;
  }
};

inline SolverFactory huber_factory(double tau) {
  return [tau](const SolverDesign& design, const CentredGram*) -> PathSolverPtr {
    return std::make_unique<Huber>(design, HuberOptions{.tau = tau});
  };
}

inline SolverFactory net_factory(double mix) {
  return [mix](const SolverDesign& design, const CentredGram* known) -> PathSolverPtr {
    return std::make_unique<ElasticNet>(design, ElasticNetOptions{.mix = mix}, known);
  };
}

inline SolverFactory svr_factory(double epsilon, bool kernel) {
  return [epsilon, kernel](const SolverDesign& design, const CentredGram*) -> PathSolverPtr {
    return std::make_unique<Svr>(design, SvrOptions{.epsilon = epsilon, .kernel = kernel});
  };
}

/// The shift grows with the first feature, whatever rows are at hand.
inline SolverFactory additive_factory(double amplitude) {
  return [amplitude](const SolverDesign& design, const CentredGram*) -> PathSolverPtr {
    return std::make_unique<Additive>(design, amplitude * design.features->col(0));
  };
}

/// Every learner of the catalogue that is not linear in y, for targets with noise of about `noise` and 20 to 40 rows.
inline std::vector<PathCase> path_cases(double noise) {
  constexpr double mix = 0.6;
  const auto mixed = [](double c) { return c * mix + 1 - mix; };
  const double n2 = noise * noise;
  return {
      {"huber_plain", {0}, [noise](double c) { return huber_factory(0.8 * noise * c); }},
      {"huber_ridge", {2, 9}, [noise](double c) { return huber_factory(0.8 * noise * c); }},
      {"lasso", {6 * noise, 16 * noise}, [](double) { return net_factory(1); }, [](double c) { return c; }},
      {"elastic_net",
       {5 * n2, 15 * n2},
       [mixed](double c) { return net_factory(c * mix / mixed(c)); },
       mixed},
      {"svr_basis",
       {1 / noise, 6 / noise},
       [noise](double c) { return svr_factory(0.5 * noise * c, false); },
       [](double c) { return 1 / c; }},
      {"svr_kernel",
       {0.5 / noise, 3 / noise},
       [noise](double c) { return svr_factory(0.5 * noise * c, true); },
       [](double c) { return 1 / c; },
       true},
      {"additive", {1, 8}, [noise](double c) { return additive_factory(0.4 * noise * c); }},
  };
}

inline std::string case_name(const ::testing::TestParamInfo<PathCase>& info) { return info.param.name; }

}  // namespace gnomon::testing
