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

KernelChoice::KernelChoice(std::string_view spec) : kernel_(parse_kernel(spec, 1)) {}
KernelChoice::KernelChoice(Kernel kernel) : kernel_(std::move(kernel)) {
  own_width_ = width_of(kernel_);
  if (own_width_ && !(*own_width_ > 0 && std::isfinite(*own_width_)))
    fail("kernel '{}': the width is {}, but it must be positive and finite", name(), *own_width_);
}

BasisChoice::BasisChoice(std::string_view spec) : spec_(spec) {
  if (!empty()) check_basis_spec(spec);
}
BasisChoice::BasisChoice(Basis basis) : spec_(basis.spec()), fitted_(std::move(basis)) {}
Basis BasisChoice::fit(const Matrix& x) const {
  return fitted_ ? *fitted_ : Basis::fit(empty() ? "linear" : spec_, x);
}

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
  std::vector<std::string> groups;
  for (const auto& group : columns_) groups.push_back(join(group, ","));
  return join(groups, ";");
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
