#include "study_metric.hpp"

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/represent/quadrature.hpp"

namespace gnomon::app {
namespace {

/// "uniform:a:b" or "normal:mean:sd": the error averaged over a known density of the one input.
MetricPoints density_points(const std::string& text, const std::vector<std::string>& parts,
                            const Scaling& scaling) {
  const auto a = parts.size() == 3 ? parse_number(parts[1]) : std::nullopt;
  const auto b = parts.size() == 3 ? parse_number(parts[2]) : std::nullopt;
  if (!a || !b)
    throw UsageError(
        fmt::format("`metric` '{}' is not understood; give uniform:a:b or normal:mean:sd", text));
  require(scaling.shift.size() == 1, "`metric` {} describes one input; the data have {}", text,
          scaling.shift.size());
  const bool uniform = parts[0] == "uniform";
  require(uniform ? *a < *b : *b > 0, "`metric` {}: {}", text,
          uniform ? "a must be below b" : "sd must be positive");
  const Quadrature rule =
      expectation_rule(uniform ? Density(UniformDensity{*a, *b}) : Density(NormalDensity{*a, *b}), 200);
  Matrix x = rule.nodes;
  scaling.apply(x);
  return {x, rule.weights};
}

bool names_a_density(const std::string& text) {
  return text == "uniform" || text == "normal" || text.starts_with("uniform:") || text.starts_with("normal:");
}

}  // namespace

bool metric_names_a_file(const std::string& text) {
  return !text.empty() && text != "function-space" && text != "train" && text != "test" &&
         !names_a_density(text);
}

Matrix scaled_inputs(const Table& table, const FeaturePlan& plan, const Scaling& scaling) {
  Matrix x = plan.encode(table);
  scaling.apply(x);
  return x;
}

Metric parse_metric(const std::string& text, const std::optional<Matrix>& test, const FeaturePlan& plan,
                    const Scaling& scaling) {
  if (text == "function-space") return {Metric::Kind::function_space, {}, text};
  if (text == "train") return {Metric::Kind::train, {}, text};
  if (text == "test") {
    require(test.has_value(), "`metric` test needs the test inputs: give `test`");
    return {Metric::Kind::points, metric_points(*test), text};
  }
  if (names_a_density(text))
    return {Metric::Kind::points, density_points(text, split(text, ':'), scaling), text};
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
