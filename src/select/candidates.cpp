#include "gnomon/select/candidates.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"
#include "gnomon/core/text.hpp"
#include "gnomon/learn/additive.hpp"
#include "gnomon/learn/elastic_net.hpp"
#include "gnomon/learn/huber.hpp"
#include "gnomon/learn/svr.hpp"
#include "gnomon/learn/weighted_ridge.hpp"
#include "gnomon/represent/width.hpp"
#include "gnomon/select/grid.hpp"
#include "gnomon/shift/weights.hpp"

namespace gnomon {
namespace {

std::vector<double> requested_widths(const SelectionRequest& request, const TrainingData& data) {
  if (!uses_kernel(request) || !uses_width(request.kernel)) return {};
  if (request.width == "median") return {median_distance(data.x, data.weight)};
  auto widths = parse_grid(request.width, "width", "median");
  require(widths.front() > 0, "width 0 is not allowed; a kernel width is positive");
  return widths;
}

Representation make_representation(const SelectionRequest& request, double width, const Matrix& x) {
  if (!uses_kernel(request)) return Basis::fit(basis_of(request), x);
  return parse_kernel(request.kernel, std::isfinite(width) ? width : 1);
}

/// Numbers of either sign, ascending, without repeats.
std::vector<double> parse_amplitudes(const std::string& text) {
  std::vector<double> values;
  for (const auto& part : split(text, ',')) {
    const auto value = parse_number(part);
    if (!value || !std::isfinite(*value))
      throw UsageError(fmt::format("amplitude '{}' is not understood; give auto, or numbers a,b,c", text));
    values.push_back(*value);
  }
  if (values.empty()) throw UsageError("amplitude is empty; give auto, or numbers a,b,c");
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// Values that do not depend on data; empty for "auto" and for learners without a tuning parameter.
std::vector<double> named_tunings(const SelectionRequest& request) {
  const std::string_view name = find_learner(request.learner).tuning;
  if (name.empty() || tuning_text(request) == "auto") return {};
  if (name == "amplitude") return parse_amplitudes(request.amplitude);
  if (name == "flattening") return parse_unit_grid(tuning_text(request), name);
  const auto values = parse_grid(tuning_text(request), name);
  if (name == "mix")
    require(values.back() <= 1, "mix {} is not allowed; it is a share, from 0 (ridge) to 1 (lasso)",
            values.back());
  if (name == "tau")
    require(values.front() > 0, "tau 0 is not allowed; the loss must be quadratic somewhere: tau > 0");
  return values;
}

double deviation(const TrainingData& data) {
  const Vector w = data.weight.size() ? data.weight : Vector::Ones(data.y.rows());
  const double mean = data.y.col(0).dot(w) / w.sum();
  return std::sqrt(w.dot((data.y.col(0).array() - mean).square().matrix()) / w.sum());
}

/// "auto": one value on the scale of the data, or a few to choose from where the scale is known beforehand.
std::vector<double> automatic_tunings(std::string_view name, const TrainingData& data,
                                      const Representation& representation, bool intercept) {
  if (name == "mix") return {0.1, 0.5, 0.9, 1};
  const double spread = deviation(data);
  if (name == "epsilon") return {0.1 * spread};
  if (name == "amplitude")
    return spread > 0 ? std::vector<double>{-spread, -spread / 2, 0, spread / 2, spread}
                      : std::vector<double>{0};
  const auto features = std::make_shared<const Matrix>(std::get<Basis>(representation).design(data.x));
  return {automatic_tau({features, data.weight, intercept}, data.y.col(0))};
}

Vector rows_of(const Vector& v, const std::vector<Index>& subset) {
  return subset.empty() ? v : Vector(v(subset));
}

SolverFactory make_factory(const SelectionRequest& request, double tuning, const Matrix& x) {
  const std::string& name = request.learner;
  if (name == "svr") {
    return [tuning, kernel = uses_kernel(request)](const SolverDesign& design,
                                                   const CentredGram*) -> PathSolverPtr {
      return std::make_unique<Svr>(design, SvrOptions{.epsilon = tuning, .kernel = kernel});
    };
  }
  if (name == "huber") {
    return [tuning](const SolverDesign& design, const CentredGram*) -> PathSolverPtr {
      return std::make_unique<Huber>(design, HuberOptions{.tau = tuning});
    };
  }
  if (name == "additive") {
    const Vector shift = tuning * shift_shape(request.shift, x, x.rows());
    return [shift](const SolverDesign& design, const CentredGram*) -> PathSolverPtr {
      return std::make_unique<Additive>(design, rows_of(shift, design.subset));
    };
  }
  if (name == "iwls" || name == "ridge")
    return [](const SolverDesign& design, const CentredGram* known) { return weighted_ridge(design, known); };
  if (name == "kernel-ridge")
    return [](const SolverDesign& design, const CentredGram*) { return weighted_kernel_ridge(design); };
  const double mix = name == "lasso" ? 1 : tuning;
  return [mix](const SolverDesign& design, const CentredGram* known) -> PathSolverPtr {
    return std::make_unique<ElasticNet>(design, ElasticNetOptions{.mix = mix}, known);
  };
}

/// The exponent of the importance weights: iwls tunes it, other learners take one.
double exponent_of(const SelectionRequest& request, double tuning) {
  if (request.learner == "iwls") return tuning;
  return request.flattening.empty() ? 1 : parse_unit_grid(request.flattening, "flattening").front();
}

/// The columns of a basis, made once for all candidates; null for kernels.
std::shared_ptr<const Matrix> shared_design(const SelectionRequest& request,
                                            const std::shared_ptr<const Matrix>& x) {
  if (uses_kernel(request)) return nullptr;
  const Basis basis = Basis::fit(basis_of(request), *x);
  return basis.kind() == Basis::Kind::linear ? x : std::make_shared<const Matrix>(basis.design(*x));
}

/// sic measures the fit of an exponent against the fully weighted one.
bool pairs_fits(const SelectionRequest& request, const Metric& metric) {
  return metric.kind == Metric::Kind::points &&
         std::any_of(request.criteria.begin(), request.criteria.end(), [](const std::string& name) {
           return name == "auto" || name == "all" || find_criterion(name).criterion.name == "sic";
         });
}

/// Shared by all exponents of a tall least-squares problem.
std::shared_ptr<const HeldOutMoments> held_out_moments(const TrainingData& data,
                                                       const SelectionRequest& request, const Needs& needs,
                                                       const Matrix* design, const Metric& metric,
                                                       const std::vector<double>& tunings) {
  const bool least_squares = request.learner == "iwls" || request.learner == "ridge";
  if (data.importance.size() == 0 || !least_squares) return nullptr;
  if (!smoother_is_tall(design->rows(), design->cols())) return nullptr;
  std::vector<double> exponents;
  for (const double tuning : tunings) exponents.push_back(exponent_of(request, tuning));
  const std::vector<int> one_fold(needs.folds.count ? 0 : static_cast<std::size_t>(design->rows()), 0);
  return std::make_shared<const HeldOutMoments>(
      *design, data.y, data.importance, needs.folds.count ? needs.folds.of_row : one_fold,
      std::max(needs.folds.count, 1), std::move(exponents), pairs_fits(request, metric));
}

/// What will be asked for decides how a spectrum is obtained.
Needs needs_of(const TrainingData& data, const SelectionRequest& request, const Metric& metric) {
  const bool linear = find_learner(request.learner).linear;
  Needs needs{.leave_one_out = false,
              .function_space = metric.kind == Metric::Kind::function_space,
              .vectors = metric.kind == Metric::Kind::points || data.y.cols() > 1};
  for (const auto& name : request.criteria) {
    const bool collective = name == "auto" || name == "all";
    needs.leave_one_out |= collective || find_criterion(name).criterion.needs_leverages();
    const auto is_validation = [](const Criterion& c) { return c.partition == Criterion::Partition::random; };
    const bool validates = name == "all" || (name == "auto" && !linear) ||
                           (!collective && is_validation(find_criterion(name).criterion));
    if (validates && needs.folds.count == 0 && data.x.rows() > 1) {
      const int k = collective ? find_criterion("cv").folds : find_criterion(name).folds;
      needs.folds =
          random_folds(data.x.rows(), static_cast<int>(std::min<Index>(k, data.x.rows())), request.seed);
    }
  }
  if (linear) needs.leave_one_out &= find_filter(request.learner, request.penalty).closed_form_deletion;
  return needs;
}

}  // namespace

bool uses_kernel(const SelectionRequest& request) {
  const Inputs inputs = find_learner(request.learner).inputs;
  return inputs == Inputs::kernel || (inputs == Inputs::either && request.basis.empty());
}

std::string basis_of(const SelectionRequest& request) {
  return request.basis.empty() ? "linear" : request.basis;
}

Metric metric_of(const SelectionRequest& request, const TrainingData& data) {
  if (request.metric) return *request.metric;
  if (data.importance.size())
    return {
        Metric::Kind::points, {data.x, data.importance / data.importance.sum()}, "weighted training inputs"};
  const bool in_function_space = find_learner(request.learner).linear && uses_kernel(request) &&
                                 find_filter(request.learner, request.penalty).whole_range;
  return in_function_space ? Metric{Metric::Kind::function_space, {}, "function-space"}
                           : Metric{Metric::Kind::train, {}, "train"};
}

const std::string& tuning_text(const SelectionRequest& request) {
  const std::string_view name = find_learner(request.learner).tuning;
  if (name == "mix") return request.mix;
  if (name == "tau") return request.tau;
  if (name == "epsilon") return request.epsilon;
  if (name == "flattening") {
    static const std::string all = "0:1:21";
    return request.flattening.empty() ? all : request.flattening;
  }
  return request.amplitude;
}

void check_tuning(const SelectionRequest& request) {
  named_tunings(request);
  if (!request.flattening.empty()) {
    const auto exponents = parse_unit_grid(request.flattening, "flattening");
    require(request.learner == "iwls" || exponents.size() == 1,
            "only iwls chooses among several exponents; give {} one --flattening", request.learner);
  }
  if (request.learner == "additive") check_shift_family(request.shift);
}

std::vector<Candidate> make_candidates(const TrainingData& data, const SelectionRequest& request,
                                       const Metric& metric, const Progress& progress) {
  const LearnerEntry& entry = find_learner(request.learner);
  const std::vector<double> fixed_grid =
      request.lambda == "auto" ? std::vector<double>() : parse_grid(request.lambda, "lambda");
  std::vector<double> widths = requested_widths(request, data);
  require(widths.size() <= 1 || data.y.cols() == 1,
          "several widths and several targets cannot be chosen together; run one target at a time");
  require(entry.tuning.empty() || data.y.cols() == 1,
          "{} tunes its {} for one target; run one target at a time", request.learner, entry.tuning);
  if (widths.empty()) widths = {undefined};
  std::vector<double> tunings = named_tunings(request);
  if (!entry.tuning.empty() && tunings.empty())
    tunings = automatic_tunings(entry.tuning, data, make_representation(request, widths.front(), data.x),
                                request.intercept);
  if (tunings.empty()) tunings = {undefined};

  const bool shifted = data.importance.size() > 0;
  require(shifted || request.learner != "iwls",
          "iwls needs importance weights: --test FILE with --weights kliep, ulsif, …, or a column of density "
          "ratios");
  require(shifted || request.flattening.empty(),
          "--flattening {} needs importance weights: --test FILE with --weights", request.flattening);
  require(!shifted || !entry.linear || request.learner == "ridge" ||
              (request.learner == "kernel-ridge" && request.penalty == "function"),
          "importance weights are for iwls, ridge, kernel-ridge with the penalty 'function', lasso, "
          "elastic-net, huber, "
          "svr and additive, not for {}{}",
          request.learner, request.learner == "kernel-ridge" ? " with the penalty 'coefficients'" : "");
  const Needs needs = needs_of(data, request, metric);
  // The data outlive the learners, so the inputs are shared without owning them.
  const std::shared_ptr<const Matrix> inputs(std::shared_ptr<void>(), &data.x);
  const std::shared_ptr<const Matrix> design =
      entry.linear && !shifted ? nullptr : shared_design(request, inputs);
  const auto held_out = held_out_moments(data, request, needs, design.get(), metric, tunings);
  const auto judged_at =
      held_out && pairs_fits(request, metric)
          ? std::make_shared<const PointMoments>(PointMoments{
                &metric.points, moments_at(metric.points, Basis::fit(basis_of(request), data.x))})
          : nullptr;
  std::vector<Candidate> candidates;
  for (const double width : widths) {
    for (const double tuning : tunings) {
      progress("preparing",
               static_cast<double>(candidates.size()) / static_cast<double>(widths.size() * tunings.size()));
      Candidate candidate{width, tuning, nullptr, fixed_grid};
      const Representation representation = make_representation(request, width, data.x);
      if (entry.linear && !shifted) {
        auto smoother = std::make_unique<Smoother>(
            inputs, data.y, data.weight,
            SmootherOptions{.representation = representation,
                            .filter = find_filter(request.learner, request.penalty),
                            .intercept = request.intercept,
                            .strategy = request.strategy,
                            .needs = needs},
            progress);
        if (fixed_grid.empty()) candidate.lambdas = automatic_grid(*smoother);
        candidate.learner = std::move(smoother);
      } else {
        PathLearnerOptions options{.representation = representation,
                                   .solver = make_factory(request, tuning, data.x),
                                   .intercept = request.intercept,
                                   .divergence = request.divergence,
                                   .probes = request.probes,
                                   .seed = request.seed,
                                   .folds = needs.folds,
                                   .held_out = held_out,
                                   .judged_at = judged_at,
                                   .features = design};
        Vector weight;
        if (held_out) {
          options.flattening = exponent_of(request, tuning);
        } else {
          options.importance = data.importance;
          weight = shifted ? flattened(data.importance, exponent_of(request, tuning)) : data.weight;
        }
        auto learner = std::make_unique<PathLearner>(inputs, data.y, weight, std::move(options));
        if (fixed_grid.empty())
          candidate.lambdas = request.learner == "iwls" ? std::vector<double>{0} : learner->automatic_grid();
        candidate.learner = std::move(learner);
      }
      candidates.push_back(std::move(candidate));
    }
  }
  return candidates;
}

}  // namespace gnomon
