#pragma once

#include <array>

#include "gnomon/core/named.hpp"
#include "gnomon/learn/divergence.hpp"
#include "gnomon/learn/smoother.hpp"
#include "gnomon/select/learner_entry.hpp"
#include "gnomon/select/selected.hpp"

// The names of what a request chooses from, one table for each enumeration.

namespace gnomon {

/// Which weights of a network share a decay: those of a layer, or those of an input (and one for the rest).
enum class DecayGroups { layer, input };

/// Whether one fit is delivered, or an average of all.
enum class Combine { none, average };

template <class E>
using NameEntry = std::pair<std::string_view, E>;

template <>
struct NameTable<Penalty> {
  static constexpr std::string_view what = "penalty";
  static constexpr std::array entries{NameEntry<Penalty>{"function", Penalty::function},
                                      NameEntry<Penalty>{"coefficients", Penalty::coefficients}};
};

template <>
struct NameTable<DecayGroups> {
  static constexpr std::string_view what = "decay-groups";
  static constexpr std::array entries{NameEntry<DecayGroups>{"layer", DecayGroups::layer},
                                      NameEntry<DecayGroups>{"input", DecayGroups::input}};
};

template <>
struct NameTable<Search> {
  static constexpr std::string_view what = "search";
  static constexpr std::array entries{
      NameEntry<Search>{"grid", Search::grid}, NameEntry<Search>{"refine", Search::refine},
      NameEntry<Search>{"gradient", Search::gradient}, NameEntry<Search>{"mackay", Search::mackay}};
};

template <>
struct NameTable<Rule> {
  static constexpr std::string_view what = "rule";
  static constexpr std::array entries{NameEntry<Rule>{"min", Rule::minimum},
                                      NameEntry<Rule>{"1se", Rule::one_standard_error},
                                      NameEntry<Rule>{"paired", Rule::paired}};
};

template <>
struct NameTable<Combine> {
  static constexpr std::string_view what = "combine";
  static constexpr std::array entries{NameEntry<Combine>{"none", Combine::none},
                                      NameEntry<Combine>{"average", Combine::average}};
};

template <>
struct NameTable<Strategy> {
  static constexpr std::string_view what = "strategy";
  static constexpr std::array entries{NameEntry<Strategy>{"auto", Strategy::automatic},
                                      NameEntry<Strategy>{"full", Strategy::full},
                                      NameEntry<Strategy>{"tridiagonal", Strategy::tridiagonal},
                                      NameEntry<Strategy>{"pivoted-cholesky", Strategy::pivoted_cholesky},
                                      NameEntry<Strategy>{"gram", Strategy::gram}};
};

template <>
struct NameTable<Divergence> {
  static constexpr std::string_view what = "divergence";
  static constexpr std::array entries{NameEntry<Divergence>{"best", Divergence::best},
                                      NameEntry<Divergence>{"exact", Divergence::exact},
                                      NameEntry<Divergence>{"mc", Divergence::monte_carlo}};
};

/// How the Stein term is formed: best, exact, mc or mc:PROBES.
struct DivergenceChoice {
  Divergence divergence;
  int probes = 1;
};
DivergenceChoice parse_divergence(std::string_view text);

}  // namespace gnomon
