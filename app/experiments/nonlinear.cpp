// What Sugiyama (2007) claims for learners that are not linear in y: SIC stays unbiased where they are affine, for any noise, and
// where they are almost differentiable, for Gaussian noise; BASIC, the bootstrap form, is approximately so for any learner. The
// paper has no experiment. Here 20 rows of a linear function in 5 inputs with unit noise decide, draw by draw.

#include <cmath>
#include <map>
#include <mutex>

#include "box_plot.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "experiment.hpp"
#include "exponent_curves.hpp"
#include "gnomon/criteria/criteria.hpp"
#include "gnomon/criteria/judge.hpp"
#include "gnomon/version.hpp"
#include "sic/nonlinear_world.hpp"
#include "statistics.hpp"

namespace gnomon::app {
namespace {

using experiments::GapParts, experiments::NoiseLaw, experiments::NonlinearLearner,
    experiments::NonlinearWorld;

enum class Claim {
  unbiased,     ///< proved
  approximate,  ///< of BASIC, without a bound
  biased,       ///< Stein's identity does not hold, and it shows
  open          ///< nothing is claimed; measured
};

/// SIC with its exact or finite-difference covariance term.
struct SicCase {
  NonlinearLearner learner;
  NoiseLaw law;
  Claim claim;
};

/// Bootstrap of residuals as printed, centred, and centred and rescaled by √(n/(n − df)).
struct Treatment {
  const char *name, *words;
  bool centred, rescaled;
};
constexpr std::array treatments{Treatment{"raw", "as printed", false, false},
                                Treatment{"centred", "centred", true, false},
                                Treatment{"rescaled", "centred and rescaled", true, true}};
/// Per draw. The mean over draws does not depend on it.
constexpr int basic_replications = 10;
constexpr double huber_tau = 0.5;
constexpr std::array tau_choices{0.25, 0.5, 1.0, 2.0, 4.0, 1e6};
constexpr std::array tau_laws{NoiseLaw::gaussian, NoiseLaw::laplace};

const std::vector<SicCase>& sic_cases() {
  using namespace experiments;
  static const std::vector<SicCase> cases{
      {ridge_learner(5), NoiseLaw::gaussian, Claim::unbiased},
      {affine_learner(1), NoiseLaw::gaussian, Claim::unbiased},
      {affine_learner(1), NoiseLaw::laplace, Claim::unbiased},
      {affine_learner(1), NoiseLaw::exponential, Claim::unbiased},
      {huber_learner(huber_tau, 0), NoiseLaw::gaussian, Claim::unbiased},
      {huber_learner(huber_tau, 0), NoiseLaw::laplace, Claim::open},
      {huber_learner(huber_tau, 5), NoiseLaw::gaussian, Claim::unbiased},
      {huber_learner(huber_tau, 5), NoiseLaw::laplace, Claim::biased},
      {lasso_learner(8), NoiseLaw::gaussian, Claim::unbiased},
      {lasso_learner(8), NoiseLaw::laplace, Claim::open},
      {hard_threshold_learner(0.4, false), NoiseLaw::gaussian, Claim::biased}};
  return cases;
}

const std::vector<NonlinearLearner>& basic_cases() {
  using namespace experiments;
  static const std::vector<NonlinearLearner> cases{
      ridge_learner(1),  ridge_learner(20),           lasso_learner(4),
      lasso_learner(20), huber_learner(huber_tau, 5), hard_threshold_learner(0.4, true)};
  return cases;
}

std::string parameter_of(const NonlinearLearner& learner) {
  return fmt::format("λ = {}", pretty(learner.lambda));
}

const NonlinearWorld& world() {
  static const NonlinearWorld one;
  return one;
}

/// A learner with its fit at its λ.
struct Fitted {
  PathLearner learner;
  PathFit fit;

  Fitted(const NonlinearLearner& kind, const Vector& y)
      : learner(kind.make(world(), y)), fit(learner.path({&kind.lambda, 1}, 0).front()) {}
};

/// The fit to the function itself: fixed, and made once.
const Fitted& noiseless(const NonlinearLearner& kind) {
  static std::map<const NonlinearLearner*, Fitted> made;
  static std::mutex lock;
  const std::lock_guard guard(lock);
  auto found = made.find(&kind);
  if (found == made.end()) found = made.try_emplace(&kind, kind, world().truth()).first;
  return found->second;
}

struct Noises {
  Vector gaussian, laplace, exponential;

  const Vector& of(NoiseLaw law) const {
    return law == NoiseLaw::laplace ? laplace : law == NoiseLaw::exponential ? exponential : gaussian;
  }
};

Noises drawn_noises(std::uint64_t seed, Index trial) {
  Random random(seed, static_cast<std::uint64_t>(trial));
  const Index n = world().x.rows();
  Noises noises;
  noises.gaussian = drawn_noise(NoiseLaw::gaussian, n, random);
  noises.laplace = drawn_noise(NoiseLaw::laplace, n, random);
  noises.exponential = drawn_noise(NoiseLaw::exponential, n, random);
  return noises;
}

double judged_value(const PathLearner& learner, const gnomon::Criterion& criterion, double lambda,
                    const JudgeOptions& options) {
  return judge(learner, criterion, {&lambda, 1}, options).value[0];
}

constexpr Index sic_columns = 4;  // gap and twice the term at the rows, then at the points
/// Gap and twice the term, both without what has mean 0 for certain.
void put_gap(Vector& row, Index& at, double estimate, const GapParts& parts) {
  row[at++] = estimate - parts.loss + parts.mean_zero;
  row[at++] = parts.twice_term - parts.mean_zero;
}

void put_sic_case(const SicCase& c, const Noises& noises, Index trial, Vector& row, Index& at) {
  const NonlinearWorld& w = world();
  const Vector& e = noises.of(c.law);
  const Fitted own(c.learner, w.truth() + e);
  const Fitted& calm = noiseless(c.learner);
  JudgeOptions options{.sigma2 = 1, .metric = w.at_rows(), .seed = static_cast<std::uint64_t>(trial)};
  put_gap(row, at, judged_value(own.learner, sic, c.learner.lambda, options),
          parts_at_rows(w, own.learner, own.fit, e, calm.learner.fitted(calm.fit)));
  options.metric = w.at_points();
  put_gap(row, at, judged_value(own.learner, sic, c.learner.lambda, options),
          parts_at_points(w, own.fit.coefficients, e, calm.fit.coefficients));
}

constexpr Index basic_columns = static_cast<Index>(treatments.size()) + 1;
/// The gap of each treatment, and twice the term, at the rows.
void put_basic_case(const NonlinearLearner& kind, const Noises& noises, std::uint64_t seed, Vector& row,
                    Index& at) {
  const NonlinearWorld& w = world();
  const Fitted own(kind, w.truth() + noises.gaussian);
  const Fitted& calm = noiseless(kind);
  const GapParts parts =
      parts_at_rows(w, own.learner, own.fit, noises.gaussian, calm.learner.fitted(calm.fit));
  for (const Treatment& t : treatments) {
    // A learner that jumps has no degrees of freedom to rescale by.
    const bool defined = !t.rescaled || own.learner.solver().dependence() != Dependence::discontinuous;
    const double estimate = defined ? judged_value(own.learner, basic, kind.lambda,
                                                   {.metric = w.at_rows(),
                                                    .seed = seed,
                                                    .bootstrap = {basic_replications, t.centred, t.rescaled}})
                                    : undefined;
    row[at++] = estimate - parts.loss + parts.mean_zero;
  }
  row[at++] = parts.twice_term - parts.mean_zero;
}

/// Plain Huber at several τ: the place where SIC is least, and the errors there and at τ = ½.
void put_tau_choice(const Vector& e, Vector& row, Index& at) {
  const NonlinearWorld& w = world();
  Vector criterion(static_cast<Index>(tau_choices.size())), error(criterion.size());
  for (Index k = 0; k < criterion.size(); ++k) {
    const NonlinearLearner kind = experiments::huber_learner(tau_choices[static_cast<std::size_t>(k)], 0);
    const Fitted own(kind, w.truth() + e);
    criterion[k] = judged_value(own.learner, sic, 0, {.sigma2 = 1, .metric = w.at_rows()});
    error[k] = (own.learner.fitted(own.fit) - w.truth()).squaredNorm() / static_cast<double>(w.x.rows());
  }
  // Where no residual exceeds τ the fit is least squares too: equals count for the largest τ.
  const Index last = criterion.size() - 1;
  Index chosen = least(criterion);
  if (criterion[last] <= criterion[chosen] + 1e-9) chosen = last;
  row[at++] = static_cast<double>(chosen);
  row[at++] = error[chosen];
  row[at++] = error[1];
}
constexpr Index tau_columns = 3;

Index nonlinear_width() {
  return static_cast<Index>(sic_cases().size()) * sic_columns +
         static_cast<Index>(basic_cases().size()) * basic_columns +
         static_cast<Index>(tau_laws.size()) * tau_columns;
}

Vector run_draw(std::uint64_t seed, Index trial) {
  const Noises noises = drawn_noises(seed, trial);
  Vector row(nonlinear_width());
  Index at = 0;
  for (const SicCase& c : sic_cases()) put_sic_case(c, noises, trial, row, at);
  Random boots(seed ^ 0x9e3779b97f4a7c15u, static_cast<std::uint64_t>(trial));
  for (const NonlinearLearner& kind : basic_cases()) put_basic_case(kind, noises, boots.bits(), row, at);
  for (const NoiseLaw law : tau_laws) put_tau_choice(noises.of(law), row, at);
  return row;
}

std::vector<std::string> nonlinear_columns() {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < sic_cases().size(); ++c)
    for (const char* what : {"gap_rows", "term_rows", "gap_points", "term_points"})
      names.push_back(fmt::format("sic{}_{}", c, what));
  for (std::size_t c = 0; c < basic_cases().size(); ++c) {
    for (const Treatment& t : treatments) names.push_back(fmt::format("basic{}_gap_{}", c, t.name));
    names.push_back(fmt::format("basic{}_term", c));
  }
  for (const NoiseLaw law : tau_laws)
    for (const char* what : {"place", "error_chosen", "error_half"})
      names.push_back(fmt::format("tau_{}_{}", law == NoiseLaw::gaussian ? "gaussian" : "laplace", what));
  return names;
}

/// A mean gap and the term that it is a share of.
struct GapRow {
  std::string learner, parameter, noise, where, estimate;
  std::string treatment;  ///< of the residuals, under BASIC
  Claim claim = Claim::open;
  Summary gap;
  double twice_term = undefined;  ///< 2C
  double share_error = undefined;

  double z() const { return gap.mean / gap.standard_error(); }
  double share() const { return gap.mean / twice_term; }
  bool seen() const { return std::abs(z()) > 3; }
  std::string name() const {
    return fmt::format("{}, {}, {}, {} noise, {}", estimate, learner, parameter, noise, where);
  }
};

/// The standard error of the share is that of a ratio of means.
GapRow gap_row(const Vector& gap, const Vector& term) {
  GapRow row;
  row.gap = summary_of(gap);
  row.twice_term = term.mean();
  row.share_error = summary_of(gap - row.share() * term).standard_error() / std::abs(row.twice_term);
  return row;
}

const char* words_of(Claim claim) {
  switch (claim) {
    case Claim::unbiased:
      return "unbiased";
    case Claim::approximate:
      return "approximate";
    case Claim::biased:
      return "biased";
    case Claim::open:
      break;
  }
  return "open";
}

struct NonlinearFindings {
  std::vector<GapRow> sic_rows, basic_rows;
  struct Tau {
    NoiseLaw law;
    Vector at_least_squares;  ///< 1 where SIC chose the largest τ
    Vector error_chosen, error_half;
  };
  std::vector<Tau> tau;
};

NonlinearFindings read_trials(const Matrix& trials) {
  NonlinearFindings found;
  Index at = 0;
  for (const SicCase& c : sic_cases()) {
    for (const char* where : {"at the rows", "at other points"}) {
      GapRow row = gap_row(trials.col(at), trials.col(at + 1));
      at += 2;
      if (std::isnan(row.gap.mean)) continue;
      row.learner = c.learner.name;
      row.parameter = parameter_of(c.learner);
      row.noise = name_of(c.law);
      row.where = where;
      row.estimate = "SIC";
      row.claim = c.claim;
      found.sic_rows.push_back(std::move(row));
    }
  }
  for (const NonlinearLearner& kind : basic_cases()) {
    const Vector term = trials.col(at + basic_columns - 1);
    for (std::size_t t = 0; t < treatments.size(); ++t) {
      GapRow row = gap_row(trials.col(at + static_cast<Index>(t)), term);
      if (std::isnan(row.gap.mean)) continue;
      row.learner = kind.name;
      row.parameter = parameter_of(kind);
      row.noise = name_of(NoiseLaw::gaussian);
      row.where = "at the rows";
      row.treatment = treatments[t].words;
      row.estimate = fmt::format("BASIC, residuals {}", row.treatment);
      row.claim = Claim::approximate;
      found.basic_rows.push_back(std::move(row));
    }
    at += basic_columns;
  }
  for (const NoiseLaw law : tau_laws) {
    const double last = static_cast<double>(tau_choices.size() - 1);
    found.tau.push_back(
        {law, (trials.col(at).array() == last).cast<double>(), trials.col(at + 1), trials.col(at + 2)});
    at += tau_columns;
  }
  return found;
}

Finding yes_or_no(std::string name, bool yes) {
  return {.name = std::move(name) + " (1 = yes)",
          .ours = yes ? 1.0 : 0.0,
          .expected = 1,
          .source = "reference implementation"};
}

std::vector<Finding> rows_of_nonlinear(const NonlinearFindings& found) {
  std::vector<Finding> rows;
  for (const GapRow& g : found.sic_rows) {
    if (g.claim == Claim::biased) {
      rows.push_back(yes_or_no(fmt::format("bias beyond 3 s.e., {}", g.name()), g.seen()));
      if (!g.seen()) rows.back().reason = fmt::format("{} draws are too few to see it", g.gap.count);
      continue;
    }
    Finding row{.name = "mean of estimate − truth, " + g.name(),
                .ours = g.gap.mean,
                .standard_error = g.gap.standard_error()};
    if (g.claim == Claim::unbiased) {
      row.expected = 0;
      row.source = "exact";
    } else {
      row.reason = "Stein's identity asks for Gaussian noise; nothing is claimed";
    }
    rows.push_back(std::move(row));
  }
  bool above = false, below = false;
  for (const GapRow& g : found.basic_rows) {
    above |= g.seen() && g.share() > 0;
    below |= g.seen() && g.share() < 0;
    rows.push_back({.name = "bias ÷ 2C, " + g.name(),
                    .ours = g.share(),
                    .standard_error = g.share_error,
                    .reason = "never exact; up to about one half, of either sign, is expected"});
  }
  rows.push_back(yes_or_no("BASIC is too large for some learners and too small for others, beyond 3 s.e.",
                           above && below));
  for (const auto& t : found.tau) {
    rows.push_back(
        {.name = fmt::format("share of draws in which SIC of plain Huber prefers least squares, {} noise",
                             name_of(t.law)),
         .ours = t.at_least_squares.mean(),
         .expected = 1,
         .source = "exact"});
  }
  return rows;
}

ResultTable gap_table(const NonlinearFindings& found) {
  ResultTable table{{"estimate", "learner", "parameter", "noise", "measured", "mean of estimate − truth",
                     "s.e.", "z", "2C", "share of 2C", "claim"},
                    {}};
  for (const auto* rows : {&found.sic_rows, &found.basic_rows}) {
    for (const GapRow& g : *rows) {
      table.rows.push_back(
          {g.estimate, g.learner, g.parameter, g.noise, g.where, pretty(g.gap.mean, 3),
           pretty(g.gap.standard_error(), 2), fmt::format("{:+.1f}", g.z()), pretty(g.twice_term, 3),
           fmt::format("{:+.1f} ± {:.1f} %", 100 * g.share(), 100 * g.share_error), words_of(g.claim)});
    }
  }
  return table;
}

/// The bias as a share of 2C, two standard errors to either side.
Chart share_chart(std::string title, const std::vector<GapRow>& rows) {
  const auto count = static_cast<Index>(rows.size());
  Vector share(count), error(count);
  std::vector<std::string> names;
  for (Index i = 0; i < count; ++i) {
    const GapRow& g = rows[static_cast<std::size_t>(i)];
    share[i] = g.share();
    error[i] = 2 * g.share_error;
    names.push_back(g.treatment.empty() ? fmt::format("{}, {}, {}", g.learner, g.noise, g.where)
                                        : fmt::format("{} {}, {}", g.learner, g.parameter, g.treatment));
  }
  return interval_plot(std::move(title), "bias ÷ 2C", names, share, error, "mean ± 2 standard errors");
}

nlohmann::ordered_json json_of(const std::vector<GapRow>& rows) {
  auto list = nlohmann::ordered_json::array();
  for (const GapRow& g : rows) {
    list.push_back({{"estimate", g.estimate},
                    {"learner", g.learner},
                    {"parameter", g.parameter},
                    {"noise", g.noise},
                    {"where", g.where},
                    {"claim", words_of(g.claim)},
                    {"gap", g.gap.mean},
                    {"gap_se", g.gap.standard_error()},
                    {"twice_c", g.twice_term},
                    {"share", g.share()},
                    {"share_se", g.share_error}});
  }
  return list;
}

}  // namespace

ExperimentResult nonlinear(const ExperimentOptions& options, TrialStore& store) {
  const Matrix trials =
      store.run(fmt::format("gnomon {} nonlinear, seed {}", version(), options.seed), nonlinear_columns(),
                options.trials, [&](Index trial) { return run_draw(options.seed, trial); });
  const NonlinearFindings found = read_trials(trials);

  ExperimentResult result;
  result.findings = rows_of_nonlinear(found);
  result.table = gap_table(found);
  Index unbiased = 0, within = 0;
  for (const GapRow& g : found.sic_rows) {
    if (g.claim != Claim::unbiased) continue;
    ++unbiased;
    within += !g.seen();
  }
  double least_share = HUGE_VAL, most_share = -HUGE_VAL;
  for (const GapRow& g : found.basic_rows) {
    least_share = std::min(least_share, g.share());
    most_share = std::max(most_share, g.share());
  }
  result.lead = fmt::format(
      "{} of {} means of SIC that should be unbiased lie within 3 standard errors of the truth, also with "
      "Huber's loss and the "
      "lasso. BASIC's bias runs from {:+.0f} % to {:+.0f} % of the covariance term.",
      within, unbiased, 100 * least_share, 100 * most_share);
  result.figures = {{"SIC: bias as a share of its covariance term 2C",
                     {share_chart("SIC of learners that are not linear in y", found.sic_rows)}},
                    {"BASIC: the same", {share_chart("BASIC", found.basic_rows)}}};
  result.notes = {
      "20 fixed rows, 5 inputs, a linear truth, noise of variance 1 that is known to SIC; no intercept. The "
      "error is measured at the "
      "rows, or at 15 other points. ‖f‖² is taken out of the truth as it is out of SIC.",
      "A mean of ⟨f̂₀, f_u − f⟩, f̂₀ the fit to noise-free targets, is 0 for certain; it is added to every "
      "gap, which narrows its "
      "standard error and leaves its mean.",
      fmt::format(
          "BASIC draws {} replications per data set: the mean over data sets is that of any number of them.",
          basic_replications),
      "Hard threshold: least squares coefficients below λ in size are set to 0. SIC is given its divergence "
      "between the jumps, "
      "which is not all of it.",
      fmt::format("Plain Huber: J Φ = I for every τ, so that SIC is the distance from least squares and a "
                  "constant, and cannot prefer "
                  "another τ. Under Laplace noise τ = ½ has {:.2f} times the error of SIC's choice.",
                  found.tau[1].error_half.mean() / found.tau[1].error_chosen.mean()),
      "The printed loss of the paper (equations 34 and 35) is neither convex nor robust; Huber's own is "
      "used."};
  result.json = {{"sic", json_of(found.sic_rows)}, {"basic", json_of(found.basic_rows)}};
  for (const auto& t : found.tau)
    result.json["tau"].push_back({{"noise", name_of(t.law)},
                                  {"prefers_least_squares", t.at_least_squares.mean()},
                                  {"error_at_choice", t.error_chosen.mean()},
                                  {"error_at_half", t.error_half.mean()}});
  return result;
}

}  // namespace gnomon::app
