#include "gnomon/adaptive/mlp_tunable.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/adaptive/fper.hpp"
#include "gnomon/adaptive/gpe.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/learn/mlp_validation.hpp"

namespace gnomon::adaptive {
namespace {

constexpr std::size_t most_known = 64;
/// κ of standardised data: below 1e-8 a decay is not felt beside rounding of the training, above 1e3 no weight is left.
constexpr double natural_kappa = 0.1, lowest_kappa = 1e-8, highest_kappa = 1e3;
/// A trained point farther away than this in log λ is no guide.
const double far_away = std::log(100.0);

/// Which decay acts on which weight, and their names.
struct DecayPlan {
  MlpDecay decay;
  std::vector<std::string> names;
};

DecayPlan plan_decays(const MlpShape& shape, const MlpTunableOptions& options) {
  DecayPlan plan;
  const bool per_input = !options.group_names.empty();
  const Index layers = shape.layers();
  const int rest = static_cast<int>(options.group_names.size());
  plan.names = options.group_names;
  if (per_input && layers > 1) plan.names.emplace_back("rest");
  for (Index layer = 0; !per_input && layer < layers; ++layer)
    plan.names.push_back(fmt::format("layer {}", layer + 1));
  for (Index layer = 0; layer < layers; ++layer) {
    for (Index unit = 0; unit < shape.units(layer); ++unit) {
      for (Index i = 0; i < shape.fan_in(layer); ++i) {
        const bool is_bias = i == shape.units_below(layer), of_output = layer + 1 == layers;
        int group = per_input ? rest : static_cast<int>(layer);
        if (per_input && layer == 0 && !is_bias) group = options.group_of_input[static_cast<std::size_t>(i)];
        plan.decay.group.push_back(is_bias && of_output ? -1 : group);
      }
    }
  }
  plan.decay.kappa = Vector::Constant(static_cast<Index>(plan.names.size()), natural_kappa);
  return plan;
}

/// Rounding may keep an ill-conditioned network a little short of its certificate; such weights still serve.
bool usable(const MlpFit& fit) {
  return fit.converged() ||
         (fit.outcome == MlpOutcome::iteration_limit && fit.gradient_norm <= 1e-8 * std::max(1.0, fit.cost));
}

HyperEstimate undefined_because(std::string why) { return {undefined, Vector(), std::move(why)}; }

std::string first_of(const std::string& a, const std::string& b) { return a.empty() ? b : a; }

}  // namespace

MlpTunable::MlpTunable(const MatrixView& x, const MatrixView& y, MlpTunableOptions options)
    : options_(std::move(options)), shape_{x.cols(), options_.hidden, y.cols(), options_.bias} {
  shape_.check();
  require(options_.group_names.empty() || static_cast<Index>(options_.group_of_input.size()) == x.cols(),
          "network: groups for {} inputs, there are {}", options_.group_of_input.size(), x.cols());
  Matrix targets = y;
  if (squared()) {
    mean_ = options_.bias ? Vector(y.colwise().mean().transpose()) : Vector(Vector::Zero(y.cols()));
    targets.rowwise() -= mean_.transpose();
    deviation_ = (targets.colwise().squaredNorm() / static_cast<double>(y.rows())).cwiseSqrt().transpose();
    for (Index o = 0; o < y.cols(); ++o)
      require(deviation_[o] > 1e-12 * std::abs(mean_[o]),
              "network: target {} is constant; there is nothing to learn", o + 1);
    targets = targets * deviation_.cwiseInverse().asDiagonal();
  } else {
    for (Index o = 0; o < y.cols(); ++o)
      require(y.col(o).sum() > 0, "network: class {} has no row; leave it out", o + 1);
  }
  DecayPlan plan = plan_decays(shape_, options_);
  const double n = static_cast<double>(x.rows());
  for (std::size_t g = 0; g < plan.names.size(); ++g) {
    parameters_.push_back(
        {TunedParameter::Kind::decay, plan.names.size() == 1 ? "lambda" : "lambda[" + plan.names[g] + "]",
         plan.decay.size_of(static_cast<Index>(g)), natural_kappa * n, lowest_kappa * n, highest_kappa * n});
  }
  cost_ = std::make_unique<const MlpCost>(shape_, options_.loss, x, targets, std::move(plan.decay));
}

std::string MlpTunable::undefined_for(std::string_view criterion) const {
  if (criterion == "loo") return "a network has no closed form of it; use cv";
  if (criterion == "cp" || criterion == "sic")
    return "it is made for learners that are linear in y; use cv or evidence";
  for (const std::string_view count : {"fpe", "fper", "gpe", "gcv"}) {
    if (criterion == count) return squared() ? "" : "it is made for squared errors; use cv, evidence or gen";
  }
  for (const std::string_view known : {"cv", "cv-blocked", "gen", "nic", "evidence"}) {
    if (criterion == known) return {};
  }
  return "it has no gradient here; choose from cv, cv-blocked, evidence, gen, nic, fpe, fper, gpe, gcv";
}

/// What a standardised error is multiplied by: σ_y² for one output, a mean over several.
double MlpTunable::unit_of_error() const {
  if (!squared()) return 1;
  return shape_.outputs == 1 ? deviation_[0] * deviation_[0] : 1 / static_cast<double>(shape_.outputs);
}

MlpCost MlpTunable::cost_at(const Vector& theta) const {
  return cost_->with_kappa(theta.array().exp() / static_cast<double>(cost_->rows()));
}

MlpFit MlpTunable::trained_at(const Vector& theta) const {
  const std::scoped_lock guard(lock_);
  const Point* nearest = nullptr;
  double least = HUGE_VAL;
  for (const Point& p : known_) {
    const double distance = (p.theta - theta).cwiseAbs().maxCoeff();
    if (distance == 0) return p.fit;
    if (distance < least) least = distance, nearest = &p;
  }
  const MlpCost cost = cost_at(theta);
  const BlasThreads one(
      1);  // rounding must not depend on the number of threads: it may decide between two minima
  std::optional<MlpFit> best;
  if (nearest) best = mlp_train_from(cost, nearest->fit.model.w, options_.training);
  const bool doubtful =
      !best || best->outcome != MlpOutcome::minimum || !nearest->fit.dead_units.empty() || least > far_away;
  if (doubtful) {
    MlpFit fresh = mlp_train(cost, options_.training);
    const bool better = !best || (usable(fresh) && !usable(*best)) ||
                        (usable(fresh) == usable(*best) && fresh.cost < best->cost * (1 - 1e-9));
    if (better) best = std::move(fresh);
  }
  known_.push_back({theta, *best});
  if (known_.size() > most_known) known_.pop_front();
  return std::move(*best);
}

HyperEstimate MlpTunable::cross_validated(const Folds& folds, const Vector& theta, bool gradient) const {
  const Vector w = trained_at(theta).model.w;
  const auto rows = rows_by_fold(folds);
  std::vector<HyperEstimate> of_fold(rows.size());
  const Index n = cost_->rows();
  parallel_for(static_cast<Index>(rows.size()), [&](Index j) {
    const auto& held = rows[static_cast<std::size_t>(j)];
    std::vector<Index> kept;
    for (Index k = 0; k < n; ++k) {
      if (folds.of_row[static_cast<std::size_t>(k)] != j) kept.push_back(k);
    }
    HyperEstimate& out = of_fold[static_cast<std::size_t>(j)];
    const MlpCost training =
        cost_->on_rows(kept).with_kappa(theta.array().exp() / static_cast<double>(kept.size()));
    const MlpCost held_out = cost_->on_rows(held);
    if (!squared() && !(training.y().colwise().sum().minCoeff() > 0)) {
      out = undefined_because("a fold holds out every row of a class; use fewer folds or another seed");
      return;
    }
    const MlpFit fit = mlp_train_from(training, w, options_.training);
    if (!usable(fit)) {
      out = undefined_because("training without a fold: " + fit.status);
      return;
    }
    const double share = 1 / static_cast<double>(rows.size());
    if (!gradient) {
      out.value = share * held_out.error(fit.model.w);
      return;
    }
    const MlpValidation one = mlp_validation(training, fit.model.w, held_out, options_.training.dense_limit);
    if (one.gradient.size() == 0) {
      out = undefined_because("a fold: " + one.status);
      return;
    }
    out.value = share * *one.value;
    out.gradient = share * one.gradient;
  });
  HyperEstimate sum{0, gradient ? Vector(Vector::Zero(theta.size())) : Vector(), ""};
  for (const HyperEstimate& one : of_fold) {
    if (!std::isfinite(one.value)) return undefined_because(one.warning);
    sum.value += one.value;
    if (gradient) sum.gradient += one.gradient;
  }
  return sum;
}

HyperEstimate MlpTunable::counted(std::string_view name, const MlpCost& cost, const Vector& w,
                                  bool gradient) const {
  try {
    const CountedError c = counted_error(cost, w, gradient);
    return name == "fper" ? fper(c) : name == "gcv" ? gcv(c) : gpe(c);
  } catch (const Error& error) {
    return undefined_because(error.what());
  }
}

HyperEstimate MlpTunable::evaluate(const HyperCriterion& c, const Vector& theta, bool gradient) const {
  HyperEstimate e;
  if (c.name == "cv" || c.name == "cv-blocked") {
    e = {0, gradient ? Vector(Vector::Zero(theta.size())) : Vector(), ""};
    for (const Folds& folds : c.folds) {
      const HyperEstimate one = cross_validated(folds, theta, gradient);
      if (!std::isfinite(one.value)) return one;
      e.value += one.value / static_cast<double>(c.folds.size());
      if (gradient) e.gradient += one.gradient / static_cast<double>(c.folds.size());
    }
  } else {
    const MlpFit fit = trained_at(theta);
    if (!usable(fit)) return undefined_because("training: " + fit.status);
    const MlpCost cost = cost_at(theta);
    if (c.name == "evidence") {
      const MlpEvidence evidence =
          MlpEstimates(cost, fit.model.w, MlpHessian::gauss_newton).evidence({}, gradient);
      if (!evidence.value || (gradient && evidence.gradient.size() == 0))
        return undefined_because(evidence.status);
      e = {2 * *evidence.value, 2 * evidence.gradient, ""};
      // Densities of the targets as they are, with output biases flat in their units.
      const double rows = static_cast<double>(cost_->rows()) - (shape_.bias ? 1 : 0);
      if (squared()) e.value += 2 * rows * deviation_.array().log().sum();
      return e;
    }
    if (c.name == "gen" || c.name == "nic") {
      const MlpEstimates estimates(cost, fit.model.w);
      const MlpGen gen = estimates.gen(c.name == "gen" ? c.lags : 0, MlpLagWindow::corrected, gradient);
      if (!gen.value || (gradient && gen.gradient.size() == 0)) return undefined_because(gen.status);
      CountedError count;
      count.observations = static_cast<double>(cost_->rows() * shape_.outputs);
      count.m1 = MlpEstimates(cost, fit.model.w, MlpHessian::gauss_newton).effective().m1;
      e = {*gen.value, gen.gradient, overfit_warning(count)};
      e.overfitted = !e.warning.empty();
    } else {
      e = counted(c.name, cost, fit.model.w, gradient);
    }
  }
  e.value *= unit_of_error();
  if (gradient) e.gradient *= unit_of_error();
  if (!e.warning.empty()) return e;
  const MlpFit fit = trained_at(theta);  // known by now
  if (fit.outcome != MlpOutcome::minimum) e.warning = "training: " + fit.status;
  return e;
}

/// f = mean + deviation × standardised output: only the last layer changes.
Mlp MlpTunable::in_units_of_target(Mlp model) const {
  if (!squared()) return model;
  const Index last = shape_.layers() - 1, fan_in = shape_.fan_in(last);
  for (Index o = 0; o < shape_.outputs; ++o) {
    auto unit = model.w.segment(shape_.offset(last) + o * fan_in, fan_in);
    unit *= deviation_[o];
    if (shape_.bias) unit[fan_in - 1] += mean_[o];
  }
  return model;
}

TunedFit MlpTunable::fit(const Vector& theta) const {
  const MlpFit trained = trained_at(theta);
  const MlpCost cost = cost_at(theta);
  TunedFit fit;
  const Mlp model = in_units_of_target(trained.model);
  fit.fitted = model.predict(cost.x());
  fit.model = model;
  fit.training_error = trained.error * unit_of_error();
  fit.gradient_norm = trained.gradient_norm;
  fit.status = trained.status;
  fit.gamma = Vector::Constant(theta.size(), undefined);
  if (cost.weights() > options_.training.dense_limit) return fit;
  const MlpEstimates estimates(cost, trained.model.w, MlpHessian::gauss_newton);
  if (!estimates.curvature().regular()) return fit;
  const MlpEffective effective = estimates.effective();
  fit.df = effective.gamma_total;
  fit.gamma = effective.gamma;
  return fit;
}

EvidenceParts MlpTunable::evidence_parts(const Vector& theta) const {
  const MlpFit trained = trained_at(theta);
  const MlpCost cost = cost_at(theta);
  const MlpEstimates estimates(cost, trained.model.w, MlpHessian::gauss_newton);
  const MlpCurvature& curvature = estimates.curvature();
  require(curvature.positive_definite(), "MacKay's update: {}",
          first_of(curvature.trouble(), trained.status));
  const MlpEffective effective = estimates.effective();
  const MlpDecay& decay = cost.decay();
  const double idle = static_cast<double>(curvature.idle().size());
  EvidenceParts parts;
  parts.samples = static_cast<double>(cost.rows());
  parts.observations = parts.samples * static_cast<double>(shape_.outputs);
  parts.weights = static_cast<double>(cost.weights()) - idle;
  parts.unpenalised = static_cast<double>(decay.free_weights()) - idle;
  parts.training_error = trained.error;
  parts.cost = trained.cost;
  parts.log_determinant = *curvature.log_determinant();
  parts.kappa = decay.kappa;
  parts.group_size.resize(theta.size());
  parts.squared_norm.resize(theta.size());
  for (Index g = 0; g < theta.size(); ++g) {
    parts.group_size[g] = static_cast<double>(decay.size_of(g));
    parts.squared_norm[g] = decay.restricted(trained.model.w, g).squaredNorm();
  }
  parts.gamma = effective.gamma;
  parts.gamma_total = effective.gamma_total;
  parts.left = parts.observations - effective.gamma_total;
  parts.likelihood_loss = !squared();
  return parts;
}

}  // namespace gnomon::adaptive
