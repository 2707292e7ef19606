#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gnomon {

/// The names of an enumeration as people type them: specialise with `what` it is the name of and `entries`, pairs of name
/// and value. The one table that text is read with and written from.
template <class E>
struct NameTable;

template <class E>
concept HasNames = requires {
  NameTable<E>::what;
  NameTable<E>::entries;
};

template <HasNames E>
std::vector<std::string> names_of_values() {
  std::vector<std::string> names;
  for (const auto& entry : NameTable<E>::entries) names.emplace_back(entry.first);
  return names;
}

/// Names of a catalogue, for lists and messages.
template <class Catalog>
std::vector<std::string> names_of(const Catalog& catalog) {
  std::vector<std::string> names;
  for (const auto& entry : catalog) names.emplace_back(entry.name);
  return names;
}

/// Throws a UsageError that lists what is allowed: "unknown learner 'rigde'; allowed: …".
[[noreturn]] void refuse_unknown(std::string_view what, std::string_view name,
                                 const std::vector<std::string>& allowed);
/// The same for the value of an option: "search 'gird' is unknown; allowed: …".
[[noreturn]] void refuse_name(std::string_view what, std::string_view name,
                              const std::vector<std::string>& allowed);

/// The value of a name; an unknown one is a UsageError.
template <HasNames E>
E value_named(std::string_view name) {
  for (const auto& entry : NameTable<E>::entries) {
    if (entry.first == name) return entry.second;
  }
  refuse_name(NameTable<E>::what, name, names_of_values<E>());
}

template <HasNames E>
std::string_view name_of(E value) {
  for (const auto& entry : NameTable<E>::entries) {
    if (entry.second == value) return entry.first;
  }
  return {};
}

/// A value of an enumeration that can also be given by its name.
template <HasNames E>
class Named {
 public:
  constexpr Named(E value) : value_(value) {}
  Named(std::string_view name) : value_(value_named<E>(name)) {}
  Named(const char* name) : Named(std::string_view(name)) {}
  Named(const std::string& name) : Named(std::string_view(name)) {}

  constexpr operator E() const { return value_; }
  std::string_view name() const { return name_of(value_); }

 private:
  E value_;
};

}  // namespace gnomon
