#include "gnomon/select/choices.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/learn/additive.hpp"
#include "gnomon/noise/noise.hpp"
#include "gnomon/select/learner_entry.hpp"

namespace gnomon {

// The catalogue outlives every choice: no ownership.
LearnerChoice::LearnerChoice(std::string_view name) : entry_(std::shared_ptr<void>(), &find_learner(name)) {}
LearnerChoice::LearnerChoice(LearnerEntry entry)
    : entry_(std::make_shared<const LearnerEntry>(std::move(entry))) {}
const std::string& LearnerChoice::name() const { return entry_->name; }

namespace {

constexpr Index most_alternatives = 100;

/// "a:1..3" as a:1, a:2, a:3; any other text as it is.
std::vector<std::string> in_range(const std::string& text, std::string_view what) {
  const auto colon = text.find(':'), dots = text.find("..");
  if (colon == std::string::npos || dots == std::string::npos || dots < colon) return {text};
  const auto first = parse_number(text.substr(colon + 1, dots - colon - 1)),
             last = parse_number(text.substr(dots + 2));
  const bool whole = first && last && *first == std::floor(*first) && *last == std::floor(*last);
  if (!whole || !(*first >= 1) || !(*last >= *first) || *last - *first >= most_alternatives)
    throw UsageError(
        fmt::format("{} '{}': give a range of whole numbers, from the smaller one, as in {}:1..8", what, text,
                    text.substr(0, colon)));
  std::vector<std::string> names;
  for (double k = *first; k <= *last; ++k) names.push_back(fmt::format("{}:{}", text.substr(0, colon), k));
  return names;
}

/// The names in "linear,polynomial:2..4", each once.
std::vector<std::string> names_in(std::string_view spec, std::string_view what) {
  std::vector<std::string> names;
  for (const std::string& part : split(spec, ',')) {
    for (std::string& name : in_range(part, what)) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
  }
  if (names.empty()) names.emplace_back();
  return names;
}

}  // namespace

KernelChoice::KernelChoice(std::string_view spec)
    : kernel_(parse_kernel(names_in(spec, "kernel").front(), 1)) {
  const auto names = names_in(spec, "kernel");
  if (names.size() > 1) alternatives_.assign(names.begin(), names.end());
}
std::string KernelChoice::name() const {
  if (alternatives_.empty()) return kernel_spec(kernel_);
  std::vector<std::string> names;
  for (const KernelChoice& each : alternatives_) names.push_back(each.name());
  return join(names, ",");
}
bool KernelChoice::takes_width() const {
  if (alternatives_.empty()) return width_of(kernel_).has_value();
  return std::any_of(alternatives_.begin(), alternatives_.end(),
                     [](const KernelChoice& each) { return each.takes_width(); });
}
KernelChoice::KernelChoice(Kernel kernel) : kernel_(std::move(kernel)) {
  own_width_ = width_of(kernel_);
  if (own_width_ && !(*own_width_ > 0 && std::isfinite(*own_width_)))
    fail("kernel '{}': the width is {}, but it must be positive and finite", name(), *own_width_);
}

BasisChoice::BasisChoice(std::string_view spec) : spec_(spec) {
  if (empty()) return;
  const auto names = names_in(spec, "basis");
  for (const std::string& name : names) check_basis_spec(name);
  if (names.size() == 1)
    spec_ = names.front();
  else
    alternatives_.assign(names.begin(), names.end());
}
BasisChoice::BasisChoice(Basis basis) : spec_(basis.spec()), fitted_(std::move(basis)) {}
Basis BasisChoice::fit(const Matrix& x) const {
  require(alternatives_.empty(), "one basis is needed here, not '{}'", spec_);
  if (fitted_) return *fitted_;
  const std::string spec = empty() ? "linear" : spec_;
  return columns_.empty() ? Basis::fit(spec, x) : Basis::fit_on(columns_, spec, x);
}
BasisChoice BasisChoice::on(std::vector<Index> columns) const {
  require(!fitted_ && alternatives_.empty(), "one basis by name is needed for some of the columns, not '{}'",
          spec_);
  BasisChoice some = *this;
  some.columns_ = std::move(columns);
  return some;
}

namespace {

/// "a,b;c"
std::string text_of_lists(const std::vector<std::vector<std::string>>& lists) {
  std::vector<std::string> parts;
  for (const auto& list : lists) parts.push_back(join(list, ","));
  return join(parts, ";");
}

}  // namespace

std::string GroupChoice::text() const {
  switch (kind_) {
    case Kind::none:
      return "";
    case Kind::all:
      return "all";
    case Kind::each:
      return "each";
    case Kind::named:
      break;
  }
  return text_of_lists(columns_);
}

SubsetChoice::SubsetChoice(std::vector<std::vector<std::string>> columns)
    : kind_(Kind::named), columns_(std::move(columns)) {
  const bool empty =
      columns_.empty() || std::any_of(columns_.begin(), columns_.end(), [](const auto& subset) {
        return subset.empty() || std::find(subset.begin(), subset.end(), "") != subset.end();
      });
  if (empty)
    throw UsageError(
        fmt::format("subsets '{}' has an empty subset or name; give col;col,col, nested or every", text()));
}

std::string SubsetChoice::text() const {
  switch (kind_) {
    case Kind::none:
      return "";
    case Kind::nested:
      return "nested";
    case Kind::every:
      return "every";
    case Kind::named:
      break;
  }
  return text_of_lists(columns_);
}

HiddenLayers::HiddenLayers(std::vector<Index> units) : units_(std::move(units)) {
  require(std::all_of(units_.begin(), units_.end(), [](Index u) { return u >= 1 && u <= 10000; }),
          "hidden layers have from 1 to 10000 units; give no layer at all for none");
}

std::string HiddenLayers::text() const {
  std::vector<std::string> layers;
  for (const Index units : units_) layers.push_back(std::to_string(units));
  return layers.empty() ? "0" : join(layers, ",");
}

NoiseChoice::NoiseChoice(NoiseMethod method)
    : text_(method.name), own_(std::make_shared<const NoiseMethod>(std::move(method))) {
  require(own_->estimate != nullptr && !text_.empty(),
          "a noise method of your own needs a name and a function that estimates");
}
NoiseMethod NoiseChoice::method() const { return own_ ? *own_ : find_noise_method(text_); }

ShiftFamily::ShiftFamily(std::string_view name) : name_(name) { check_shift_family(name); }

}  // namespace gnomon
