#include "chart_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.hpp"

namespace gnomon {
namespace {

constexpr int usual_ticks = 6;
constexpr double largest_value = 1e307;  // so that the length of an axis is finite

/// 1, 2 or 5 times a power of ten: the least that cuts `length` into at most `most` pieces.
double round_step(double length, int most) {
  const double rough = length / most, power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= rough * (1 - 1e-9)) return digit * power;
  }
  return 10 * power;
}

std::string superscript(int number) {
  constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : fmt::format("{}", number)) text += c == '-' ? "⁻" : digits[c - '0'];
  return text;
}

/// Multiples of `step` from low to high.
std::vector<double> multiples(double low, double high, double step) {
  std::vector<double> values;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
    values.push_back(k == 0 ? 0 : k * step);  // no −0
  return values;
}

std::vector<Tick> linear_ticks(double low, double high, int most) {
  std::vector<Tick> ticks;
  for (const double value : multiples(low, high, round_step(high - low, most)))
    ticks.push_back({value, pretty(value, 6)});
  return ticks;
}

/// Whole decades; plain numbers while they are short.
std::vector<Tick> decades(double low, double high, int most) {
  const double step = std::max(1.0, std::ceil((high - low) / most));
  const bool plain = low > -4 && high < 5;
  std::vector<Tick> ticks;
  for (const double exponent : multiples(low, high, step)) {
    const double value = std::pow(10.0, exponent);
    ticks.push_back({value, plain ? pretty(value, 6) : "10" + superscript(static_cast<int>(exponent))});
  }
  return ticks;
}

/// 1, 2 and 5 times powers of ten.
std::vector<Tick> thirds_of_decades(double low, double high) {
  std::vector<Tick> ticks;
  for (double exponent = std::floor(low); exponent <= high; ++exponent) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double at = exponent + std::log10(digit);
      if (at < low - 1e-9 || at > high + 1e-9) continue;
      const double value = digit * std::pow(10.0, exponent);
      ticks.push_back({value, pretty(value, 6)});
    }
  }
  return ticks;
}

}  // namespace

double ChartScale::forward(double value) const {
  if (!std::isfinite(value) || (log_ && !(value > 0))) return undefined;
  return log_ ? std::log10(value) : value;
}

ChartScale::ChartScale(const Axis& axis, const std::vector<double>& values, bool round)
    : log_(axis.log && axis.names.empty()), names_(axis.names) {
  if (!names_.empty()) {
    low_ = static_cast<double>(names_.size()) - 0.4;
    high_ = -0.6;
    return;
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double low = infinity, high = -infinity;
  for (const double value : values) {
    const double at = forward(value);
    if (std::isnan(at)) continue;
    low = std::min(low, at);
    high = std::max(high, at);
  }
  const double lower = forward(axis.lower.value_or(undefined)),
               upper = forward(axis.upper.value_or(undefined));
  const bool fixed_low = !std::isnan(lower), fixed_high = !std::isnan(upper);
  if (fixed_low) low = lower;
  if (fixed_high) high = upper;
  if (!std::isfinite(low)) low = std::isfinite(high) ? high - 1 : 0;
  low = std::clamp(low, -largest_value, largest_value);
  high = std::min(high, largest_value);
  if (!(high - low > 1e-9 * std::abs(low))) {  // one value but for rounding
    const double margin = low == 0 || log_ ? 0.5 : 0.05 * std::abs(low);
    high = low + margin;
    if (!fixed_low) low -= margin;
  }
  if (round && !log_) {
    const double step = round_step(high - low, usual_ticks);
    if (!fixed_low) low = step * std::floor(low / step + 1e-9);
    if (!fixed_high) high = step * std::ceil(high / step - 1e-9);
  } else if (round) {
    const double margin = 0.04 * (high - low);
    if (!fixed_low) low -= margin;
    if (!fixed_high) high += margin;
  }
  low_ = low;
  high_ = high;
}

double ChartScale::fraction(double value) const { return (forward(value) - low_) / (high_ - low_); }

std::vector<Tick> ChartScale::ticks(int most) const {
  std::vector<Tick> ticks;
  if (!names_.empty()) {
    for (std::size_t i = 0; i < names_.size(); ++i) ticks.push_back({static_cast<double>(i), names_[i]});
  } else if (!log_) {
    ticks = linear_ticks(low_, high_, most);
  } else if (high_ - low_ < 0.7) {
    const auto power = [](double exponent) { return std::pow(10.0, std::min(exponent, 307.0)); };
    ticks = linear_ticks(power(low_), power(high_), most);
  } else {
    ticks = high_ - low_ < 3 ? thirds_of_decades(low_, high_) : decades(low_, high_, most);
  }
  std::erase_if(ticks, [&](const Tick& tick) { return std::isnan(fraction(tick.value)); });  // beyond 1e±308
  return ticks;
}

}  // namespace gnomon
