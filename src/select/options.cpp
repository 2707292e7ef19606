#include "options.hpp"
#include "gnomon/noise/noise.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "candidates.hpp"
#include "column_subsets.hpp"
#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/criteria/criteria.hpp"
#include "gnomon/learn/additive.hpp"
#include "make_tunable.hpp"

namespace gnomon {

/// What the residuals go through before basic draws from them.
enum class ResidualTreatment { raw, centred, scaled };

template <>
struct NameTable<ResidualTreatment> {
  static constexpr std::string_view what = "bootstrap-residuals";
  static constexpr std::array entries{NameEntry<ResidualTreatment>{"raw", ResidualTreatment::raw},
                                      NameEntry<ResidualTreatment>{"centred", ResidualTreatment::centred},
                                      NameEntry<ResidualTreatment>{"scaled", ResidualTreatment::scaled}};
};

namespace {

using R = SelectionRequest;
using Row = Option<SelectionRequest>;
using Text = const std::string&;

constexpr const char *model = "Model", *choice = "Choice", *output = "Output";

std::string not_of(const R& request, std::string_view owner) {
  return fmt::format("belongs to {}, not to `learner` {}", owner, request.learner);
}

// When options apply: functions of the request that say why not.

std::string on_a_basis(const R& r) {
  const bool takes = r.learner->inputs == Inputs::basis || r.learner->inputs == Inputs::either;
  return takes ? "" : not_of(r, "learners on a basis, such as ridge or lasso");
}

std::string on_a_kernel(const R& r) {
  if (uses_kernel(r)) return "";
  if (r.learner->inputs == Inputs::either)
    return fmt::format("and `basis` cannot go together: give {} one of them", r.learner);
  return not_of(r, "learners with a kernel");
}

std::string on_a_kernel_with_width(const R& r) {
  const std::string why = on_a_kernel(r);
  if (!why.empty() || r.kernel.takes_width()) return why;
  return fmt::format("belongs to kernels with a width, not to {}", r.kernel.name());
}

/// svr may yet be given a basis.
std::string on_columns(const R& r) {
  return r.learner->inputs == Inputs::either && r.subsets.empty() ? "" : no_subsets(r);
}

std::string along_a_path(const R& r) {
  return is_tuned(r) ? "belongs to a path of one lambda, not to a search over several parameters" : "";
}

std::string of_spectra(const R& r) {
  const std::string why = along_a_path(r);
  return !why.empty() || r.learner->linear() ? why : not_of(r, "learners that are linear in y");
}

std::string of_divergences(const R& r) {
  const std::string why = along_a_path(r);
  return !why.empty() || !r.learner->linear() ? why : not_of(r, "learners that are not linear in y");
}

std::string of_replications(const R& r) {
  const std::string why = along_a_path(r);
  return !why.empty() || !r.learner->linear()
             ? why
             : not_of(r,
                      "learners that are not linear in y (for the others basic has all replications in "
                      "closed form)");
}

std::string of_averages(const R& r) {
  const std::string why = along_a_path(r);
  return why.empty() ? refusal_of_learner(r, "combine") : why;
}

/// Options that a learner lists as its own.
std::function<std::string(const R&)> of_its_learner(const char* name) {
  return [name](const R& r) { return refusal_of_learner(r, name); };
}

// How fields are set and got.

/// A field whose type can be made from text.
template <class Field, class ToText>
Row field(Row row, Field R::*member, ToText to_text) {
  row.set = [member](R& r, Text text) { r.*member = Field(text); };
  row.get = [member, to_text](const R& r) { return std::string(to_text(r.*member)); };
  return row;
}
Row values(Row row, Values R::*member) {
  return field(std::move(row), member, [](const Values& v) { return v.text(); });
}
template <class E>
Row named(Row row, Named<E> R::*member) {
  row.allowed = names_of_values<E>();
  return field(std::move(row), member, [](const Named<E>& v) { return v.name(); });
}
template <class Object>
Row object(Row row, Object R::*member) {
  return field(std::move(row), member, [](const Object& v) { return v.name(); });
}
template <class Object>
Row text_of(Row row, Object R::*member) {
  return field(std::move(row), member, [](const Object& v) { return v.text(); });
}
Row number(Row row, int R::*member) {
  row.kind = OptionKind::whole;
  row.set = [member, name = row.name](R& r, Text text) { r.*member = whole_number(name, text); };
  row.get = [member](const R& r) { return std::to_string(r.*member); };
  return row;
}

// What catalogues fill in.

/// `ridge` `lasso` …: the learners that work on these inputs.
std::string learners_on(Inputs inputs) {
  std::vector<std::string> names;
  for (const LearnerEntry& entry : learner_catalog()) {
    if (entry.inputs == inputs) names.push_back("`" + entry.name + "`");
  }
  return join(names, " ");
}

/// sic, cv[:K], gen[:M], …: the criteria, with what a number after the name means.
std::vector<std::string> criterion_forms() {
  std::vector<std::string> forms;
  for (const Criterion& c : criteria_catalog()) {
    const bool folds = c.argument == Criterion::Argument::folds,
               lags = c.argument == Criterion::Argument::lags;
    forms.push_back(std::string(c.name) + (folds ? "[:K]" : lags ? "[:M]" : ""));
  }
  return forms;
}

/// "other names: `abic` `gml` `reml` (`evidence`), …".
std::string alias_words() {
  std::string text = "other names:";
  std::string_view last;
  for (const CriterionAlias& alias : criterion_aliases()) {
    if (!last.empty() && alias.criterion != last) text += fmt::format(" (`{}`),", last);
    text += fmt::format(" `{}`", alias.name);
    last = alias.criterion;
  }
  return text + fmt::format(" (`{}`)", last);
}

using Rows = std::vector<Row>;

/// What is fitted, on which columns.
Rows representation_options() {
  return {
      object({.name = "learner",
              .group = model,
              .help = "{allowed}",
              .manual = fmt::format(
                  "on a kernel: {}; on a basis: {}; {}: on a kernel, or on a basis if `--basis` is "
                  "given; {}: a network on the inputs themselves {{default}}",
                  learners_on(Inputs::kernel), learners_on(Inputs::basis), learners_on(Inputs::either),
                  learners_on(Inputs::network)),
              .allowed = names_of(learner_catalog())},
             &R::learner),
      object({.name = "kernel",
              .group = model,
              .help = "{allowed}; several (a,b) to choose from",
              .manual = "{allowed}; several to choose from: `a,b`, `polynomial:2..4` {default}",
              .allowed = kernel_names(),
              .refusal = on_a_kernel},
             &R::kernel),
      values(
          {.name = "width",
           .group = model,
           .help = "kernel width: auto, median, a number, or several (a,b,c or lo:hi:count) to choose from",
           .manual =
               "`auto`: chosen before λ from the median distance between rows times powers of two, by "
               "`blend` and a prior (see [blend](theory/blend.md)); under importance weights or a search "
               "over several parameters it is `median`, the median distance itself; a number; or several "
               "for the criterion to choose from: `a,b,c` or `lo:hi:count` (log-spaced) {default}. In "
               "units of the scaled inputs",
           .refusal = on_a_kernel_with_width},
          &R::width),
      object({.name = "basis",
              .group = model,
              .help = "for learners on a basis: {allowed}, several (a,b or polynomial:1..8) to choose from "
                      "[linear]; svr takes a kernel without",
              .manual = "for learners on a basis: {allowed}; several to choose from: `a,b`, "
                        "`polynomial:1..8` [`linear`; `svr`: none, so a kernel]",
              .allowed = basis_names(),
              .refusal = on_a_basis,
              .shows_default = false},
             &R::basis),
      text_of(
          {.name = "subsets",
           .group = model,
           .help = "for learners on a basis: subsets of the columns to choose from, a,b;a,b,c, nested (the "
                   "first 1, 2, …) or every",
           .manual =
               "for learners on a basis: columns that a model uses, as models to choose from: `a,b;a,b,c` "
               "names them, `nested` takes the first 1, 2, … columns in their order, `every` all subsets of "
               "up to 12 columns. A text column goes in or out as one. With several `--basis` every basis is "
               "tried on every subset. See [choosing among models](theory/sic.md)",
           .refusal = on_columns,
           .label = "subsets of columns",
           .shows_default = false},
          &R::subsets),
      named({.name = "penalty",
             .group = model,
             .help = "kernel ridge: function or coefficients",
             .manual = "kernel ridge: `function` (λ·αᵀKα) or `coefficients` (λ‖α‖²) {default}",
             .refusal = of_its_learner("penalty")},
            &R::penalty)};
}

/// The parameter that some learners have beside λ.
Rows tuning_options() {
  return {
      values({.name = "mix",
              .group = model,
              .help = "elastic-net: share of the absolute penalty, 0 to 1; auto or several",
              .manual =
                  "elastic-net: share of the absolute penalty, 0 (ridge at λ/2) to 1 (lasso); `auto`: chosen "
                  "from 0.1, 0.5, 0.9 and 1 {default}",
              .refusal = of_its_learner("mix")},
             &R::mix),
      values(
          {.name = "tau",
           .group = model,
           .help = "huber: where the loss turns linear, in units of the target; auto or several",
           .manual = "huber: residuals beyond it count linearly, in units of the target; `auto`: one value, "
                     "1.345 × a robust estimate of the noise's standard deviation {default}",
           .refusal = of_its_learner("tau")},
          &R::tau),
      values(
          {.name = "epsilon",
           .group = model,
           .help = "svr: half-width of the tube, in units of the target; auto or several",
           .manual = "svr: half-width of the tube without loss, in units of the target; `auto`: one value, a "
                     "tenth of the target's standard deviation {default}",
           .refusal = of_its_learner("epsilon")},
          &R::epsilon),
      object({.name = "shift",
              .group = model,
              .help = "additive: family of the shift: {allowed}",
              .manual =
                  "additive: shape of the shift, `constant`, `index:1` … `index:5`, `x:1` … `x:5` {default}; "
                  "see [additive](theory/additive.md)",
              .allowed = shift_families(),
              .refusal = of_its_learner("shift")},
             &R::shift),
      values(
          {.name = "amplitude",
           .group = model,
           .help = "additive: sizes of the shift in units of the target, auto or a,b,c",
           .manual = "additive: sizes of the shift in units of the target, `a,b,c`, also negative; `auto`: "
                     "chosen from −s, −s/2, 0, s/2, s with s the target's standard deviation {default}",
           .refusal = of_its_learner("amplitude")},
          &R::amplitude),
      values({.name = "flattening",
              .group = model,
              .help = "exponents of importance weights in [0,1]: lo:hi:count (evenly spaced) or a,b,c; iwls "
                      "chooses among them [0:1:21], other learners take one [1]",
              .manual =
                  "exponents of importance weights, inside [0,1]: `lo:hi:count` (evenly spaced) or `a,b,c`. "
                  "`iwls` chooses among them [`0:1:21`], other learners with importance weights take one "
                  "[1]; see [covariate shift](theory/covariate-shift.md)",
              .shows_default = false},
             &R::flattening)};
}

/// Which inputs and weights share a parameter; networks; the constant.
Rows structure_options() {
  return {
      text_of(
          {.name = "groups",
           .group = model,
           .help =
               "inputs that share a regularization parameter, a,b;c, each or all: a decay (ridge), a width "
               "(kernel-ridge) or, with --decay-groups input, a decay of mlp; searched by gradient",
           .manual = "inputs that share a regularization parameter: `a,b;c` (columns not named form one more "
                     "group), `each`, `all`. One decay per group for `ridge`, one width per group for "
                     "`kernel-ridge` [`each` with `--search gradient`], and with `--decay-groups input` one "
                     "decay per group of inputs for `mlp`. A text column counts as one column. See [many "
                     "parameters](howto/many-parameters.md)",
           .shows_default = false},
          &R::groups),
      text_of({.name = "hidden",
               .group = model,
               .help = "mlp: tanh units; a,b for two layers; 0 for none",
               .manual = "mlp: tanh units, `a,b` for two layers, 0 for none {default}",
               .refusal = of_its_learner("hidden"),
               .label = "hidden units"},
              &R::hidden),
      named({.name = "decay-groups",
             .group = model,
             .help = "mlp: one decay per layer, or per input and one for the rest (input)",
             .manual =
                 "mlp: `layer` (one decay per layer) or `input` (one per input or group of inputs, and one "
                 "for the rest) {default}",
             .refusal = of_its_learner("decay-groups"),
             .label = "decays"},
            &R::decay_groups),
      number({.name = "restarts",
              .group = model,
              .help = "mlp: random starts of training",
              .manual = "mlp: random starts of training {default}",
              .refusal = of_its_learner("restarts"),
              .label = "restarts of training"},
             &R::restarts),
      Row{.name = "intercept",
          .group = model,
          .kind = OptionKind::flag,
          .help = "fit an unpenalised constant [on]",
          .manual = "an unpenalised constant; `--no-intercept`: none [on]",
          .set = [](R& r, Text text) { r.intercept = read_flag("intercept", text); },
          .get = [](const R& r) { return on_or_off(r.intercept); }}};
}

/// What is tried, and by what it is judged.
Rows criterion_options() {
  return {
      values({.name = "lambda",
              .group = choice,
              .help = "auto, lo:hi:count (log-spaced), or a,b,c",
              .manual =
                  "`auto` (five values per decade from near interpolation to near the null model; lasso and "
                  "elastic net: 100 values down from the λ at which all coefficients are zero, to 10⁻⁴ of "
                  "it, or 10⁻² if rows do not outnumber columns), `lo:hi:count` (log-spaced), or a list "
                  "`a,b,c`; one value evaluates there. 0 is allowed in a list except for `svr`, "
                  "`spectral-cutoff` and `landweber`; `iwls`: `auto` is 0 alone {default}",
              .label = "λ"},
             &R::lambda),
      Row{.name = "criterion",
          .group = choice,
          .help = "comma list, the first one chooses: auto, all, {allowed}",
          .manual =
              "comma list, the first one chooses, all are reported: {allowed} (K folds, those of "
              "`cv-blocked` of "
              "consecutive rows, for time series; M rows over which a time series depends on itself); " +
              alias_words() +
              "; "
              "`all`: every "
              "one that applies; `auto`: the default for this learner (named in the output with the "
              "reason), with "
              "`sic` and `loo` or `cv` beside it; learners that are not linear in y, and rows with weights: "
              "`cv`, with "
              "`sic` beside it; "
              "under importance weights: `sic` on a basis, `iwcv` on a kernel, with the other, where "
              "it is defined, "
              "and `cv` {default}",
          .set = [](R& r, Text text) { r.criteria = split(text, ','); },
          .get = [](const R& r) { return join(r.criteria, ","); },
          .allowed = criterion_forms(),
          .label = "criteria"},
      text_of(
          {.name = "noise",
           .group = choice,
           .help = "noise variance: {allowed}, or a number",
           .manual = "σ²: {allowed}, or a number {default}; see [noise variance](theory/noise-variance.md)",
           .allowed = noise_methods(),
           .label = "noise variance"},
          &R::noise)};
}

/// Terms of the SIC family for learners that are not linear in y.
Rows stein_options() {
  return {
      Row{.name = "divergence",
          .group = choice,
          .help = "Stein term of learners not linear in y: best, exact, or mc[:PROBES] (Monte Carlo)",
          .manual = "Stein term of learners that are not linear in y: `best`, `exact`, `mc[:PROBES]` (Monte "
                    "Carlo, one "
                    "probe unless said) [`best`: exact for all learners above]; see "
                    "[divergence](theory/divergence.md)",
          .set =
              [](R& r, Text text) {
                const DivergenceChoice read = parse_divergence(text);
                r.divergence = read.divergence;
                r.probes = read.probes;
              },
          .get =
              [](const R& r) {
                const std::string name(name_of(Divergence(r.divergence)));
                return r.probes == 1 ? name : fmt::format("{}:{}", name, r.probes);
              },
          .refusal = of_divergences},
      Row{.name = "bootstrap",
          .group = choice,
          .kind = OptionKind::whole,
          .help = "replications of basic",
          .manual =
              "replications of `basic` {default}; refused for linear learners, where all replications are "
              "known",
          .set = [](R& r, Text text) { r.bootstrap.replications = whole_number("bootstrap", text); },
          .get = [](const R& r) { return std::to_string(r.bootstrap.replications); },
          .refusal = of_replications,
          .label = "bootstrap replications"},
      Row{.name = "bootstrap-residuals",
          .group = choice,
          .help = "residuals that basic draws from: raw (as published), centred, or scaled (centred and "
                  "rescaled)",
          .manual =
              "residuals that `basic` draws from: `raw` (as published), `centred`, `scaled` (centred, times "
              "√(n/(n − df))) {default}",
          .set =
              [](R& r, Text text) {
                const auto treatment = value_named<ResidualTreatment>(text);
                r.bootstrap.centred = treatment != ResidualTreatment::raw;
                r.bootstrap.rescaled = treatment == ResidualTreatment::scaled;
              },
          .get =
              [](const R& r) {
                const auto treatment = r.bootstrap.rescaled  ? ResidualTreatment::scaled
                                       : r.bootstrap.centred ? ResidualTreatment::centred
                                                             : ResidualTreatment::raw;
                return std::string(name_of(treatment));
              },
          .allowed = names_of_values<ResidualTreatment>(),
          .refusal = along_a_path,
          .label = "bootstrap residuals"}};
}

/// How the choice is searched for.
Rows search_options() {
  return {
      named(
          {.name = "search",
           .group = choice,
           .help = "grid; refine (continuous minimum along a path); gradient (all parameters at once: ridge, "
                   "kernel-ridge, mlp); mackay (updates that raise the evidence)",
           .manual =
               "`grid`, or `refine`: the continuous minimum between grid points; learners that are not "
               "linear in y stay on the grid. `gradient`: all parameters of `ridge`, `kernel-ridge` (λ and "
               "one width per input) or `mlp` at once, by their gradients; `--groups` and `mlp` imply it. "
               "`mackay`: updates that raise the evidence, for decays {default}"},
          &R::search),
      named({.name = "rule",
             .group = choice,
             .help = "min, 1se (most regularized within one standard error), or paired (of the difference)",
             .manual =
                 "`min`; `1se`: the largest λ on the grid within one standard error of the least value; or "
                 "`paired`: the largest one whose value is above the least by no more than the standard "
                 "error of this difference, which is smaller, both being made of the same rows {default}",
             .refusal = along_a_path},
            &R::rule),
      named(
          {.name = "combine",
           .group = choice,
           .help = "none: one fit; average: the fits of every width and lambda, weighted by blend",
           .manual = "`none`: one fit, which is easier to explain, or `average`: the fits of every width (or "
                     "basis) "
                     "and λ, with weights exp(−blend/4), which predict a little better (see "
                     "[blend](theory/blend.md)); for `ridge` and `kernel-ridge`, one target {default}",
           .refusal = of_averages},
          &R::combine),
      number({.name = "repeats",
              .group = choice,
              .help = "repeats of cross-validation",
              .manual = "of cross-validation's random folds {default}",
              .label = "repeats of cross-validation"},
             &R::repeats),
      Row{.name = "seed",
          .group = choice,
          .kind = OptionKind::counter,
          .help = "of random folds, bootstrap and probes",
          .manual = "of random folds, bootstrap and probes {default}",
          .set = [](R& r, Text text) { r.seed = counting_number("seed", text); },
          .get = [](const R& r) { return std::to_string(r.seed); }},
      named({.name = "strategy",
             .group = output,
             .help = "decomposition: {allowed}",
             .manual = "{allowed} {default}, see [strategies](theory/strategies.md)",
             .refusal = of_spectra},
            &R::strategy)};
}

Rows make_options() {
  Rows all;
  for (const auto& part : {representation_options, tuning_options, structure_options, criterion_options,
                           stein_options, search_options}) {
    Rows rows = part();
    std::move(rows.begin(), rows.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

const std::vector<Option<SelectionRequest>>& selection_options() {
  static const std::vector<Option<SelectionRequest>> options = make_options();
  return options;
}

std::string refusal_of_learner(const SelectionRequest& request, std::string_view option) {
  if (request.learner->takes(option)) return "";
  std::vector<std::string> owners;
  for (const LearnerEntry& entry : learner_catalog()) {
    if (entry.takes(option)) owners.push_back("`learner` " + entry.name);
  }
  return not_of(request, join(owners, " or "));
}

}  // namespace gnomon
