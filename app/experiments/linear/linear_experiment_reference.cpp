// What the linear experiment should give: P_imp and MRGI of an independent implementation, other seeds, 5000 data sets.

#include <array>
#include <cmath>

#include "linear_experiment.hpp"

namespace gnomon::experiments {
namespace {

struct Row {
  Chooser chooser;
  std::array<std::array<double, 2>, 4> cells;
};

constexpr std::array<double, 4> noise_levels{0.1, 0.5, 1.0, 2.0};

constexpr std::array<Row, 9> low{{
    {Chooser::optimal, {{{.679, 3.54}, {.857, 6.36}, {.924, 8.39}, {.977, 11.59}}}},
    {Chooser::gen, {{{.625, 0.49}, {.774, 2.33}, {.837, 4.05}, {.897, 6.38}}}},
    {Chooser::gen_eq14, {{{.603, 0.58}, {.725, 2.66}, {.772, 4.38}, {.835, 7.19}}}},
    {Chooser::loo, {{{.566, 0.34}, {.682, 2.32}, {.731, 4.05}, {.800, 7.36}}}},
    {Chooser::evidence, {{{.580, 0.52}, {.680, 2.51}, {.732, 4.15}, {.805, 7.61}}}},
    {Chooser::gcv, {{{.580, 0.50}, {.683, 2.53}, {.732, 4.24}, {.804, 7.51}}}},
    {Chooser::cp, {{{.580, 0.50}, {.683, 2.53}, {.732, 4.29}, {.803, 7.55}}}},
    {Chooser::ten_fold, {{{.523, 0.04}, {.657, 1.97}, {.719, 3.66}, {.792, 7.14}}}},
    {Chooser::fper, {{{.617, 0.57}, {.737, 2.52}, {.776, 4.01}, {.820, 6.72}}}},
}};

constexpr std::array<Row, 9> high4{{
    {Chooser::optimal, {{{.528, 2.16}, {.678, 3.60}, {.800, 5.65}, {.927, 9.22}}}},
    {Chooser::gen, {{{.435, -0.34}, {.579, -0.37}, {.649, 0.00}, {.752, 1.44}}}},
    {Chooser::gen_eq14, {{{.484, -0.57}, {.493, -3.44}, {.482, -3.07}, {.621, 1.16}}}},
    {Chooser::loo, {{{.395, -1.06}, {.494, -2.83}, {.534, -2.11}, {.642, 1.15}}}},
    {Chooser::evidence, {{{.083, -59.2}, {.095, -22.4}, {.238, -11.2}, {.497, -0.35}}}},
    {Chooser::gcv, {{{.469, -0.85}, {.517, -2.46}, {.552, -1.75}, {.653, 1.28}}}},
    {Chooser::cp, {{{.469, -0.85}, {.519, -2.20}, {.566, -1.34}, {.671, 1.65}}}},
    {Chooser::ten_fold, {{{.332, -1.35}, {.431, -3.64}, {.494, -2.82}, {.626, 0.95}}}},
    {Chooser::fper, {{{.490, -0.49}, {.563, -1.42}, {.599, -1.09}, {.679, 1.09}}}},
}};

}  // namespace

bool reference_cell(Spread spread, double noise_to_signal, Chooser chooser, double& improved, double& gain) {
  if (spread == Spread::highraw) return false;
  for (const Row& row : spread == Spread::low ? low : high4) {
    if (row.chooser != chooser) continue;
    for (std::size_t i = 0; i < noise_levels.size(); ++i) {
      if (noise_levels[i] != noise_to_signal) continue;
      improved = row.cells[i][0];
      gain = row.cells[i][1];
      return true;
    }
  }
  return false;
}

std::vector<AcceptanceRow> check_against_reference(const std::vector<LinearExperimentCondition>& conditions) {
  std::vector<AcceptanceRow> rows;
  for (const auto& condition : conditions) {
    for (const auto& cell : condition.cells) {
      double improved, gain;
      if (!reference_cell(condition.spread, condition.noise_to_signal, cell.chooser, improved, gain))
        continue;
      const double root2 = std::sqrt(2.0);
      AcceptanceRow row{condition.spread,
                        condition.noise_to_signal,
                        cell.chooser,
                        (cell.improved - improved) / (root2 * cell.improved_se),
                        (cell.gain - gain) / (root2 * cell.gain_se),
                        false};
      row.accepted = std::abs(row.improved_deviation) <= 4 && std::abs(row.gain_deviation) <= 4;
      rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace gnomon::experiments
