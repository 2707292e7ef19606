// The benchmark of Sugiyama & Müller (2002): kernel ridge on sets of the DELVE collection, 100 rows to learn from, the rest to
// test on, 100 random splits. Attributes and output lie in [0, 1]; Gaussian kernel of width 1, penalty λ‖α‖², no intercept.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "box_plot.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "delve_sets.hpp"
#include "experiment.hpp"
#include "exponent_curves.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/version.hpp"
#include "kernel_choosers.hpp"
#include "statistics.hpp"

namespace gnomon::app {
namespace {

constexpr Index delve_rows = 100, delve_reference_splits = 100, low_end_reference_splits = 33;
constexpr Index delve_choosers = 4;  // without the known variance
constexpr int usual_end = -3, lowest_end = -8, upper_end = 3;
constexpr Index low_ends = usual_end - lowest_end + 1;
constexpr double significance = 0.05;

/// Test error at the choice over the least on the grid, from a reference implementation with 100 splits.
struct DelveExpectation {
  std::string_view set;
  Index rows;                                 ///< of the whole set: another number is another set
  std::array<Printed, delve_choosers> ratio;  ///< in the order of kernel_choosers
};
constexpr std::array delve_expectations{
    DelveExpectation{"abalone", 4177, {{{"1.018"}, {"1.017"}, {"1.023"}, {"1.160"}}}},
    DelveExpectation{"boston", 506, {{{"1.004"}, {"1.005"}, {"1.110"}, {"1.208"}}}},
    DelveExpectation{"bank-8fm", 8192, {{{"1.009"}, {"1.028"}, {"1.070"}, {"1.036"}}}},
    DelveExpectation{"bank-8nm", 8192, {{{"1.004"}, {"1.008"}, {"1.048"}, {"1.088"}}}},
    DelveExpectation{"bank-8fh", 8192, {{{"1.052"}, {"1.048"}, {"1.036"}, {"1.059"}}}},
    DelveExpectation{"bank-8nh", 8192, {{{"1.088"}, {"1.055"}, {"1.038"}, {"1.177"}}}},
    DelveExpectation{"kin-8fm", 8192, {{{"1.002"}, {"1.042"}, {"1.068"}, {"1.437"}}}},
    DelveExpectation{"kin-8nm", 8192, {{{"1.060"}, {"1.052"}, {"1.053"}, {"1.114"}}}},
    DelveExpectation{"kin-8fh", 8192, {{{"1.046"}, {"1.038"}, {"1.054"}, {"1.131"}}}},
    DelveExpectation{"kin-8nh", 8192, {{{"1.172"}, {"1.063"}, {"1.030"}, {"1.039"}}}}};

/// On a grid down to 10⁻⁸ (33 splits): the least and the greatest ratio of the ten sets.
struct LowEndExpectation {
  KernelChooser chooser;
  Printed least, greatest;
};
constexpr std::array low_end_expectations{LowEndExpectation{KernelChooser::sic_residual, {"1.36"}, {"3.6"}},
                                          LowEndExpectation{KernelChooser::sic_gcv, {"1.03"}, {"1.40"}},
                                          LowEndExpectation{KernelChooser::loo, {"1.03"}, {"1.19"}}};

const std::vector<double>& whole_grid() {
  static const std::vector<double> grid = quarter_decades(lowest_end, upper_end);
  return grid;
}
/// Where the grid that ends at 10^−(3 + e) begins.
Index grid_start(Index e) { return 4 * (low_ends - 1 - e); }

std::uint64_t stream_of(std::string_view set, Index split) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : set) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash + static_cast<std::uint64_t>(split);
}

/// Mean squared error at the test rows, per λ of the whole grid.
Vector test_errors(const DelveSet& set, const std::vector<Index>& order, const Smoother& learner) {
  const auto& grid = whole_grid();
  const auto count = static_cast<Index>(grid.size());
  const std::vector<Index> train(order.begin(), order.begin() + delve_rows),
      test(order.begin() + delve_rows, order.end());
  LinearModel model{.representation = learner.representation(),
                    .centres = set.x(train, Eigen::all),
                    .coefficients = Matrix(delve_rows, count),
                    .offset = Vector::Zero(count)};
  for (Index k = 0; k < count; ++k)
    model.coefficients.col(k) = learner.coefficients(grid[static_cast<std::size_t>(k)], 0);
  const Matrix predicted = model.predict(set.x(test, Eigen::all));
  const Vector y = set.y(test);
  return (predicted.colwise() - y).colwise().squaredNorm() / static_cast<double>(test.size());
}

/// One split as a row: test error at every λ; then, for every lower end of the grid, the place of every chooser's choice.
Vector run_split(const DelveSet& set, std::uint64_t seed, Index split) {
  Random random(seed, stream_of(set.name, split));
  const auto order = random.permutation(set.x.rows());
  const std::vector<Index> train(order.begin(), order.begin() + delve_rows);
  const Smoother learner = sic_kernel_ridge(set.x(train, Eigen::all), set.y(train));
  const auto& grid = whole_grid();
  const auto count = static_cast<Index>(grid.size());
  Vector row(count + low_ends * delve_choosers);
  row.head(count) = test_errors(set, order, learner);
  for (Index k = 0; k < delve_choosers; ++k) {
    const KernelChooser chooser = kernel_choosers[static_cast<std::size_t>(k)].chooser;
    const Vector whole = chooser_curve(chooser, learner, 0, grid);
    for (Index e = 0; e < low_ends; ++e) {
      const Index start = grid_start(e);
      // The variance by GCV is that of the grid at hand; the other criteria do not look at other λ.
      const Vector curve =
          chooser == KernelChooser::sic_gcv && start > 0
              ? chooser_curve(chooser, learner, 0, std::span(grid).subspan(static_cast<std::size_t>(start)))
              : Vector(whole.tail(count - start));
      row[count + e * delve_choosers + k] = static_cast<double>(start + least(curve));
    }
  }
  return row;
}

std::vector<std::string> delve_columns() {
  std::vector<std::string> names;
  for (const double lambda : whole_grid()) names.push_back(fmt::format("error_{}", pretty(lambda, 6)));
  for (Index e = 0; e < low_ends; ++e)
    for (Index k = 0; k < delve_choosers; ++k)
      names.push_back(fmt::format("place_{}_from_1e{}", kernel_choosers[static_cast<std::size_t>(k)].name,
                                  usual_end - e));
  return names;
}

/// What the splits of one set gave.
struct DelveFindings {
  const DelveSet* set;
  Matrix error;   ///< splits × λ of the whole grid
  Matrix choice;  ///< splits × (lower end, chooser)

  Vector best(Index e) const {
    const Index start = grid_start(e);
    return error.rightCols(error.cols() - start).rowwise().minCoeff();
  }
  Vector reached(Index e, Index chooser) const {
    Vector out(error.rows());
    for (Index i = 0; i < out.size(); ++i)
      out[i] = error(i, static_cast<Index>(choice(i, e * delve_choosers + chooser)));
    return out;
  }
  Vector ratio(Index e, Index chooser) const { return reached(e, chooser).cwiseQuotient(best(e)); }
  double median_lambda(Index e, Index chooser) const {
    const double place = sample_quantile(choice.col(e * delve_choosers + chooser), 0.5);
    return std::pow(10.0, lowest_end + place / 4);
  }
  const DelveExpectation* expectation() const {
    for (const auto& each : delve_expectations)
      if (each.set == set->name) return &each;
    return nullptr;
  }
  /// Why there is nothing to compare with, or an empty text.
  std::string not_comparable() const {
    if (set->generated)
      return "a generated stand-in, not DELVE's data; give the folder of the data with --data";
    const DelveExpectation* known = expectation();
    if (!known) return "no expectation is known";
    if (known->rows != set->x.rows())
      return fmt::format("{} rows are not the {} of the set", set->x.rows(), known->rows);
    return "";
  }
  bool high_noise() const { return set->name.ends_with("fh") || set->name.ends_with("nh"); }

  /// The chooser of least mean test error on the usual grid.
  Index first() const {
    Vector means(delve_choosers);
    for (Index k = 0; k < delve_choosers; ++k) means[k] = reached(0, k).mean();
    return least(means);
  }
  /// p of the paired t-test against the first.
  double p_against_first(Index chooser) const {
    return paired_t_test(reached(0, chooser), reached(0, first()));
  }
  bool among_the_best(Index chooser) const {
    return chooser == first() || p_against_first(chooser) >= significance;
  }
};

std::string_view chooser_words(Index k) { return kernel_choosers[static_cast<std::size_t>(k)].words; }

std::string tail_in_words(const Vector& ratio) {
  return fmt::format("few splits decide the mean: of {} ratios the median is {}, the largest {}",
                     ratio.size(), pretty(sample_quantile(ratio, 0.5)), pretty(ratio.maxCoeff()));
}

std::vector<Finding> ratio_rows(const std::vector<DelveFindings>& all) {
  std::vector<Finding> rows;
  for (const DelveFindings& f : all) {
    const DelveExpectation* expected = f.expectation();
    for (Index k = 0; k < delve_choosers; ++k) {
      const std::string name =
          fmt::format("test error ÷ least on the grid, {}, {}", f.set->name, chooser_words(k));
      const Summary ours = summary_of(f.ratio(0, k));
      Finding row{.name = name, .ours = ours.mean, .standard_error = ours.standard_error()};
      if (expected)
        row = finding_of(name, ours, expected->ratio[static_cast<std::size_t>(k)], delve_reference_splits);
      row.reason = f.not_comparable();
      row.comparable = row.reason.empty();
      if (row.verdict() == Verdict::differs) row.reason = tail_in_words(f.ratio(0, k));
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

/// Least and greatest ratio over the ten sets on the longest grid, and where SIC with the residual variance ends there.
std::vector<Finding> low_end_rows(const std::vector<DelveFindings>& all) {
  std::vector<const DelveFindings*> known;
  for (const auto& f : all)
    if (f.not_comparable().empty()) known.push_back(&f);
  const bool complete = known.size() == delve_expectations.size();
  const std::string why = complete ? "" : "some of the ten sets are not there";
  std::vector<Finding> rows;
  for (const auto& f : all) {
    rows.push_back({.name = fmt::format("grid from 1e{}: median choice of log10 λ, {}, SIC, residual σ²",
                                        lowest_end, f.set->name),
                    .ours = std::log10(f.median_lambda(low_ends - 1, 0)),
                    .expected = lowest_end,
                    .source = "reference implementation",
                    .reason = f.not_comparable(),
                    .comparable = f.not_comparable().empty()});
  }
  if (known.empty()) return rows;
  for (const auto& e : low_end_expectations) {
    Index k = 0;
    while (kernel_choosers[static_cast<std::size_t>(k)].chooser != e.chooser) ++k;
    std::vector<Summary> ratios;
    for (const auto* f : known) ratios.push_back(summary_of(f->ratio(low_ends - 1, k)));
    const auto [low, high] = std::minmax_element(
        ratios.begin(), ratios.end(), [](const Summary& a, const Summary& b) { return a.mean < b.mean; });
    for (const auto& [what, ours, expected] :
         {std::tuple{"least", &*low, &e.least}, std::tuple{"greatest", &*high, &e.greatest}}) {
      Finding row = finding_of(
          fmt::format("grid from 1e{}: {} ratio of the ten sets, {}", lowest_end, what, chooser_words(k)),
          *ours, *expected, low_end_reference_splits);
      row.comparable = complete;
      row.reason = why;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

ResultTable significance_table(const std::vector<DelveFindings>& all) {
  ResultTable table{{"set", "chosen by", "mean test error", "s.e.", "÷ least on the grid",
                     "p against the best", "among the best", "median λ", "median λ, grid from 1e-8"},
                    {}};
  for (const DelveFindings& f : all) {
    for (Index k = 0; k < delve_choosers; ++k) {
      const Summary error = summary_of(f.reached(0, k));
      table.rows.push_back({f.set->name, std::string(chooser_words(k)), pretty(error.mean),
                            pretty(error.standard_error(), 2), fmt::format("{:.3f}", f.ratio(0, k).mean()),
                            k == f.first() ? "" : p_in_words(f.p_against_first(k)),
                            f.among_the_best(k) ? "yes" : "no", pretty(f.median_lambda(0, k), 3),
                            pretty(f.median_lambda(low_ends - 1, k), 3)});
    }
  }
  return table;
}

/// Geometric mean over the sets of the mean ratio, against the lower end of the grid.
Chart low_end_chart(const std::vector<DelveFindings>& all) {
  Vector ends(low_ends);
  for (Index e = 0; e < low_ends; ++e) ends[e] = std::pow(10.0, usual_end - e);
  Chart chart{.title = "The choice rests on the lower end of the grid",
              .description = "",
              .x = {.label = "least λ on the grid", .log = true},
              .y = {.label = "test error ÷ least on the grid", .log = true},
              .series = {},
              .note = fmt::format("Geometric mean over {} sets of the mean ratio.", all.size())};
  for (Index k = 0; k < delve_choosers; ++k) {
    Vector mean = Vector::Zero(low_ends);
    for (Index e = 0; e < low_ends; ++e) {
      for (const auto& f : all) mean[e] += std::log(f.ratio(e, k).mean()) / static_cast<double>(all.size());
      mean[e] = std::exp(mean[e]);
    }
    chart.description += fmt::format("{}{}: {} with the grid from 1e-3, {} from 1e-8", k ? "; " : "",
                                     chooser_words(k), pretty(mean[0], 3), pretty(mean[low_ends - 1], 3));
    chart.series.push_back(
        {.label = std::string(chooser_words(k)), .x = ends, .y = mean, .emphasised = k == 0});
  }
  chart.description += ".";
  return chart;
}

std::vector<Section> delve_figures(const std::vector<DelveFindings>& all) {
  Section boxes{"Test errors", {}};
  for (const DelveFindings& f : all) {
    std::vector<Box> lines{{"least on the grid", f.best(0)}};
    for (Index k = 0; k < delve_choosers; ++k)
      lines.push_back({std::string(chooser_words(k)), f.reached(0, k)});
    boxes.blocks.emplace_back(box_plot(f.set->name + (f.set->generated ? " (generated)" : ""),
                                       "mean squared test error", true, lines));
  }
  return {boxes, {"The lower end of the grid", {low_end_chart(all)}}};
}

nlohmann::ordered_json json_of(const std::vector<DelveFindings>& all) {
  auto list = nlohmann::ordered_json::array();
  for (const DelveFindings& f : all) {
    nlohmann::ordered_json json{{"set", f.set->name},
                                {"rows", f.set->x.rows()},
                                {"generated", f.set->generated},
                                {"splits", f.error.rows()},
                                {"least_error", f.best(0).mean()}};
    for (Index k = 0; k < delve_choosers; ++k) {
      auto& chosen = json["chosen"][std::string(kernel_choosers[static_cast<std::size_t>(k)].name)];
      chosen = {{"mean_error", f.reached(0, k).mean()},
                {"p_against_best", k == f.first() ? 1.0 : f.p_against_first(k)},
                {"among_the_best", f.among_the_best(k)}};
      for (Index e = 0; e < low_ends; ++e)
        chosen["grids"].push_back({{"from", std::pow(10.0, usual_end - e)},
                                   {"ratio", f.ratio(e, k).mean()},
                                   {"median_lambda", f.median_lambda(e, k)}});
    }
    list.push_back(std::move(json));
  }
  return list;
}

std::string names_where(const std::vector<DelveFindings>& all,
                        const std::function<bool(const DelveFindings&)>& holds) {
  std::vector<std::string> names;
  for (const auto& f : all)
    if (holds(f)) names.push_back(f.set->name);
  return names.empty() ? "none" : join(names);
}

/// The poster's two claims, and whether they are seen.
std::vector<std::string> claims(const std::vector<DelveFindings>& all) {
  const auto best = [](const DelveFindings& f) { return f.among_the_best(0); };
  Index quiet = 0, quiet_best = 0, noisy = 0, noisy_best = 0;
  for (const auto& f : all) {
    (f.high_noise() ? noisy : quiet) += 1;
    if (best(f)) (f.high_noise() ? noisy_best : quiet_best) += 1;
  }
  return {fmt::format("Published: SIC works very well for most sets. Here SIC with the residual σ² is the "
                      "best of the four or not "
                      "significantly worse (paired t-test, 5 %) on {} of {} sets of less noise: {}.",
                      quiet_best, quiet,
                      names_where(all, [&](const auto& f) { return best(f) && !f.high_noise(); })),
          fmt::format("Published: it can be degraded with very large noise (fh, nh). Here it is among the "
                      "best on {} of {} of "
                      "those: {}.",
                      noisy_best, noisy,
                      names_where(all, [&](const auto& f) { return best(f) && f.high_noise(); }))};
}

std::string settings_of(const std::vector<DelveSet>& sets, std::uint64_t seed) {
  std::string text = fmt::format("gnomon {} sic-delve, seed {}", version(), seed);
  for (const auto& set : sets) text += fmt::format(", {} {:016x}", set.name, set.fingerprint());
  return text;
}

}  // namespace

ExperimentResult sic_delve(const ExperimentOptions& options, TrialStore& store) {
  const std::vector<DelveSet> sets = load_delve_sets(options.data);
  const auto count = static_cast<Index>(sets.size());
  // Trial i belongs to set i mod count, so that a longer run goes on from a shorter one.
  const Matrix trials =
      store.run(settings_of(sets, options.seed), delve_columns(), count * options.trials, [&](Index trial) {
        return run_split(sets[static_cast<std::size_t>(trial % count)], options.seed, trial / count);
      });
  const auto lambdas = static_cast<Index>(whole_grid().size());
  std::vector<DelveFindings> all;
  for (Index s = 0; s < count; ++s) {
    const Matrix own = trials(Eigen::seqN(s, options.trials, count), Eigen::all);
    all.push_back(
        {&sets[static_cast<std::size_t>(s)], own.leftCols(lambdas), own.rightCols(own.cols() - lambdas)});
  }

  ExperimentResult result;
  result.findings = ratio_rows(all);
  const auto lower = low_end_rows(all);
  result.findings.insert(result.findings.end(), lower.begin(), lower.end());
  result.table = significance_table(all);
  result.figures = delve_figures(all);
  const Chart ends = low_end_chart(all);
  const auto overall = [&](Index chooser, Index e) {
    return pretty(ends.series[static_cast<std::size_t>(chooser)].y[e], 3);
  };
  result.lead = fmt::format(
      "On the grid from 10⁻³ the test error at SIC's choice (residual σ²) is {} times the least on the grid, "
      "at that of LOOCV {}, "
      "of ABIC {} (geometric means over {} sets). SIC's place rests on the grid's lower end: with a grid "
      "from 10⁻⁸ it is {}, with "
      "one σ² from GCV {}, and LOOCV's {}.",
      overall(0, 0), overall(2, 0), overall(3, 0), count, overall(0, low_ends - 1), overall(1, low_ends - 1),
      overall(2, low_ends - 1));
  const auto generated = [](const DelveFindings& f) { return f.set->generated; };
  std::vector<std::string> absent;
  for (const auto name : delve_names())
    if (std::none_of(sets.begin(), sets.end(), [&](const DelveSet& s) { return s.name == name; }))
      absent.emplace_back(name);
  result.notes = claims(all);
  result.notes.push_back(fmt::format(
      "{} rows to learn from, all others to test on, {} splits per set; λ among {} values from 10⁻³ to "
      "10³, four per decade. Expected ratios are those of a reference implementation (100 splits, "
      "33 on the long grid).",
      delve_rows, options.trials, lambdas - grid_start(0)));
  if (std::any_of(all.begin(), all.end(), generated))
    result.notes.push_back(
        fmt::format("Generated stand-ins, with the arm kinematics (kin) and the Puma 560 dynamics (pumadyn) "
                    "of the published descriptions, not "
                    "comparable with numbers for DELVE's own data: {}.",
                    names_where(all, generated)));
  if (!absent.empty())
    result.notes.push_back(
        fmt::format("Not there, and left out: {}; give their folder with --data.", join(absent)));
  result.notes.emplace_back("The poster shows box plots and prints no numbers.");
  result.json = nlohmann::ordered_json{{"sets", json_of(all)}};
  return result;
}

}  // namespace gnomon::app
