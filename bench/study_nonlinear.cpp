// Two questions about learners that are not linear in y, answered with a known truth and fixed seeds.
//
//   study_nonlinear regret [draws [learner]]
//       Which criterion should choose when the user does not say? Noise-free squared error on fresh inputs of the
//       point each criterion chooses, over the best point among all candidates (λ and tuning parameter).
//   study_nonlinear bias [draws]
//       How far is BASIC's bootstrap term from the covariance it estimates?
//
// Prints Markdown tables, and the CPU time to the error stream. study_nonlinear.md is its output with conclusions.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>

#include "gnomon/gnomon.hpp"
#include "learn/sic_frame.hpp"
#include "select/candidates.hpp"
#include "statistics.hpp"

namespace {

using namespace gnomon;
using bench::mean, bench::standard_error;

double quantile(std::vector<double> v, double q) {
  std::sort(v.begin(), v.end());
  return v[static_cast<std::size_t>(q * static_cast<double>(v.size() - 1))];
}

// ------------------------------------------------------------------------------------------------ regret

/// "dense:D" and "sparse:D" have the inputs of linear:D and coefficients ±1: all of them, or every (D/5)-th.
struct Problem {
  std::string name, basis;
};

const std::vector<Problem> on_a_basis{{"linear:10", "linear"},
                                      {"sparse:40", "linear"},
                                      {"dense:20", "linear"},
                                      {"friedman1", "polynomial:3"},
                                      {"additive-sines", "polynomial:8"}};
const std::vector<Problem> on_a_kernel{
    {"sinc", ""}, {"step", ""}, {"friedman1", ""}, {"additive-sines", ""}, {"linear:10", ""}};

enum class Noise {
  normal,
  heavy
};  // heavy: Student's t with 3 degrees of freedom, scaled to the same variance

struct Case {
  std::string title, learner;
  const std::vector<Problem>& problems;
  Noise noise = Noise::normal;
};

const std::vector<Case> cases{{"lasso", "lasso", on_a_basis},
                              {"elastic-net", "elastic-net", on_a_basis},
                              {"huber, Gaussian noise", "huber", on_a_basis},
                              {"huber, t₃ noise", "huber", on_a_basis, Noise::heavy},
                              {"svr, Gaussian noise", "svr", on_a_kernel},
                              {"svr, t₃ noise", "svr", on_a_kernel, Noise::heavy},
                              {"additive", "additive", on_a_basis}};
const std::vector<Index> sizes{30, 100, 300};
const std::vector<double> noise_to_signal{0.3, 1.0};  // standard deviations
const std::vector<std::string> criteria{"cv", "sic", "basic", "gcv", "aicc", "bic", "aic"};
const std::string known_variance = "sic, σ² known";
const std::string rescaled_basic = "basic, rescaled";  // where refits are cheap: lasso, huber
constexpr int replications = 50;
// The many refits of a support vector machine: fewer replications, and none for the largest data sets.
constexpr int svr_replications = 20;
constexpr Index most_svr_rows = 100;

Synthetic noiseless(const std::string& name, Index n, Random& random) {
  const auto colon = name.find(':');
  const std::string kind = name.substr(0, colon);
  if (kind != "dense" && kind != "sparse") return make_synthetic(name, n, 0, random);
  const Index inputs = std::atol(name.c_str() + colon + 1), step = kind == "dense" ? 1 : inputs / 5;
  Synthetic data = make_synthetic(fmt::format("linear:{}", inputs), n, 0, random);
  Vector coefficients = Vector::Zero(inputs);
  for (Index j = 0; j < inputs; j += step) coefficients[j] = j / step % 2 == 0 ? 1 : -1;
  data.truth = data.x * coefficients;
  return data;
}

Vector unit_noise(Index n, Noise noise, Random& random) {
  Vector e = random.normal_vector(n);
  if (noise == Noise::normal) return e;
  for (double& each : e) each /= random.normal_vector(3).norm();  // t₃/√3, of variance 1
  return e;
}

/// Regret by criterion over the data sets, NaN where the criterion was undefined.
using Regrets = std::map<std::string, std::vector<double>>;
struct Task {
  Problem problem;
  Index n;
  double level;
  std::uint64_t stream;
};

/// The error of every candidate at every λ: risks[candidate][λ].
std::vector<Vector> risks_of(const std::vector<Candidate>& candidates, const Matrix& x, const Vector& truth) {
  std::vector<Vector> risks;
  for (const auto& c : candidates) {
    const PathLearner& learner = *c.learner->solved();
    const Matrix features = learner.features_at(x);
    const auto& fits = learner.path(c.lambdas, 0);
    Vector risk(static_cast<Index>(fits.size()));
    for (Index k = 0; k < risk.size(); ++k) {
      const PathFit& fit = fits[static_cast<std::size_t>(k)];
      risk[k] = ((features * fit.coefficients - truth).array() + fit.offset).square().mean();
    }
    risks.push_back(std::move(risk));
  }
  return risks;
}

/// One data set: every criterion's chosen risk over the best among the candidates.
std::map<std::string, double> regret_of(const Case& c, const Task& task) {
  Random random(2027, task.stream), scale_random(77), fresh(4712, task.stream);
  const Synthetic pilot = noiseless(task.problem.name, 2000, scale_random);
  const double noise_sd = task.level * std::sqrt((pilot.truth.array() - pilot.truth.mean()).square().mean());
  Synthetic data = noiseless(task.problem.name, task.n, random),
            test = noiseless(task.problem.name, 500, fresh);
  const Vector y = data.truth + noise_sd * unit_noise(task.n, c.noise, random);
  const Scaling scaling = Scaling::fit(data.x, Vector(), Scale::standard);
  scaling.apply(data.x);
  scaling.apply(test.x);

  SelectionRequest request;
  request.learner = c.learner;
  request.basis = task.problem.basis;
  request.criteria = criteria;
  const bool svr = c.learner == "svr";
  if (svr && task.n > most_svr_rows) std::erase(request.criteria, "basic");
  request.bootstrap.replications = svr ? svr_replications : replications;
  request.seed = task.stream;
  const TrainingData training{data.x, y, Vector(), {"y"}};
  const Selection estimated = select(training, request);
  std::map<std::string, double> regrets;
  for (const auto& name : criteria) regrets[name] = undefined;
  std::optional<Selection> rescaled;
  if (c.learner == "lasso" || c.learner == "huber") {
    SelectionRequest other = request;
    other.criteria = {"cv", "basic"};
    other.bootstrap.centred = other.bootstrap.rescaled = true;
    try {
      rescaled = select(training, other);
    } catch (const Error&) {
      // No degrees of freedom are left somewhere on the path, so that there is nothing to rescale by.
    }
    regrets[rescaled_basic] = undefined;
  }
  request.criteria = {"sic"};
  request.noise = fmt::format("{}", noise_sd * noise_sd);
  const Selection known = select(training, request);

  const auto candidates = make_candidates(training, request, metric_of(request, training), {});
  const auto risks = risks_of(candidates, test.x, test.truth);
  double best = HUGE_VAL;
  for (const auto& risk : risks) best = std::min(best, risk.minCoeff());
  const auto regret = [&](const PathOutcome& outcome) {
    for (std::size_t i = 0; i < candidates.size() && outcome.selected; ++i) {
      const bool same = candidates[i].tuning == outcome.tuning ||
                        (std::isnan(candidates[i].tuning) && std::isnan(outcome.tuning));
      if (same) return risks[i][outcome.grid_index] / best;
    }
    return undefined;
  };
  regrets[known_variance] = regret(known.targets[0].path()->criteria[0]);
  if (rescaled) regrets[rescaled_basic] = regret(rescaled->targets[0].path()->criteria[1]);
  for (const auto& outcome : estimated.targets[0].path()->criteria) regrets[outcome.label] = regret(outcome);
  return regrets;
}

std::vector<double> finite(const std::vector<double>& v) {
  std::vector<double> out;
  for (const double x : v) {
    if (std::isfinite(x)) out.push_back(x);
  }
  return out;
}

std::vector<double> logs(const std::vector<double>& v) {
  std::vector<double> out(v.size());
  std::transform(v.begin(), v.end(), out.begin(), [](double x) { return std::log(x); });
  return out;
}

/// `behind` is the mean of log regret less that of the first (least among the criteria with an estimated variance),
/// over the same data sets, with the standard error of that paired difference.
void print(const std::string& title, const Regrets& table) {
  fmt::print("\n### {}\n\n", title);
  fmt::print("| criterion | geometric mean | behind the first ± s.e. | mean ± s.e. | 90 % | undefined |\n");
  fmt::print("|---|---|---|---|---|---|\n");
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [name, regrets] : table) order.emplace_back(mean(logs(finite(regrets))), name);
  std::sort(order.begin(), order.end());
  const auto leader =
      std::find_if(order.begin(), order.end(), [](const auto& o) { return o.second != known_variance; });
  const auto& first = table.at(leader->second);
  for (const auto& [mean_log, name] : order) {
    const auto &all = table.at(name), defined = finite(all);
    std::vector<double> behind;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (std::isfinite(all[i]) && std::isfinite(first[i])) behind.push_back(std::log(all[i] / first[i]));
    }
    const std::string gap =
        name == leader->second ? "–" : fmt::format("{:+.3f} ± {:.3f}", mean(behind), standard_error(behind));
    fmt::print("| {} | {:.3f} | {} | {:.3f} ± {:.3f} | {:.2f} | {} |\n", name, std::exp(mean_log), gap,
               mean(defined), standard_error(defined), quantile(defined, 0.9), all.size() - defined.size());
  }
}

/// Geometric means by sample size.
void print_by_size(const std::map<Index, Regrets>& tables) {
  std::vector<std::string> names = criteria;
  if (tables.begin()->second.contains(rescaled_basic)) names.push_back(rescaled_basic);
  fmt::print("\n| geometric mean at n | {} |\n|---|", fmt::join(names, " | "));
  for (std::size_t i = 0; i < names.size(); ++i) fmt::print("---|");
  for (const auto& [n, table] : tables) {
    fmt::print("\n| {} |", n);
    for (const auto& name : names) {
      const auto defined = finite(table.at(name));
      fmt::print("{}", defined.empty() ? " – |" : fmt::format(" {:.3f} |", std::exp(mean(logs(defined)))));
    }
  }
  fmt::print("\n");
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void append(Regrets& to, const Regrets& from) {
  for (const auto& [name, regrets] : from) {
    if (name != rescaled_basic) to[name].insert(to[name].end(), regrets.begin(), regrets.end());
  }
}

void study_regret(Index draws, const std::string& only) {
  fmt::print(
      "# Study of the default criterion for learners that are not linear in y\n\n{} draws of each of 5 "
      "problems, n = 30, 100, 300, noise sd 0.3, 1 × signal sd; BASIC with {} replications, svr with {} up "
      "to n = {} "
      "and without BASIC beyond.\n",
      draws, replications, svr_replications, most_svr_rows);
  Regrets all;
  for (const auto& c : cases) {
    if (!only.empty() && c.learner != only) continue;
    const double start = cpu_seconds();
    std::vector<Task> tasks;
    for (const auto& problem : c.problems) {
      for (const Index n : sizes) {
        for (const double level : noise_to_signal) {
          for (Index d = 0; d < draws; ++d) tasks.push_back({problem, n, level, tasks.size()});
        }
      }
    }
    std::vector<std::map<std::string, double>> results(tasks.size());
    parallel_for(static_cast<Index>(tasks.size()), [&](Index i) {
      results[static_cast<std::size_t>(i)] = regret_of(c, tasks[static_cast<std::size_t>(i)]);
    });
    Regrets table;
    std::map<Index, Regrets> by_size;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      for (const auto& [name, regret] : results[i]) {
        table[name].push_back(regret);
        by_size[tasks[i].n][name].push_back(regret);
      }
    }
    print(c.title, table);
    print_by_size(by_size);
    append(all, table);
    std::fflush(stdout);
    fmt::print(stderr, "{}: {:.0f} s of CPU\n", c.title, cpu_seconds() - start);
  }
  if (only.empty()) print("All cases together", all);
}

// -------------------------------------------------------------------------------------------------- bias

using LearnerMaker = std::function<PathLearner(const std::shared_ptr<const Matrix>& x, const Vector& y)>;
struct BiasCase {
  std::string name;
  double lambda_per_row;  // times n, so that the degrees of freedom do not depend on n
  LearnerMaker make;
};

PathLearner solved(const std::shared_ptr<const Matrix>& x, const Vector& y, SolverFactory factory) {
  return {x, y, Vector(),
          PathLearnerOptions{
              .representation = Basis::fit("linear", *x), .solver = std::move(factory), .intercept = false}};
}

/// Least squares coefficients on orthogonal columns of mean square 1, those below λ/n in size set to 0.
PathLearner hard_threshold(const std::shared_ptr<const Matrix>& x, const Vector& y) {
  BlackBox box(
      [x](const Vector& targets, double lambda) {
        const double n = static_cast<double>(x->rows());
        Vector a = x->transpose() * targets / n;
        for (double& each : a) each = std::abs(each) > lambda / n ? each : 0;
        return Vector(*x * a);
      },
      Dependence::discontinuous);
  return PathLearner(std::make_unique<BlackBox>(std::move(box)), y, Vector(), PathLearnerOptions{});
}

std::vector<BiasCase> bias_cases() {
  const LearnerMaker ridge = [](const auto& x, const Vector& y) {
    return solved(x, y, [](const SolverDesign& d, const CentredGram*) -> PathSolverPtr {
      return std::make_unique<Additive>(d, Vector::Zero(d.rows()));
    });
  };
  const LearnerMaker lasso = [](const auto& x, const Vector& y) {
    return solved(x, y, [](const SolverDesign& d, const CentredGram*) -> PathSolverPtr {
      return std::make_unique<ElasticNet>(d);
    });
  };
  const LearnerMaker huber = [](const auto& x, const Vector& y) {
    return solved(x, y, [](const SolverDesign& d, const CentredGram*) -> PathSolverPtr {
      return std::make_unique<Huber>(d, HuberOptions{.tau = 0.5});
    });
  };
  const LearnerMaker svr = [](const auto& x, const Vector& y) {
    return solved(x, y, [](const SolverDesign& d, const CentredGram*) -> PathSolverPtr {
      return std::make_unique<Svr>(d, SvrOptions{.epsilon = 0.5});
    });
  };
  return {{"ridge, light", 0.05, ridge},
          {"ridge, strong", 1, ridge},
          {"lasso, light", 0.2, lasso},
          {"lasso, strong", 1, lasso},
          {"huber τ = ½ + ridge, light", 0.05, huber},
          {"huber τ = ½ + ridge, strong", 0.25, huber},
          {"svr ε = ½, light", 0.05, svr},
          {"svr ε = ½, strong", 0.25, svr},
          {"hard threshold, light", 0.1, hard_threshold},
          {"hard threshold, strong", 0.4, hard_threshold}};
}

/// Orthogonal columns of mean square 1, so that one λ means the same for every learner and n.
Matrix orthogonal_design(Index n, Index p, Random& random) {
  Matrix x(n, p);
  for (Index j = 0; j < p; ++j) {
    x.col(j) = random.normal_vector(n);
    for (int pass = 0; pass < 2; ++pass)
      x.col(j) -= x.leftCols(j) * (x.leftCols(j).transpose() * x.col(j) / n);
    x.col(j) *= std::sqrt(static_cast<double>(n)) / x.col(j).norm();
  }
  return x;
}

/// n C = E f̂ᵀe at the training inputs, and the bootstrap's answers for it.
void study_bias(Index draws) {
  constexpr Index p = 5, truth_draws = 20000;
  constexpr int bias_replications = 100;
  const BootstrapOptions treatments[] = {
      {bias_replications, false, false}, {bias_replications, true, false}, {bias_replications, true, true}};
  fmt::print(
      "# Bias of BASIC's covariance term\n\nσ² = 1, Gaussian; p = {}, no intercept, metric at the training "
      "inputs; {} draws × {} replications; the true n C from {} draws.\n\n",
      p, draws, bias_replications, truth_draws);
  fmt::print(
      "| learner | n | true nC | raw | centred | centred, rescaled | bias of raw | of centred | of rescaled "
      "|\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|\n");
  Vector coefficients(p);
  coefficients << 1, -0.5, 0.25, 0, 0;
  for (const auto& c : bias_cases()) {
    for (const Index n : {Index{20}, Index{100}}) {
      Random design_random(5, static_cast<std::uint64_t>(n));
      const auto x = std::make_shared<const Matrix>(orthogonal_design(n, p, design_random));
      const Vector f = *x * coefficients;
      const double lambda = c.lambda_per_row * static_cast<double>(n);
      const PathLearner noiseless_learner = c.make(x, f);
      const Vector noiseless_fit = noiseless_learner.fitted(noiseless_learner.path({&lambda, 1}, 0).front());
      std::vector<double> truth(truth_draws);
      std::vector<std::vector<double>> term(3, std::vector<double>(static_cast<std::size_t>(draws)));
      parallel_for(truth_draws, [&](Index d) {
        Random random(6, static_cast<std::uint64_t>(d));
        const Vector e = random.normal_vector(n), y = f + e;
        const PathLearner learner = c.make(x, y);
        const PathFit fit = learner.path({&lambda, 1}, 0).front();
        const Vector fitted = learner.fitted(fit);
        // The fit to f is fixed, so its product with e has mean 0: leaving it out takes variance alone.
        truth[static_cast<std::size_t>(d)] = (fitted - noiseless_fit).dot(e);
        if (d >= draws) return;
        const SicFrame frame(learner, 0, {Metric::Kind::train, {}, "train"});
        const double df = learner.sums({&lambda, 1}, 0).front().df;
        for (std::size_t t = 0; t < 3; ++t) {
          BootstrapProblem problem{
              .learner =
                  [&](const Vector& other) {
                    return learner.parameters_of(learner.solver().refit(other, lambda, fit));
                  },
              .pairing = frame.pairing(),
              .fitted = fitted,
              .residual = treated_residuals(y - fitted, Vector(), df, treatments[t])};
          term[t][static_cast<std::size_t>(d)] =
              static_cast<double>(n) *
              bootstrap_covariance(problem, random_resampling(static_cast<std::uint64_t>(1000 + d)),
                                   bias_replications);
        }
      });
      const double true_term = mean(truth), true_error = standard_error(truth);
      std::string means, biases;
      for (const auto& values : term) {
        const double m = mean(values), ratio = m / true_term;
        const double error = std::hypot(standard_error(values), ratio * true_error) / true_term;
        means += std::isfinite(m) ? fmt::format(" {:.3f} |", m) : " undefined |";
        biases +=
            std::isfinite(m) ? fmt::format(" {:+.1f} ± {:.1f} % |", 100 * (ratio - 1), 100 * error) : " – |";
      }
      fmt::print("| {} | {} | {:.3f} ± {:.3f} |{}{}\n", c.name, n, true_term, true_error, means, biases);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string question = argc > 1 ? argv[1] : "";
  if (question == "regret") {
    study_regret(argc > 2 ? std::atol(argv[2]) : 8, argc > 3 ? argv[3] : "");
  } else if (question == "bias") {
    study_bias(argc > 2 ? std::atol(argv[2]) : 1000);
    fmt::print(stderr, "{:.0f} s of CPU\n", cpu_seconds());
  } else {
    fmt::print(stderr, "usage: study_nonlinear regret [draws [learner]] | bias [draws]\n");
    return 2;
  }
}
