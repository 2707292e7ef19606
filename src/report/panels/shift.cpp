#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/data/weights.hpp"
#include "report/panel.hpp"
#include "report/shift_charts.hpp"
#include "report/shift_words.hpp"
#include "report/words.hpp"

namespace gnomon {
namespace {

constexpr std::size_t most_densities = 3, most_columns = 10;
constexpr const char* follow_in_words =
    "Where the weights are right, the weighted training inputs follow the test inputs.";

/// How far an input of the test rows lies from that of the training rows.
struct InputShift {
  Index column;
  double train_mean, test_mean;
  double distance;  ///< difference of the means over √((s²_train + s²_test)/2)
  double spread;    ///< s_test/s_train
  double outside;   ///< share of the test rows outside the training range
};

double variance(const VectorView& v) {
  return (v.array() - v.mean()).square().sum() / std::max<double>(1, static_cast<double>(v.size() - 1));
}

std::vector<InputShift> input_shifts(const Study& study) {
  std::vector<InputShift> list;
  for (Index j = 0; j < study.x.cols(); ++j) {
    const Vector train = study.x.col(j), test = study.shift->test_x.col(j);
    const double s_train = variance(train), s_test = variance(test);
    const double scale = std::sqrt((s_train + s_test) / 2), gap = test.mean() - train.mean();
    const auto beyond = test.array() < train.minCoeff() || test.array() > train.maxCoeff();
    list.push_back({j, train.mean(), test.mean(),
                    scale > 0  ? gap / scale
                    : gap == 0 ? 0
                               : undefined,
                    s_train > 0 ? std::sqrt(s_test / s_train) : undefined,
                    static_cast<double>(beyond.count()) / static_cast<double>(test.size())});
  }
  std::stable_sort(list.begin(), list.end(), [](const InputShift& a, const InputShift& b) {
    const auto size = [](const InputShift& s) {
      return std::isnan(s.distance) ? HUGE_VAL : std::abs(s.distance);
    };
    return size(a) > size(b);
  });
  return list;
}

TableBlock shift_table(const Study& study, const std::vector<InputShift>& shifts) {
  TableBlock table{{"input", "training mean", "test mean", "distance", "spread", "outside"}, {}};
  for (std::size_t k = 0; k < shifts.size() && k < most_columns; ++k) {
    const InputShift& s = shifts[k];
    table.rows.push_back({{text_cell(study.feature_names[static_cast<std::size_t>(s.column)]),
                           number_cell(pretty(s.train_mean)), number_cell(pretty(s.test_mean)),
                           number_cell(pretty(s.distance, 2)), number_cell(pretty(s.spread, 2)),
                           number_cell(pretty(100 * s.outside, 2) + " %")}});
  }
  return table;
}

Facts shift_facts(const Study& study, const TargetSelection& t) {
  const ShiftStudy& shift = *study.shift;
  const double exponent = flattening_of(study, t);
  Facts facts;
  const auto add = [&](Fact fact) { facts.facts.push_back(std::move(fact)); };
  if (shift.verdict) add({"verdict", verdict_in_words(shift).first, verdict_in_words(shift).second, true});
  add({"effective sample size", row_count_in_words(effective_sample_size(shift.weight)),
       fmt::format("of {} training rows, weighted in full", shift.weight.size()), true});
  if (exponent != 1)
    add({"effective size of the fit",
         row_count_in_words(effective_sample_size(flattened(shift.weight, exponent))),
         fmt::format("with the weights to the power {}", pretty(exponent)), true});
  if (shift.verdict) {
    const ShiftVerdict& v = *shift.verdict;
    add({"p-value", pretty(v.test.p_value, 3),
         fmt::format("of “no shift”, {} permutations of {} training and {} test rows", v.test.permutations,
                     v.test.train_rows, v.test.test_rows),
         true});
    add({"outside the range", pretty(100 * v.outside_share, 3) + " %",
         "of the test rows lie beyond the training rows in some input"});
  }
  add({"weights", ratio_in_words(shift)});
  return facts;
}

/// "0.35" along the exponents alone, else "flattening = 0.35, λ = 2".
std::string point_in_words(const Study& study, const SelectionPath& path, double tuning, double lambda) {
  const bool by_lambda = path_axis(path).is_lambda();
  if (!by_lambda && tunes_exponent(study)) return pretty(tuning);
  std::vector<std::string> parts;
  if (!path.tuning.empty()) parts.push_back(fmt::format("{} = {}", path.tuning_name, pretty(tuning)));
  if (by_lambda) parts.push_back("λ = " + pretty(lambda, 3));
  return join(parts);
}

std::string pick_in_words(const Study& study, const SelectionPath& path, const PathOutcome& c) {
  return point_in_words(study, path, c.tuning, c.lambda);
}

bool same_pick(const SelectionPath& path, const PathOutcome& c) {
  const PathOutcome& chosen = path.chosen();
  return same_candidate(path, c, chosen) && c.lambda == chosen.lambda;
}

const PathOutcome* find(const SelectionPath& path, std::string_view name) {
  for (const auto& c : path.criteria) {
    if (c.criterion.name == name && c.selected) return &c;
  }
  return nullptr;
}

/// The value of a curve where a criterion has its minimum; undefined off the grid.
double value_at(const SelectionPath& path, const Vector& curve, const PathOutcome& picker) {
  if (!picker.selected) return undefined;
  for (std::size_t k = 0; k < path.lambda.size(); ++k) {
    if (path.lambda[k] == picker.lambda && is_of_candidate(path, k, picker))
      return curve[static_cast<Index>(k)];
  }
  return undefined;
}

const PathOutcome* plain_validation(const SelectionPath& path) {
  const PathOutcome* cv = find(path, "cv");
  return cv ? cv : find(path, "loo");
}

/// "12 % larger", "3.4 times as large".
std::string compared(double ratio) {
  if (ratio >= 2) return pretty(ratio, 2) + " times as large";
  return fmt::format("{} % {}", pretty(100 * std::abs(ratio - 1), 2), ratio < 1 ? "smaller" : "larger");
}

/// What plain validation, which looks at the training inputs, would have done.
std::string plain_validation_in_words(const Study& study, const SelectionPath& path) {
  const PathOutcome* plain = plain_validation(path);
  if (!plain) return "";
  if (plain == &path.chosen())
    return fmt::format(" The choice was made by {}, which does not look at the test inputs; sic and iwcv do.",
                       plain->label);
  if (same_pick(path, *plain)) return fmt::format(" Plain {} would have chosen the same.", plain->label);
  std::string text =
      fmt::format(" Plain {} would have chosen {}", plain->label, pick_in_words(study, path, *plain));
  if (const PathOutcome* fair = find(path, "iwcv")) {
    const double there = value_at(path, fair->curve.value, *plain),
                 here = value_at(path, fair->curve.value, path.chosen());
    if (std::isfinite(there / here))
      text += fmt::format(", where by {} the error at the test inputs is {}", fair->label,
                          compared(there / here));
  }
  return text + ".";
}

/// The true error, where it is known.
std::string truth_in_words(const Study& study, const SelectionPath& path) {
  if (!study.truth || study.truth->value.size() != static_cast<Index>(path.lambda.size())) return "";
  const Vector& truth = study.truth->value;
  Index best = -1;
  for (Index k = 0; k < truth.size(); ++k) {
    if (std::isfinite(truth[k]) && (best < 0 || truth[k] < truth[best])) best = k;
  }
  const double here = value_at(path, truth, path.chosen());
  if (best < 0 || !std::isfinite(here)) return "";
  std::string text =
      fmt::format(" The truth ({}) is {} for the chosen fit", study.truth->description, pretty(here, 3));
  const PathOutcome* plain = plain_validation(path);
  if (plain && plain != &path.chosen() && !same_pick(path, *plain))
    text += fmt::format(", {} for that of {}", pretty(value_at(path, truth, *plain), 3), plain->label);
  const auto k = static_cast<std::size_t>(best);
  return text + fmt::format(", and least at {}, with {}.",
                            point_in_words(study, path, path.tuning.empty() ? undefined : path.tuning[k],
                                           path.lambda[k]),
                            pretty(truth[best], 3));
}

std::string criteria_in_words(const Study& study, const SelectionPath& path) {
  std::vector<std::string> picks;
  for (const auto& c : path.criteria) {
    const bool unbiased_sic =
        c.criterion.needs() == Account::sic && c.criterion.covariance == Criterion::Covariance::divergence;
    if (c.selected && (unbiased_sic || c.criterion.target.where == Target::Where::at_test_inputs))
      picks.push_back(fmt::format("{} picks {}", c.label, pick_in_words(study, path, c)));
  }
  std::string text =
      "sic (Ĵ) compares every fit at the test inputs with the fully weighted one and charges it for its "
      "variance; iwcv multiplies each held-out error by its weight. Both aim at the error at the test "
      "inputs. "
      "cv and loo count every training row alike and aim at the error at the training inputs.";
  if (!picks.empty()) text += fmt::format(" Here {}.", join(picks, ", "));
  return text + plain_validation_in_words(study, path) + truth_in_words(study, path);
}

std::string fit_in_words(const Study& study, const TargetSelection& t) {
  const Vector& w = study.shift->weight;
  const double exponent = flattening_of(study, t);
  std::string text = fmt::format(
      "The weight of a training row is the density of the test inputs there, divided by that of the training "
      "inputs. The fit takes the weights to a power, the flattening: 0 is {}, steady but aimed at where the "
      "training inputs are; 1 weighs every row in full, aimed at the test inputs",
      tunes_exponent(study) ? "ordinary least squares" : "no weighting at all");
  text += fmt::format(" but leaves the strength of {} of {} rows.",
                      row_count_in_words(effective_sample_size(w)), w.size());
  if (!tunes_exponent(study) || t.path()->tuning.empty())
    return text + fmt::format(" It was fixed at {}.", pretty(exponent));
  return text +
         fmt::format(" {} chose {}{}.", t.chosen().label, pretty(exponent),
                     exponent == 0 ? ": weighting did not help by its measure"
                     : exponent == 1
                         ? ": the whole weights"
                         : fmt::format(", which keeps the strength of {} rows",
                                       row_count_in_words(effective_sample_size(flattened(w, exponent)))));
}

}  // namespace

std::vector<Block> shift_panel(const Study& study, Index target) {
  const TargetSelection& t = target_of(study, target);
  if (!study.shift || study.shift->weight.size() != study.x.rows() || !t.path()) return {};
  std::vector<Block> blocks{shift_facts(study, t), Paragraph{fit_in_words(study, t)}};
  if (t.path()->lambda.size() > 1) blocks.emplace_back(Paragraph{criteria_in_words(study, *t.path())});
  if (study.x.cols() == 1) {
    if (has_density(study.x.col(0))) {
      Chart chart = density_chart(study, 0);
      if (study.shift->verdict) chart.note = follow_in_words;
      blocks.emplace_back(std::move(chart));
    }
    blocks.emplace_back(weight_chart(study, t));
    return blocks;
  }
  blocks.emplace_back(sorted_weight_chart(study, t));
  if (study.shift->test_x.rows() == 0) return blocks;
  const auto shifts = input_shifts(study);
  std::size_t drawn = 0;
  for (const InputShift& s : shifts) {
    if (drawn == most_densities || !has_density(study.x.col(s.column))) continue;
    Chart chart = density_chart(study, s.column);
    if (drawn == 0) chart.note = follow_in_words;
    blocks.emplace_back(std::move(chart));
    ++drawn;
  }
  blocks.emplace_back(Heading{"The inputs that differ most"});
  blocks.emplace_back(shift_table(study, shifts));
  blocks.emplace_back(
      Paragraph{"distance: between the means, in standard deviations; spread: standard deviation of the test "
                "rows over that of "
                "the training rows; outside: share of the test rows beyond the training range."});
  return blocks;
}

}  // namespace gnomon
