#include "gnomon/data/synthetic.hpp"

#include <charconv>
#include <cmath>
#include <numbers>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

using std::numbers::pi;

double sinc(double t) { return t == 0 ? 1 : std::sin(t) / t; }

Matrix uniform_inputs(Index n, Index d, double lo, double hi, Random& random) {
  Matrix x(n, d);
  for (Index k = 0; k < d; ++k) x.col(k) = random.uniform_vector(n, lo, hi);
  return x;
}

/// Standard normal columns with correlation 0.5^|i−j|: an autoregression along each row.
Matrix autoregressive_inputs(Index n, Index d, Random& random) {
  constexpr double kCorrelation = 0.5;
  Matrix x(n, d);
  for (Index k = 0; k < d; ++k) {
    x.col(k) = random.normal_vector(n);
    if (k > 0)
      x.col(k) = (kCorrelation * x.col(k - 1) + std::sqrt(1 - kCorrelation * kCorrelation) * x.col(k)).eval();
  }
  return x;
}

struct Problem {
  std::string_view name;
  Index inputs;
  double (*f)(VectorView);
  Matrix (*draw)(Index n, Index d, Random&);
};

constexpr Problem kProblems[] = {
    {"sinc", 1, [](VectorView x) { return sinc(x[0]); },
     [](Index n, Index d, Random& random) { return uniform_inputs(n, d, -pi, pi, random); }},
    {"sinc-pi", 1, [](VectorView x) { return sinc(pi * x[0]); },
     [](Index n, Index d, Random& random) { return uniform_inputs(n, d, -pi, pi, random); }},
    {"step", 1, [](VectorView x) { return x[0] < 0.3   ? 0
                                          : x[0] < 0.7 ? 1
                                                       : -0.5; },
     [](Index n, Index d, Random& random) { return uniform_inputs(n, d, 0, 1, random); }},
    {"doppler", 1,
     [](VectorView x) {
       return std::sqrt(std::max(0.0, x[0] * (1 - x[0]))) * std::sin(2.1 * pi / (x[0] + 0.05));
     },
     [](Index n, Index d, Random& random) { return uniform_inputs(n, d, 0, 1, random); }},
    {"linear", 10,
     [](VectorView x) {
       double sum = 0, coefficient = 1;
       for (const double value : x) sum += coefficient * value, coefficient *= 0.7;
       return sum;
     },
     autoregressive_inputs},
    {"friedman1", 10,
     [](VectorView x) {
       return 10 * std::sin(pi * x[0] * x[1]) + 20 * (x[2] - 0.5) * (x[2] - 0.5) + 10 * x[3] + 5 * x[4];
     },
     [](Index n, Index d, Random& random) { return uniform_inputs(n, d, 0, 1, random); }},
    {"additive-sines", 4,
     [](VectorView x) {
       double sum = 0;
       for (Index j = 0; j < x.size(); ++j) sum += std::sin((j + 1) * pi * x[j]) / static_cast<double>(j + 1);
       return sum;
     },
     [](Index n, Index d, Random& random) { return uniform_inputs(n, d, -1, 1, random); }},
};

/// The problem of this name; only "linear" takes another number of inputs, as in linear:20.
Problem find_problem(std::string_view spec) {
  const auto name = spec.substr(0, spec.find(':'));
  for (Problem problem : kProblems) {
    if (name != problem.name || (name != spec && name != "linear")) continue;
    if (name != spec) {
      const auto digits = spec.substr(name.size() + 1);
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), problem.inputs);
      if (error != std::errc{} || end != digits.data() + digits.size() || problem.inputs < 1)
        throw UsageError(fmt::format("problem '{}': give a whole number of inputs, as in linear:20", spec));
    }
    return problem;
  }
  throw UsageError(fmt::format("unknown problem '{}': use one of {}{}", spec, join(synthetic_names()),
                               suggestion(name, synthetic_names())));
}

}  // namespace

std::vector<std::string> synthetic_names() {
  std::vector<std::string> names;
  for (const auto& problem : kProblems) names.emplace_back(problem.name);
  return names;
}

Synthetic make_synthetic(std::string_view name, Index n, double noise_sd, Random& random) {
  const Problem problem = find_problem(name);
  require(n >= 1, "problem '{}': {} rows were asked for; ask for 1 or more", name, n);
  require(noise_sd >= 0 && std::isfinite(noise_sd),
          "problem '{}': the noise standard deviation is {}, not 0 or more", name, noise_sd);
  Synthetic data{problem.draw(n, problem.inputs, random), Vector(n), Vector(n), noise_sd * noise_sd};
  for (Index i = 0; i < n; ++i) data.truth[i] = problem.f(Vector(data.x.row(i).transpose()));
  data.y = data.truth + noise_sd * random.normal_vector(n);
  return data;
}

double true_function(std::string_view name, VectorView row) {
  const Problem problem = find_problem(name);
  require(row.size() == problem.inputs, "problem '{}' has {} inputs, not {}", name, problem.inputs,
          row.size());
  return problem.f(row);
}

}  // namespace gnomon
