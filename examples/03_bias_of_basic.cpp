// How biased are the estimates of the covariance term 2E⟨f̂, e⟩/n? Stein's divergence has none under Gaussian noise where
// the learner is almost differentiable; it fails under other noise and for learners that jump. BASIC's bias is small or
// large, of either sign. Usage: 03_bias_of_basic [draws]; the table in docs/theory/basic.md has 4000.

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <Eigen/Cholesky>

#include <fmt/format.h>
#include <gnomon/gnomon.hpp>

using namespace gnomon;

namespace {

constexpr Index n = 20, p = 5;
constexpr int replications = 100;

struct Mean {
  double sum = 0, squares = 0, count = 0;
  void add(double v) { sum += v, squares += v * v, ++count; }
  double value() const { return sum / count; }
  double error() const { return std::sqrt((squares / count - value() * value()) / count); }
};

struct Bias {
  Mean truth, stein, raw, centred, scaled;
};

struct Fitted {
  Vector coefficients;
  double divergence;
};
using FittingRule = std::function<Fitted(const Vector& y)>;

/// `law`: 'g' Gaussian or 'l' Laplace noise, of unit variance.
Bias simulate(const Matrix& phi, const Vector& f, const FittingRule& rule, char law, int draws) {
  Bias bias;
  const Vector at_truth = phi * rule(f).coefficients;
  Random random(11);
  for (int draw = 0; draw < draws; ++draw) {
    Vector e = random.normal_vector(n);
    if (law == 'l')
      for (auto& v : e) v = std::copysign(std::log(random.uniform()), v) * std::sqrt(0.5);
    const Vector y = f + e;
    const auto [a, divergence] = rule(y);
    const Vector fitted = phi * a;
    const double truth =
        2 * e.dot(fitted - at_truth) / n;  // the second part has mean 0 and steadies the first
    bias.truth.add(truth);
    bias.stein.add(2 * divergence / n - truth);
    BootstrapProblem problem{.learner = [&](const Vector& other) { return rule(other).coefficients; },
                             .pairing = [&](const Vector& v) { return Vector(phi.transpose() * v / n); },
                             .fitted = fitted,
                             .residual = {}};
    const Resampling resampling = random_resampling(static_cast<std::uint64_t>(draw));
    const auto term = [&, divergence = divergence](const BootstrapOptions& options) {
      problem.residual = treated_residuals(y - fitted, Vector(), divergence, options);
      return 2 * bootstrap_covariance(problem, resampling, replications);
    };
    bias.raw.add(term({}) - truth);
    bias.centred.add(term({.centred = true}) - truth);
    bias.scaled.add(term({.centred = true, .rescaled = true}) - truth);
  }
  return bias;
}

FittingRule rule_of(std::shared_ptr<const PathSolver> solver, double lambda) {
  return [solver, lambda](const Vector& y) {
    const PathFit fit = solver->refit(y, lambda, {});
    return Fitted{fit.coefficients, fit.df};
  };
}

}  // namespace

int main(int argc, char** argv) {
  const int draws = argc > 1 ? std::atoi(argv[1]) : 100;
  set_threads(1);
  Random random(5);
  Matrix phi(n, p);
  for (Index j = 0; j < p; ++j) phi.col(j) = random.normal_vector(n);
  const Vector f = phi * Vector{{1, -0.5, 0.25, 0, 0}};
  const SolverDesign design{.features = std::make_shared<const Matrix>(phi), .intercept = false};
  const Matrix least_squares = (phi.transpose() * phi).ldlt().solve(phi.transpose());

  struct Case {
    std::string name;
    FittingRule rule;
    char law;
    bool unbiased;  // Stein's term
  };
  const FittingRule hard = [&](const Vector& y) {
    const Vector a = least_squares * y;
    const Vector kept = (a.array().abs() > 0.4).select(a, 0.0);
    return Fitted{kept, static_cast<double>((kept.array() != 0).count())};
  };
  const auto lasso = std::make_shared<const ElasticNet>(design);
  const auto net = std::make_shared<const ElasticNet>(design, ElasticNetOptions{.mix = 0.5});
  const auto huber = std::make_shared<const Huber>(design, HuberOptions{.tau = 0.5});
  const auto svr = std::make_shared<const Svr>(design, SvrOptions{.epsilon = 0.3});
  const std::vector<Case> cases{{"lasso, λ = 5", rule_of(lasso, 5), 'g', true},
                                {"lasso, λ = 20", rule_of(lasso, 20), 'g', true},
                                {"elastic net, λ = 10, mix ½", rule_of(net, 10), 'g', true},
                                {"huber, τ = ½, λ = 0", rule_of(huber, 0), 'g', true},
                                {"huber, τ = ½, λ = 5", rule_of(huber, 5), 'g', true},
                                {"huber, τ = ½, λ = 5, Laplace noise", rule_of(huber, 5), 'l', false},
                                {"svr, ε = 0.3, λ = 1", rule_of(svr, 1), 'g', true},
                                {"svr, ε = 0.3, λ = 10", rule_of(svr, 10), 'g', true},
                                {"hard threshold at 0.4 (jumps)", hard, 'g', false}};
  bool as_claimed = true;
  const auto cell = [](const Mean& m) { return fmt::format("{:+.3f} ± {:.3f}", m.value(), m.error()); };
  fmt::print(
      "| learner | 2C | bias of Stein's term | basic, raw | centred | scaled |\n|---|---|---|---|---|---|\n");
  for (const Case& c : cases) {
    const Bias b = simulate(phi, f, c.rule, c.law, draws);
    fmt::print("| {} | {:.3f} | {} | {} | {} | {} |\n", c.name, b.truth.value(), cell(b.stein), cell(b.raw),
               cell(b.centred), cell(b.scaled));
    if (c.unbiased) as_claimed &= std::abs(b.stein.value()) < 4 * b.stein.error();
  }
  return as_claimed ? 0 : 1;
}
