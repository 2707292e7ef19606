// How the texts of a request are read. Everything else works with what they mean.

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/select/choices.hpp"
#include "gnomon/select/names.hpp"
#include "gnomon/select/values.hpp"
#include "grid.hpp"

namespace gnomon {
namespace {

std::vector<double> ascending(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// As require(), of a value that is wrong whatever the data.
template <class... Args>
void require_value(bool condition, fmt::format_string<Args...> message, Args&&... args) {
  if (!condition) throw UsageError(fmt::format(message, std::forward<Args>(args)...));
}

bool is_whole_between(double value, double least, double most) {
  return value >= least && value <= most && value == std::floor(value);
}

void check_sign(double value, std::string_view text, const ValueRule& rule) {
  require_value(std::isfinite(value) && (rule.positive ? value > 0 : value >= 0),
                "`{}` {} is not allowed; values must be finite and {}", rule.name, text,
                rule.positive ? "positive" : "≥ 0");
}

/// lo:hi:count (log-spaced), or a,b,c.
std::vector<double> read_logarithmic(std::string_view text, const ValueRule& rule) {
  const auto number = [&](const std::string& part) {
    const auto value = parse_number(part);
    if (!value)
      throw UsageError(fmt::format("`{}` '{}' is not understood; give {}, lo:hi:count, or numbers a,b,c",
                                   rule.name, text, rule.automatic));
    return *value;
  };
  const auto allowed = [&](const std::string& part) {
    const double value = number(part);
    check_sign(value, part, rule);
    return value;
  };
  if (const auto parts = split(text, ':'); parts.size() == 3) {
    const double lo = allowed(parts[0]), hi = allowed(parts[1]), count = number(parts[2]);
    require_value(lo > 0 && hi > lo, "`{}` {}: lo must be positive and below hi (the spacing is logarithmic)",
                  rule.name, text);
    require_value(is_whole_between(count, 2, 100000),
                  "`{}` {}: count must be a whole number from 2 to 100000", rule.name, text);
    return log_grid(lo, hi, static_cast<int>(count));
  }
  std::vector<double> values;
  for (const auto& part : split(text, ',')) values.push_back(allowed(part));
  if (values.empty())
    throw UsageError(
        fmt::format("`{}` is empty; give {}, lo:hi:count, or numbers a,b,c", rule.name, rule.automatic));
  return ascending(std::move(values));
}

void check_shares(const std::vector<double>& values, std::string_view text, std::string_view what) {
  require_value(values.front() >= 0 && values.back() <= 1, "`{}` {}: values must lie in [0,1]", what, text);
}

/// lo:hi:count (evenly spaced), or a,b,c, in [0,1].
std::vector<double> read_even(std::string_view text, const ValueRule& rule) {
  std::vector<double> values;
  const bool range = text.find(':') != std::string_view::npos;
  const auto parts = split(text, range ? ':' : ',');
  for (const auto& part : parts) {
    const auto value = parse_number(part);
    if (!value || (range && parts.size() != 3))
      throw UsageError(fmt::format("`{}` '{}' is not understood; give lo:hi:count or numbers a,b,c in [0,1]",
                                   rule.name, text));
    values.push_back(*value);
  }
  if (values.empty())
    throw UsageError(fmt::format("`{}` is empty; give lo:hi:count or numbers a,b,c in [0,1]", rule.name));
  if (range) {
    const double lo = values[0], hi = values[1], count = values[2];
    require_value(is_whole_between(count, 2, 10000) && lo < hi,
                  "`{}` {}: lo must be below hi and count a whole number from 2 to 10000", rule.name, text);
    values = even_grid(lo, hi, static_cast<int>(count));
  }
  values = ascending(std::move(values));
  check_shares(values, text, rule.name);
  return values;
}

/// a,b,c of either sign.
std::vector<double> read_list(std::string_view text, const ValueRule& rule) {
  std::vector<double> values;
  for (const auto& part : split(text, ',')) {
    const auto value = parse_number(part);
    if (!value || !std::isfinite(*value))
      throw UsageError(fmt::format("`{}` '{}' is not understood; give {}, or numbers a,b,c", rule.name, text,
                                   rule.automatic));
    values.push_back(*value);
  }
  if (values.empty())
    throw UsageError(fmt::format("`{}` is empty; give {}, or numbers a,b,c", rule.name, rule.automatic));
  return ascending(std::move(values));
}

std::vector<double> read_text(std::string_view text, const ValueRule& rule) {
  switch (rule.spacing) {
    case Spacing::logarithmic:
      return read_logarithmic(text, rule);
    case Spacing::even:
      return read_even(text, rule);
    case Spacing::none:
      return read_list(text, rule);
  }
  fail("`{}` has no spacing", rule.name);
}

/// Numbers must pass what their text would have to.
std::vector<double> read_numbers(std::vector<double> values, const ValueRule& rule) {
  require_value(!values.empty(), "`{}` is an empty list; give one value or more", rule.name);
  for (const double value : values) {
    require_value(std::isfinite(value), "`{}` {} is not allowed; values must be finite", rule.name, value);
    if (rule.spacing == Spacing::logarithmic) check_sign(value, fmt::format("{}", value), rule);
  }
  values = ascending(std::move(values));
  if (rule.spacing == Spacing::even) check_shares(values, Values(values).text(), rule.name);
  return values;
}

/// "a,b;c" as {{a, b}, {c}}.
std::vector<std::vector<std::string>> lists_of_columns(std::string_view text) {
  std::vector<std::vector<std::string>> lists;
  for (const auto& list : split(text, ';')) lists.push_back(split(list, ','));
  return lists;
}

}  // namespace

bool Values::automatic() const {
  const auto* text = std::get_if<std::string>(&said_);
  return said_.index() == 0 || (text && (text->empty() || *text == "auto" || *text == "median"));
}

std::string Values::text() const {
  if (const auto* text = std::get_if<std::string>(&said_)) return *text;
  std::vector<std::string> parts;
  if (const auto* values = std::get_if<std::vector<double>>(&said_)) {
    for (const double value : *values) parts.push_back(fmt::format("{}", value));
  }
  return join(parts, ",");
}

std::vector<double> Values::read(const ValueRule& rule) const {
  if (said_.index() == 0) return {};
  if (const auto* values = std::get_if<std::vector<double>>(&said_)) return read_numbers(*values, rule);
  const std::string& text = std::get<std::string>(said_);
  return text == rule.automatic ? std::vector<double>() : read_text(text, rule);
}

GroupChoice::GroupChoice(std::string_view text) {
  if (text.empty()) return;
  kind_ = text == "all" ? Kind::all : text == "each" ? Kind::each : Kind::named;
  if (kind_ != Kind::named) return;
  columns_ = lists_of_columns(text);
  if (std::any_of(columns_.begin(), columns_.end(), [](const auto& group) { return group.empty(); }))
    throw UsageError(fmt::format("groups '{}' has an empty group; give col,col;col or each", text));
}

SubsetChoice::SubsetChoice(std::string_view text) {
  if (text.empty()) return;
  if (text == "nested")
    kind_ = Kind::nested;
  else if (text == "every")
    kind_ = Kind::every;
  else
    *this = SubsetChoice(lists_of_columns(text));
}

HiddenLayers::HiddenLayers(std::string_view text) {
  for (const auto& part : split(text, ',')) {
    const auto units = parse_number(part);
    if (!units || !is_whole_between(*units, 0, 10000))
      throw UsageError(
          fmt::format("hidden '{}' is not understood; give up to 10000 units, or a,b for two layers", text));
    units_.push_back(static_cast<Index>(*units));
  }
  if (units_ == std::vector<Index>{0}) {  // no hidden layer
    units_.clear();
  } else if (units_.empty() || std::find(units_.begin(), units_.end(), 0) != units_.end()) {
    throw UsageError(
        fmt::format("hidden '{}' has a layer without units; give 0 alone for no hidden layer", text));
  }
}

DivergenceChoice parse_divergence(std::string_view text) {
  const auto parts = split(text, ':');
  DivergenceChoice choice{value_named<Divergence>(parts.empty() ? text : parts[0])};
  if (parts.size() < 2) return choice;
  const auto probes = parse_number(parts[1]);
  if (parts.size() > 2 || choice.divergence != Divergence::monte_carlo || !probes ||
      !is_whole_between(*probes, 1, 1e6))
    throw UsageError(
        fmt::format("divergence '{}' is not understood; give best, exact, mc or mc:PROBES", text));
  choice.probes = static_cast<int>(*probes);
  return choice;
}

}  // namespace gnomon
