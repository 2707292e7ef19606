// How well do the density ratios of small samples come out? True ratios are known; fixed seeds.
//
//   study_ratio [draws]
//       Mean over draws of the squared error of the weights at the training rows, (1/n) Σ (ŵ − w)², both with mean 1 (so that the
//       relative ratio and weights known up to a factor compare), for every method with its own tuning; and for uLSIF under other
//       ways to tune it: half of the test rows as centres and the other rows scored in pairs (gnomon's former rule), the
//       published one, all of them as centres (at most 100) and every pair scored, and the best width and λ in hindsight.
//
// Prints a Markdown table. study_ratio.md is its output with conclusions.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "gnomon/gnomon.hpp"
#include "shift/least_squares_ratio.hpp"
#include "shift/methods.hpp"
#include "statistics.hpp"

namespace {

using namespace gnomon;

/// Training inputs N(0, I); test inputs N(m 1/√d, s² I).
struct Case {
  Index n, m, d;
  double shift, sd;
};
const std::vector<Case> cases{{60, 35, 1, 0.5, 0.7}, {60, 35, 2, 0.7, 0.8}, {60, 35, 5, 0.7, 0.9},
                              {60, 35, 1, 0, 1},     {150, 100, 1, 1, 0.5}, {200, 200, 3, 0.8, 0.8},
                              {500, 40, 2, 1, 0.6},  {40, 500, 2, 0.5, 0.8}};

struct Draw {
  Matrix train, test;
  Vector ratio;  ///< at the training rows
};

Draw draw_of(const Case& c, std::uint64_t stream) {
  Random random(2024, stream);
  Draw out{Matrix(c.n, c.d), Matrix(c.m, c.d), Vector(c.n)};
  const double mean = c.shift / std::sqrt(static_cast<double>(c.d));
  for (Index j = 0; j < c.d; ++j) {
    out.train.col(j) = random.normal_vector(c.n);
    out.test.col(j) = mean + c.sd * random.normal_vector(c.m).array();
  }
  for (Index i = 0; i < c.n; ++i)
    out.ratio[i] = std::exp(0.5 * out.train.row(i).squaredNorm() -
                            0.5 * ((out.train.row(i).array() - mean) / c.sd).square().sum()) /
                   std::pow(c.sd, static_cast<double>(c.d));
  return out;
}

double error_of(const Vector& weight, const Vector& ratio) {
  const double mean = weight.mean();
  if (!(mean > 0)) return (ratio / ratio.mean()).squaredNorm() / static_cast<double>(ratio.size());
  return (weight / mean - ratio / ratio.mean()).squaredNorm() / static_cast<double>(ratio.size());
}

enum class Centres { half, all, hindsight };

/// uLSIF with its parts put together by hand.
double by_hand(const Draw& draw, Centres rule) {
  const TwoSamples samples = prepare_samples(draw.train, draw.test, 0);
  const Index m = samples.test.rows(), centres_wanted = rule == Centres::half ? (m + 1) / 2 : m;
  const Matrix centres = samples.centres(std::min<Index>(100, centres_wanted));
  const auto widths = width_grid(samples, {}), lambdas = log_grid(1e-4, 10, Index{10});
  const auto weights_at = [&](Index w, Index l) -> Vector {
    const auto fit =
        least_squares_ratio(samples.train, samples.test, centres, widths[static_cast<std::size_t>(w)],
                            lambdas[static_cast<std::size_t>(l)]);
    return fit.ratio.at(samples.scale(draw.train));
  };
  if (rule == Centres::hindsight) {
    double least = HUGE_VAL;
    for (Index w = 0; w < 10; ++w)
      for (Index l = 0; l < 10; ++l) least = std::min(least, error_of(weights_at(w, l), draw.ratio));
    return least;
  }
  Matrix test = samples.test;
  Index pairs = std::min(m, samples.train.rows());
  if (rule == Centres::half) {
    const Index others = m - centres.rows();
    test << samples.test.bottomRows(others), centres;
    pairs = std::min(others, samples.train.rows());
  }
  const Matrix scores = least_squares_ratio_scores(samples.train, test, centres, widths, lambdas, 0, pairs);
  Index w = 0, l = 0;
  scores.minCoeff(&w, &l);
  return error_of(weights_at(w, l), draw.ratio);
}

}  // namespace

int main(int count, char** arguments) {
  const int draws = count > 1 ? std::atoi(arguments[1]) : 100;
  std::vector<std::string> methods = ratio_methods();
  std::printf(
      "| rows, test rows, inputs, shift | uLSIF, half as centres | uLSIF, pairs | hindsight | no weights |");
  for (const auto& method : methods) std::printf(" %s |", method.c_str());
  std::printf("\n|---|---|---|---|---|");
  for (std::size_t k = 0; k < methods.size(); ++k) std::printf("---|");
  std::printf("\n");
  for (const Case& c : cases) {
    std::map<std::string, std::vector<double>> errors;
    for (int d = 0; d < draws; ++d) {
      const Draw draw = draw_of(c, static_cast<std::uint64_t>(d));
      errors["half"].push_back(by_hand(draw, Centres::half));
      errors["all"].push_back(by_hand(draw, Centres::all));
      if (c.n * c.m <= 60 * 35) errors["hindsight"].push_back(by_hand(draw, Centres::hindsight));
      errors["none"].push_back(error_of(Vector::Ones(c.n), draw.ratio));
      for (const auto& method : methods) {
        try {
          errors[method].push_back(
              error_of(estimate_density_ratio(method, draw.train, draw.test).train_weight, draw.ratio));
        } catch (const Error&) {  // no width reaches every row: as without weights
          errors[method].push_back(errors["none"].back());
        }
      }
    }
    std::printf("| %d, %d, %d, %.1f to sd %.1f |", static_cast<int>(c.n), static_cast<int>(c.m),
                static_cast<int>(c.d), c.shift, c.sd);
    const auto cell = [&](const std::string& name) {
      const auto& e = errors[name];
      if (e.empty())
        std::printf(" – |");
      else
        std::printf(" %.3f (%.3f) |", bench::mean(e), bench::standard_error(e));
    };
    for (const char* name : {"half", "all", "hindsight", "none"}) cell(name);
    for (const auto& method : methods) cell(method);
    std::printf("\n");
    std::fflush(stdout);
  }
}
