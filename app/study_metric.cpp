#include "study_metric.hpp"

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/represent/quadrature.hpp"

namespace gnomon::app {
namespace {

enum class Meaning { function_space, train, test, uniform, normal, file };

/// What the text of a metric begins with, up to a colon where a density follows.
Meaning meaning_of(const std::string& text) {
  constexpr std::pair<std::string_view, Meaning> words[] = {{"function-space", Meaning::function_space},
                                                            {"train", Meaning::train},
                                                            {"test", Meaning::test},
                                                            {"uniform", Meaning::uniform},
                                                            {"normal", Meaning::normal}};
  for (const auto& [word, meaning] : words) {
    const bool density = meaning == Meaning::uniform || meaning == Meaning::normal;
    if (text == word || (density && text.starts_with(word) && text[word.size()] == ':')) return meaning;
  }
  return Meaning::file;
}

/// Gaussians a three-hundredth of the interval wide, or a twenty-fifth of sd, are still integrated to all digits.
constexpr Index density_nodes = 1001;

/// "uniform:a:b" or "normal:mean:sd": the error averaged over a known density of the one input.
Metric density_metric(const std::string& text, bool uniform, const Scaling& scaling) {
  const auto parts = split(text, ':');
  const auto a = parts.size() == 3 ? parse_number(parts[1]) : std::nullopt;
  const auto b = parts.size() == 3 ? parse_number(parts[2]) : std::nullopt;
  if (!a || !b)
    throw UsageError(
        fmt::format("`metric` '{}' is not understood; give uniform:a:b or normal:mean:sd", text));
  require(scaling.shift.size() == 1, "`metric` {} describes one input; the data have {}", text,
          scaling.shift.size());
  require(uniform ? *a < *b : *b > 0, "`metric` {}: {}", text,
          uniform ? "a must be below b" : "sd must be positive");
  const Quadrature rule = even_expectation_rule(
      uniform ? Density(UniformDensity{*a, *b}) : Density(NormalDensity{*a, *b}), density_nodes);
  Matrix x = rule.nodes;
  scaling.apply(x);
  const double spacing =
      (x.bottomRows(density_nodes - 1) - x.topRows(density_nodes - 1)).cwiseAbs().maxCoeff();
  return {Metric::Kind::points, {x, rule.weights}, text, spacing};
}

}  // namespace

bool metric_names_a_file(const std::string& text) {
  return !text.empty() && meaning_of(text) == Meaning::file;
}

Matrix scaled_inputs(const Table& table, const FeaturePlan& plan, const Scaling& scaling) {
  Matrix x = plan.encode(table);
  scaling.apply(x);
  return x;
}

Metric parse_metric(const std::string& text, const std::optional<Matrix>& test, const FeaturePlan& plan,
                    const Scaling& scaling) {
  const Meaning meaning = meaning_of(text);
  switch (meaning) {
    case Meaning::function_space:
      return {Metric::Kind::function_space, {}, text};
    case Meaning::train:
      return {Metric::Kind::train, {}, text};
    case Meaning::test:
      require(test.has_value(), "`metric` test needs the test inputs: give `test`");
      return {Metric::Kind::points, metric_points(*test), text};
    case Meaning::uniform:
    case Meaning::normal:
      return density_metric(text, meaning == Meaning::uniform, scaling);
    case Meaning::file:
      break;
  }
  try {
    return {Metric::Kind::points,
            metric_points(scaled_inputs(read_table(text, plan.csv_options()), plan, scaling)), text};
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    fail(
        "`metric` '{}' is neither function-space, train, test, uniform:a:b, normal:mean:sd nor a readable "
        "CSV "
        "of inputs ({})",
        text, error.what());
  }
}

}  // namespace gnomon::app
