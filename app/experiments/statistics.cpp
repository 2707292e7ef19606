#include "statistics.hpp"

#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::app {
namespace {

/// I_x(a, b) by its continued fraction (DLMF 8.17.22), evaluated by Lentz's method.
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
  constexpr double tiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < tiny ? tiny : d);
  double fraction = d;
  for (int m = 1; m <= 500; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double change = 1;
    for (const double term : {even, odd}) {
      d = 1 + term * d;
      d = 1 / (std::abs(d) < tiny ? tiny : d);
      c = 1 + term / c;
      if (std::abs(c) < tiny) c = tiny;
      change = c * d;
      fraction *= change;
    }
    if (std::abs(change - 1) < 1e-15) break;
  }
  const double log_front =
      std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x);
  return std::exp(log_front) * fraction / a;
}

}  // namespace

double Summary::standard_error() const { return deviation / std::sqrt(static_cast<double>(count)); }

Summary summary_of(const VectorView& sample) {
  const double n = static_cast<double>(sample.size()), mean = sample.mean();
  return {mean, std::sqrt((sample.array() - mean).square().sum() / (n - 1)), sample.size()};
}

double Printed::value() const {
  const auto number = parse_number(text);
  require(number.has_value(), "'{}' is no number", text);
  return *number;
}

double Printed::spacing() const {
  const std::size_t point = text.find('.');
  return point == std::string_view::npos ? 1 : std::pow(10.0, -static_cast<double>(text.size() - point - 1));
}

Finding finding_of(std::string name, const Summary& ours, const Printed& expected, Index trials) {
  const double rounding = expected.spacing() / std::sqrt(12.0);  // an error uniform over the last digit
  return {.name = std::move(name),
          .ours = ours.mean,
          .standard_error = ours.standard_error(),
          .expected = expected.value(),
          .expected_error = std::hypot(ours.deviation / std::sqrt(static_cast<double>(trials)), rounding),
          .source = "reference implementation"};
}

double student_two_sided(double t, double degrees_of_freedom) {
  if (std::isnan(t)) return undefined;
  return incomplete_beta(degrees_of_freedom / 2, 0.5, degrees_of_freedom / (degrees_of_freedom + t * t));
}

double paired_t_test(const VectorView& a, const VectorView& b) {
  const Summary difference = summary_of(a - b);
  if (difference.deviation == 0) return difference.mean == 0 ? 1 : 0;
  return student_two_sided(difference.mean / difference.standard_error(),
                           static_cast<double>(difference.count - 1));
}

double unpaired_t_test(const Summary& a, const Summary& b) {
  const double va = a.standard_error() * a.standard_error(), vb = b.standard_error() * b.standard_error();
  if (va + vb == 0) return a.mean == b.mean ? 1 : 0;
  const double degrees =
      (va + vb) * (va + vb) /
      (va * va / static_cast<double>(a.count - 1) + vb * vb / static_cast<double>(b.count - 1));
  return student_two_sided((a.mean - b.mean) / std::sqrt(va + vb), degrees);
}

std::string p_in_words(double p) { return p < 0.001 ? "< 0.001" : fmt::format("{:.3f}", p); }

}  // namespace gnomon::app
