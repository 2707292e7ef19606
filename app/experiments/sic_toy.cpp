// The toy of Sugiyama & Müller (2002): kernel ridge with a Gaussian kernel of width 1 and the penalty λ‖α‖² learns a sinc function
// from 50 or 100 rows with inputs uniform on (−π, π). The error is that in the space of the kernel. The poster does not say which
// sinc: sin(x)/x and sin(πx)/(πx) are both tried, and a larger noise variance beside its 0.01.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "box_plot.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "experiment.hpp"
#include "exponent_curves.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/version.hpp"
#include "kernel_choosers.hpp"
#include "sic/sinc_target.hpp"
#include "statistics.hpp"

namespace gnomon::app {
namespace {

using experiments::SincTarget;

struct NamedSinc {
  const char *words, *column;
  SincTarget f;
};
constexpr std::array sincs{NamedSinc{"sin(x)/x", "sinc", {1}},
                           NamedSinc{"sin(πx)/(πx)", "sincpi", {std::numbers::pi}}};
constexpr std::array sinc_variances{0.01, 0.09};
constexpr std::array<Index, 2> sinc_rows{50, 100};
constexpr Index shown_count = 7, chooser_count = static_cast<Index>(kernel_choosers.size());
constexpr Index ratio_reference_trials = 1000;
constexpr double sinc_reference_error = 0.005;  // of the value: its standard error is stated as at most this

const std::vector<double>& sinc_grid() {
  static const std::vector<double> grid = quarter_decades(-3, 3);
  return grid;
}
/// 10⁻³, 10⁻², …, 10³.
std::vector<double> shown_lambdas() {
  std::vector<double> shown;
  for (std::size_t k = 0; k < sinc_grid().size(); k += 4) shown.push_back(sinc_grid()[k]);
  return shown;
}

/// One row of the table of expected errors.
struct SincCondition {
  std::size_t sinc;
  double sigma2;
  Index rows;
  std::array<Printed, shown_count> error;  ///< J_G at the shown λ, 2000 draws of the reference implementation
  /// Error at the choice over the least on the grid: SIC with residual σ², LOOCV, ABIC; empty texts where there is none.
  std::array<Printed, 3> ratio{};
};

constexpr std::array sinc_conditions{
    SincCondition{0,
                  0.01,
                  50,
                  {{{".3664"}, {".2449"}, {".2063"}, {".2004"}, {".2121"}, {".3286"}, {".9657"}}},
                  {{{"1.41"}, {"1.22"}, {"1.04"}}}},
    SincCondition{
        0, 0.01, 100, {{{".3551"}, {".2356"}, {".1985"}, {".1921"}, {".1966"}, {".2232"}, {".4992"}}}},
    SincCondition{0,
                  0.09,
                  50,
                  {{{"1.964"}, {".8109"}, {".4124"}, {".2779"}, {".2409"}, {".3401"}, {".9709"}}},
                  {{{"4.6"}, {"2.3"}, {"1.07"}}}},
    SincCondition{
        0, 0.09, 100, {{{"1.914"}, {".7727"}, {".3896"}, {".2625"}, {".2231"}, {".2322"}, {".5016"}}}},
    SincCondition{1,
                  0.01,
                  50,
                  {{{"1.885"}, {"1.944"}, {"2.864"}, {"4.585"}, {"5.540"}, {"6.144"}, {"6.417"}}},
                  {{{"1.05"}, {"1.04"}, {"1.07"}}}},
    SincCondition{
        1, 0.01, 100, {{{"1.815"}, {"1.807"}, {"2.007"}, {"3.520"}, {"4.966"}, {"5.836"}, {"6.280"}}}},
    SincCondition{1,
                  0.09,
                  50,
                  {{{"3.484"}, {"2.515"}, {"3.085"}, {"4.679"}, {"5.578"}, {"6.155"}, {"6.419"}}},
                  {{{"1.34"}, {"1.31"}, {"2.1"}}}},
    SincCondition{
        1, 0.09, 100, {{{"3.374"}, {"2.344"}, {"2.201"}, {"3.601"}, {"4.997"}, {"5.845"}, {"6.282"}}}}};
constexpr std::array ratio_choosers{KernelChooser::sic_residual, KernelChooser::loo, KernelChooser::abic};
/// The penalty λ‖f‖², where SIC's own choice is far off: sin(x)/x, 50 rows, σ² = 0.01; known and residual variance.
constexpr std::array function_penalty_choosers{KernelChooser::sic_known, KernelChooser::sic_residual};
constexpr std::array<Printed, 2> function_penalty_ratio{{{"16"}, {"32"}}};

/// Columns of one condition: J_G, then SIC + ‖f‖² with the known variance at the shown λ; the least error on the grid; λ and error
/// of every chooser.
constexpr Index condition_columns = 2 * shown_count + 1 + 2 * chooser_count;
constexpr Index extra_columns = 1 + static_cast<Index>(function_penalty_choosers.size());

std::string words_of(const SincCondition& c) {
  return fmt::format("{}, n = {}, σ² = {}", sincs[c.sinc].words, c.rows, pretty(c.sigma2));
}

std::vector<std::string> sinc_columns() {
  std::vector<std::string> names;
  for (const SincCondition& c : sinc_conditions) {
    const std::string of = fmt::format("{}_{}_{}", sincs[c.sinc].column, c.rows, pretty(c.sigma2));
    for (const char* curve : {"j", "sic"})
      for (const double lambda : shown_lambdas())
        names.push_back(fmt::format("{}_{}_{}", curve, of, pretty(lambda)));
    names.push_back("least_" + of);
    for (const NamedChooser& chooser : kernel_choosers)
      for (const char* what : {"lambda", "error"})
        names.push_back(fmt::format("{}_{}_{}", what, chooser.name, of));
  }
  names.emplace_back("least_function_penalty");
  for (const char* chooser : {"sic_known", "sic_residual"})
    names.push_back(fmt::format("error_{}_function_penalty", chooser));
  return names;
}

/// Inputs of one size with the targets of every condition of that size, then the two functions themselves.
struct SincSample {
  Matrix x, y;
  Index target(std::size_t sinc, double sigma2) const {
    return static_cast<Index>(2 * sinc) + (sigma2 == sinc_variances[1]);
  }
  Index noise_free(std::size_t sinc) const { return 4 + static_cast<Index>(sinc); }
};

SincSample drawn_sample(std::uint64_t seed, Index trial, std::size_t size) {
  Random random(seed, 2 * static_cast<std::uint64_t>(trial) + size);
  const Index n = sinc_rows[size];
  SincSample s{random.uniform_vector(n, -std::numbers::pi, std::numbers::pi), Matrix(n, 6)};
  for (std::size_t f = 0; f < sincs.size(); ++f) {
    s.y.col(s.noise_free(f)) = s.x.col(0).unaryExpr(sincs[f].f);
    for (const double sigma2 : sinc_variances)
      s.y.col(s.target(f, sigma2)) = s.y.col(s.noise_free(f)) + std::sqrt(sigma2) * random.normal_vector(n);
  }
  return s;
}

/// The condition's columns from the learner of its size.
Vector condition_numbers(const SincCondition& c, const SincSample& sample, const Smoother& learner) {
  const auto shown = shown_lambdas();
  const Index target = sample.target(c.sinc, c.sigma2), truth = sample.noise_free(c.sinc);
  const double norm = sincs[c.sinc].f.squared_norm();
  Vector row(condition_columns);
  row.head(shown_count) = experiments::function_space_error(learner, truth, shown, c.sigma2, norm);
  row.segment(shown_count, shown_count) = function_space_sic(learner, target, shown, c.sigma2).array() + norm;
  const Vector error =
      experiments::realised_function_space_error(learner, target, sample.y.col(truth), sinc_grid(), norm);
  row[2 * shown_count] = error.minCoeff();
  for (Index k = 0; k < chooser_count; ++k) {
    const auto chooser = kernel_choosers[static_cast<std::size_t>(k)].chooser;
    const Index at = least(chooser_curve(chooser, learner, target, sinc_grid(), c.sigma2));
    row[2 * shown_count + 1 + 2 * k] = sinc_grid()[static_cast<std::size_t>(at)];
    row[2 * shown_count + 2 + 2 * k] = error[at];
  }
  return row;
}

Vector function_penalty_numbers(const SincSample& sample) {
  const SincCondition& c = sinc_conditions[0];
  const Index target = sample.target(c.sinc, c.sigma2);
  const Smoother learner = sic_kernel_ridge(sample.x, sample.y.col(target), true);
  const Vector error = experiments::realised_function_space_error(
      learner, 0, sample.y.col(sample.noise_free(c.sinc)), sinc_grid(), sincs[c.sinc].f.squared_norm());
  Vector row(extra_columns);
  row[0] = error.minCoeff();
  for (std::size_t k = 0; k < function_penalty_choosers.size(); ++k)
    row[1 + static_cast<Index>(k)] =
        error[least(chooser_curve(function_penalty_choosers[k], learner, 0, sinc_grid(), c.sigma2))];
  return row;
}

Vector run_sinc_trial(std::uint64_t seed, Index trial) {
  Vector row(static_cast<Index>(sinc_conditions.size()) * condition_columns + extra_columns);
  for (std::size_t size = 0; size < sinc_rows.size(); ++size) {
    const SincSample sample = drawn_sample(seed, trial, size);
    const Smoother learner = sic_kernel_ridge(sample.x, sample.y);
    for (std::size_t c = 0; c < sinc_conditions.size(); ++c) {
      if (sinc_conditions[c].rows == sinc_rows[size])
        row.segment(static_cast<Index>(c) * condition_columns, condition_columns) =
            condition_numbers(sinc_conditions[c], sample, learner);
    }
    if (size == 0) row.tail(extra_columns) = function_penalty_numbers(sample);
  }
  return row;
}

/// What the trials of one condition say.
struct SincFindings {
  const SincCondition* condition;
  Matrix truth, sic;                  ///< trials × shown λ
  Vector best;                        ///< least error on the grid
  std::vector<Vector> lambda, error;  ///< per chooser

  Vector ratio(std::size_t chooser) const { return error[chooser].cwiseQuotient(best); }
};

SincFindings findings_of_condition(const Matrix& trials, std::size_t c) {
  const Matrix own = trials.middleCols(static_cast<Index>(c) * condition_columns, condition_columns);
  SincFindings f{&sinc_conditions[c],
                 own.leftCols(shown_count),
                 own.middleCols(shown_count, shown_count),
                 own.col(2 * shown_count),
                 {},
                 {}};
  for (Index k = 0; k < chooser_count; ++k) {
    f.lambda.emplace_back(own.col(2 * shown_count + 1 + 2 * k));
    f.error.emplace_back(own.col(2 * shown_count + 2 + 2 * k));
  }
  return f;
}

std::size_t place_of(KernelChooser chooser) {
  std::size_t k = 0;
  while (kernel_choosers[k].chooser != chooser) ++k;
  return k;
}

void add_curves(const SincFindings& f, std::vector<Finding>& rows) {
  const auto shown = shown_lambdas();
  for (Index k = 0; k < shown_count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const std::string where = fmt::format("{}, λ = {}", words_of(*f.condition), pretty(shown[at]));
    const Summary truth = summary_of(f.truth.col(k));
    const double expected = f.condition->error[at].value();
    rows.push_back({.name = "J_G, " + where,
                    .ours = truth.mean,
                    .standard_error = truth.standard_error(),
                    .expected = expected,
                    .expected_error = sinc_reference_error * expected,
                    .source = "reference implementation"});
    const Summary gap = summary_of(f.sic.col(k) - f.truth.col(k));
    rows.push_back({.name = "mean of SIC − J_G, " + where,
                    .ours = gap.mean,
                    .standard_error = gap.standard_error(),
                    .expected = 0,
                    .source = "exact: SIC with the known σ² is unbiased"});
  }
}

void add_ratios(const SincFindings& f, std::vector<Finding>& rows) {
  for (std::size_t k = 0; k < ratio_choosers.size(); ++k) {
    const std::size_t at = place_of(ratio_choosers[k]);
    const std::string name =
        fmt::format("error ÷ least on the grid, {}, {}", kernel_choosers[at].words, words_of(*f.condition));
    const Summary ours = summary_of(f.ratio(at));
    const Printed& expected = f.condition->ratio[k];
    if (!expected.text.empty()) rows.push_back(finding_of(name, ours, expected, ratio_reference_trials));
  }
}

void add_function_penalty(const Matrix& trials, std::vector<Finding>& rows) {
  const Matrix own = trials.rightCols(extra_columns);
  for (std::size_t k = 0; k < function_penalty_choosers.size(); ++k) {
    const Vector ratio = own.col(1 + static_cast<Index>(k)).cwiseQuotient(own.col(0));
    rows.push_back(finding_of(fmt::format("error ÷ least on the grid, penalty λ‖f‖², {}, {}",
                                          kernel_choosers[place_of(function_penalty_choosers[k])].words,
                                          words_of(sinc_conditions[0])),
                              summary_of(ratio), function_penalty_ratio[k], ratio_reference_trials));
  }
}

ResultTable chosen_table(const std::vector<SincFindings>& all) {
  ResultTable table{
      {"target", "n", "σ²", "chosen by", "mean error", "s.e.", "÷ least on the grid", "s.e.", "median λ"},
      {}};
  for (const SincFindings& f : all) {
    const auto add = [&](std::string_view name, const Vector& error, const Vector* lambda) {
      const Summary e = summary_of(error), r = summary_of(error.cwiseQuotient(f.best));
      table.rows.push_back(
          {sincs[f.condition->sinc].words, fmt::format("{}", f.condition->rows), pretty(f.condition->sigma2),
           std::string(name), pretty(e.mean), pretty(e.standard_error(), 2), fmt::format("{:.3f}", r.mean),
           pretty(r.standard_error(), 2), lambda ? pretty(sample_quantile(*lambda, 0.5), 3) : ""});
    };
    add("least on the grid", f.best, nullptr);
    for (std::size_t k = 0; k < kernel_choosers.size(); ++k)
      add(kernel_choosers[k].words, f.error[k], &f.lambda[k]);
  }
  return table;
}

Chart mean_sic_chart(const SincFindings& f) {
  const auto shown = shown_lambdas();
  const Vector axis = Eigen::Map<const Vector>(shown.data(), shown_count);
  const MeanCurve estimate = mean_curve(f.sic), truth = mean_curve(f.truth);
  return {.title = words_of(*f.condition),
          .description = fmt::format("The mean of SIC is least at λ = {}, the true error at λ = {}.",
                                     pretty(axis[least(estimate.mean)]), pretty(axis[least(truth.mean)])),
          .x = {.label = "λ", .log = true},
          .y = {.label = "squared error in the function space"},
          .series =
              {{.label = "mean of SIC, known σ²", .x = axis, .y = estimate.mean, .band = estimate.deviation},
               {.label = "true error J_G", .style = Series::Style::dashed, .x = axis, .y = truth.mean}},
          .note = "Band of ± 1 standard deviation over trials; ‖f‖² is added to SIC."};
}

std::vector<Section> sinc_figures(const std::vector<SincFindings>& all) {
  Section curves{"Mean of SIC against the true error", {}}, reached{"Errors reached by every criterion", {}};
  for (const SincFindings& f : all) {
    curves.blocks.emplace_back(mean_sic_chart(f));
    std::vector<Box> boxes{{"least on the grid", f.best}};
    for (std::size_t k = 0; k < kernel_choosers.size(); ++k)
      boxes.push_back({std::string(kernel_choosers[k].words), f.error[k]});
    reached.blocks.emplace_back(
        box_plot("Error at the choice, " + words_of(*f.condition), "‖f̂ − f‖²", true, boxes));
  }
  return {curves, reached};
}

nlohmann::ordered_json json_of(const std::vector<SincFindings>& all) {
  auto list = nlohmann::ordered_json::array();
  for (const SincFindings& f : all) {
    const MeanCurve estimate = mean_curve(f.sic), truth = mean_curve(f.truth);
    nlohmann::ordered_json json{
        {"target", sincs[f.condition->sinc].words},
        {"n", f.condition->rows},
        {"sigma2", f.condition->sigma2},
        {"squared_norm", sincs[f.condition->sinc].f.squared_norm()},
        {"lambda", shown_lambdas()},
        {"true_error", {{"mean", vector_to_json(truth.mean)}, {"sd", vector_to_json(truth.deviation)}}},
        {"sic", {{"mean", vector_to_json(estimate.mean)}, {"sd", vector_to_json(estimate.deviation)}}},
        {"least_error", summary_of(f.best).mean}};
    for (std::size_t k = 0; k < kernel_choosers.size(); ++k) {
      const Summary ratio = summary_of(f.ratio(k));
      json["chosen"][std::string(kernel_choosers[k].name)] = {
          {"mean_error", summary_of(f.error[k]).mean},
          {"ratio", ratio.mean},
          {"ratio_se", ratio.standard_error()},
          {"median_lambda", sample_quantile(f.lambda[k], 0.5)}};
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

ExperimentResult sic_toy(const ExperimentOptions& options, TrialStore& store) {
  const Matrix trials =
      store.run(fmt::format("gnomon {} sic-toy, seed {}", version(), options.seed), sinc_columns(),
                options.trials, [&](Index trial) { return run_sinc_trial(options.seed, trial); });
  std::vector<SincFindings> all;
  for (std::size_t c = 0; c < sinc_conditions.size(); ++c) all.push_back(findings_of_condition(trials, c));

  ExperimentResult result;
  for (const SincFindings& f : all) add_curves(f, result.findings);
  for (const SincFindings& f : all) add_ratios(f, result.findings);
  add_function_penalty(trials, result.findings);
  const auto mean_ratio = [&](std::size_t condition, KernelChooser chooser) {
    return pretty(summary_of(all[condition].ratio(place_of(chooser))).mean, 3);
  };
  result.lead = fmt::format(
      "SIC with the known variance estimates the true error without bias; what it chooses is another matter. "
      "With sin(x)/x, 50 "
      "rows and σ² = 0.01 the error at its choice (σ² estimated) is {} times the least on the grid, at that "
      "of LOOCV {}, of "
      "ABIC {}; with sin(πx)/(πx) {}, {} and {}.",
      mean_ratio(0, KernelChooser::sic_residual), mean_ratio(0, KernelChooser::loo),
      mean_ratio(0, KernelChooser::abic), mean_ratio(4, KernelChooser::sic_residual),
      mean_ratio(4, KernelChooser::loo), mean_ratio(4, KernelChooser::abic));
  result.table = chosen_table(all);
  result.figures = sinc_figures(all);
  result.notes = {
      "J_G = E‖f̂ − f‖² in the space of the kernel, exact given the inputs and averaged over them; its mean "
      "over trials stands "
      "beside that of a reference implementation (2000 draws, standard error at most 0.5 %).",
      "SIC − J_G is taken trial by trial: the mean over inputs and noise is 0 if SIC is unbiased.",
      fmt::format("λ is chosen among {} values from 10⁻³ to 10³. The error of a choice is that of the fit at "
                  "hand, not its mean "
                  "over noise. Expected ratios are those of the reference implementation (1000 trials).",
                  sinc_grid().size()),
      "The poster prints no numbers and does not name the sinc or the estimate of σ²: residual σ² is rss/(n "
      "− tr H) at each λ, the "
      "usual one.",
      "Inputs are shared by the conditions of one size, so that rows of one n are not independent."};
  result.json = nlohmann::ordered_json{{"conditions", json_of(all)}};
  return result;
}

}  // namespace gnomon::app
