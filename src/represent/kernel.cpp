#include "gnomon/represent/kernel.hpp"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon {
namespace {

constexpr int kMaxDegree = 64;

/// Calls visit with each kernel that has a name in gnomon, parameters at their defaults.
template <class Visit>
void for_each_kernel(const Visit& visit) {
  const auto visit_named = [&]<class K>(std::type_identity<K>) {
    if constexpr (!std::is_same_v<K, OwnKernel>) visit(K{});
  };
  [&]<class... K>(std::type_identity<std::variant<K...>>) {
    (visit_named(std::type_identity<K>{}), ...);
  }(std::type_identity<Kernel>{});
}

std::optional<Kernel> by_name(std::string_view name) {
  std::optional<Kernel> found;
  for_each_kernel([&](auto kernel) {
    if (name == kernel.name) found = kernel;
  });
  return found;
}

/// What other software calls a kernel of ours by a name that is not like its name here.
struct NameElsewhere {
  std::string_view name, here;
};
constexpr NameElsewhere names_elsewhere[] = {{"rbf", "gaussian, its width 1/√(2·gamma)"}};

[[noreturn]] void unknown_kernel(std::string_view spec) {
  std::vector<std::string> names;
  for_each_kernel([&](auto kernel) { names.emplace_back(kernel.name); });
  const std::string_view name = spec.substr(0, spec.find(':'));
  std::string hint = suggestion(name, names);
  for (const NameElsewhere& other : names_elsewhere)
    if (name == other.name) hint = fmt::format("; here it is {}", other.here);
  throw UsageError(fmt::format("unknown kernel '{}': use one of {}{}", spec, join(kernel_names()), hint));
}

int parse_degree(std::string_view spec) {
  const auto colon = spec.find(':');
  const auto digits = colon == std::string_view::npos ? std::string_view() : spec.substr(colon + 1);
  int degree = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), degree);
  if (error != std::errc{} || end != digits.data() + digits.size() || degree < 1 || degree > kMaxDegree)
    throw UsageError(
        fmt::format("kernel '{}': give a whole degree from 1 to {}, as in polynomial:3", spec, kMaxDegree));
  return degree;
}

}  // namespace

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for_each_kernel([&](auto kernel) {
    names.emplace_back(kernel.name);
    if constexpr (requires { kernel.degree; }) names.back() += ":D";
  });
  return names;
}

Kernel parse_kernel(std::string_view spec, double width) {
  const auto name = spec.substr(0, spec.find(':'));
  auto kernel = by_name(name);
  if (!kernel || (name != Polynomial::name && name != spec)) unknown_kernel(spec);
  if (auto* polynomial = std::get_if<Polynomial>(&*kernel)) polynomial->degree = parse_degree(spec);
  return with_width(*kernel, width);
}

bool uses_width(std::string_view spec) {
  const auto kernel = by_name(spec.substr(0, spec.find(':')));
  if (!kernel) unknown_kernel(spec);
  return width_of(*kernel).has_value();
}

std::optional<double> width_of(const Kernel& kernel) {
  return std::visit(
      []<class K>(const K& k) -> std::optional<double> {
        if constexpr (std::is_same_v<K, OwnKernel>)
          return k.width();
        else if constexpr (requires { k.width; })
          return k.width;
        else
          return std::nullopt;
      },
      kernel);
}

Kernel with_width(const Kernel& kernel, double width) {
  if (!width_of(kernel)) return kernel;
  if (!(width > 0 && std::isfinite(width)))
    throw UsageError(fmt::format("kernel '{}': the width is {}, but it must be positive and finite",
                                 kernel_spec(kernel), width));
  return std::visit(
      [&]<class K>(K k) -> Kernel {
        if constexpr (std::is_same_v<K, OwnKernel>)
          return k.of_width(width);
        else if constexpr (requires { k.width; })
          k.width = width;
        return k;
      },
      kernel);
}

std::string kernel_spec(const Kernel& kernel) {
  if (const auto* k = std::get_if<Polynomial>(&kernel)) return fmt::format("{}:{}", k->name, k->degree);
  return std::visit(
      []<class K>(const K& k) {
        if constexpr (std::is_same_v<K, OwnKernel>)
          return k.name();
        else
          return std::string(k.name);
      },
      kernel);
}

std::string describe(const Kernel& kernel) {
  const auto width = width_of(kernel);
  return kernel_spec(kernel) + (width ? fmt::format(" (width {})", pretty(*width)) : "");
}

nlohmann::json kernel_to_json(const Kernel& kernel) {
  nlohmann::json json;
  std::visit(
      [&]<class K>(const K& k) {
        if constexpr (std::is_same_v<K, OwnKernel>) {
          fail(
              "kernel '{}' cannot be saved to a file: it is not one of gnomon's, and who reads the file "
              "would not "
              "have its function; predict in the program that brings it",
              k.name());
        } else {
          json["name"] = k.name;
          if constexpr (requires { k.width; }) json["width"] = k.width;
          if constexpr (requires { k.degree; }) json["degree"] = k.degree;
        }
      },
      kernel);
  return json;
}

Kernel kernel_from_json(const nlohmann::json& json) {
  require(json.is_object() && json.contains("name") && json["name"].is_string(),
          "the kernel of this model has no name: the file is damaged or was not written by gnomon");
  std::string spec = json["name"];
  if (spec == Polynomial::name) spec += fmt::format(":{}", json.value("degree", 0));
  return parse_kernel(spec, uses_width(spec) ? json.value("width", 0.0) : 1.0);
}

}  // namespace gnomon
