#include "gnomon/learn/mlp_tunable.hpp"

#include <algorithm>
#include <cmath>

#include "core/listening.hpp"
#include "counted.hpp"
#include "estimates.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "validation.hpp"

namespace gnomon {
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

/// The estimates refer to the cost, so that the two go together.
struct Estimates {
  MlpCost cost;
  MlpEstimates at;

  Estimates(const MlpCost& c, const Vector& w, MlpHessian kind) : cost(c), at(cost, w, kind) {}
};

Scores undefined_scores(const std::string& why) {
  Scores out;
  out.trouble = why;
  return out;
}

/// Slopes of fields that are each given in another unit.
Slopes with_units(Slopes slopes, std::vector<double> units) {
  if (!slopes) return {};
  return [slopes = std::move(slopes), units = std::move(units)](std::span<const double> by_field) -> Vector {
    std::vector<double> scaled(by_field.begin(), by_field.end());
    for (std::size_t i = 0; i < scaled.size(); ++i) scaled[i] *= units[i];
    return slopes(scaled);
  };
}

}  // namespace

MlpTunable::MlpTunable(const MatrixView& x, const MatrixView& y, MlpTunableOptions options)
    : options_(std::move(options)),
      shape_{x.cols(), options_.hidden, y.cols(), options_.bias},
      rows_(x.rows()) {
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
        {Parameter::Kind::decay, plan.names.size() == 1 ? "lambda" : "lambda[" + plan.names[g] + "]",
         plan.decay.size_of(static_cast<Index>(g)), natural_kappa * n, lowest_kappa * n, highest_kappa * n});
  }
  cost_ = std::make_unique<const MlpCost>(shape_, options_.loss, x, targets, std::move(plan.decay));
}

MlpTunable::~MlpTunable() = default;

double MlpTunable::total(Index target) const {
  return squared() ? count() * deviation_[target] * deviation_[target] : undefined;
}

std::string MlpTunable::lacks(Account account, const Metric&) const {
  switch (account) {
    case Account::left_out:
      return "a network has no closed form of it; use cv";
    case Account::sic:
    case Account::resampled:
      return "it is made for learners that are linear in y; use cv or evidence";
    case Account::counts:
      return squared() ? "" : "it is made for squared errors; use cv, evidence or gen";
    case Account::scores:
    case Account::held_out:
    case Account::evidence:
      break;
  }
  return "";
}

/// What a standardised error is multiplied by: σ_y² for one output, a mean over several.
double MlpTunable::unit_of_error() const {
  if (!squared()) return 1;
  return shape_.outputs == 1 ? deviation_[0] * deviation_[0] : 1 / static_cast<double>(shape_.outputs);
}

MlpCost MlpTunable::cost_at(const Vector& point) const { return cost_->with_kappa(point / count()); }

MlpFit MlpTunable::trained_at(const Vector& point) const {
  const std::scoped_lock guard(lock_);
  const Vector logarithms = point.array().log();
  const Trained* nearest = nullptr;
  double least = HUGE_VAL;
  for (const Trained& p : known_) {
    const double distance = (p.logarithms - logarithms).cwiseAbs().maxCoeff();
    if (distance == 0) return p.fit;
    if (distance < least) least = distance, nearest = &p;
  }
  const MlpCost cost = cost_at(point);
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
  known_.push_back({logarithms, *best});
  if (known_.size() > most_known) known_.pop_front();
  return std::move(*best);
}

/// Every fold follows the minimum of the whole data.
HeldOut MlpTunable::held_out_at(const Vector& point, const Folds& folds, bool slopes) const {
  const MlpFit whole = trained_at(point);
  const auto rows = rows_by_fold(folds);
  const Index n = cost_->rows(), count = static_cast<Index>(rows.size());
  HeldOut out;
  out.sum = Vector::Constant(count, undefined);
  out.weight.resize(count);
  Matrix d(point.size(), count);
  std::vector<std::string> trouble(rows.size());
  Listening* const listening = Listening::here();
  parallel_for(count, [&](Index j) {
    const ListeningToo too(listening);
    const auto& held = rows[static_cast<std::size_t>(j)];
    std::string& why = trouble[static_cast<std::size_t>(j)];
    std::vector<Index> kept;
    for (Index k = 0; k < n; ++k) {
      if (folds.of_row[static_cast<std::size_t>(k)] != j) kept.push_back(k);
    }
    out.weight[j] = static_cast<double>(held.size());
    const MlpCost training = cost_->on_rows(kept).with_kappa(point / static_cast<double>(kept.size()));
    const MlpCost held_out = cost_->on_rows(held);
    if (!squared() && !(training.y().colwise().sum().minCoeff() > 0)) {
      why = "a fold holds out every row of a class; use fewer folds or another seed";
      return;
    }
    const MlpFit fit = mlp_train_from(training, whole.model.w, options_.training);
    if (!usable(fit)) {
      why = "training without a fold: " + fit.status;
      return;
    }
    const double unit = out.weight[j] * unit_of_error();
    if (!slopes) {
      out.sum[j] = unit * held_out.error(fit.model.w);
      return;
    }
    const MlpValidation one = mlp_validation(training, fit.model.w, held_out, options_.training.dense_limit);
    if (one.gradient.size() == 0) {
      why = "a fold: " + one.status;
      return;
    }
    out.sum[j] = unit * *one.value;
    d.col(j) = unit * one.gradient;
  });
  for (const std::string& why : trouble) {
    if (out.trouble.empty()) out.trouble = why;
  }
  if (out.trouble.empty() && whole.outcome != MlpOutcome::minimum) out.trouble = "training: " + whole.status;
  if (slopes) out.slopes = slopes_from(std::move(d));
  return out;
}

std::vector<HeldOut> MlpTunable::held_out(const Points& points, Index, const Folds& folds, bool slopes,
                                          const Progress&) const {
  std::vector<HeldOut> out;
  for (const auto& point : points.colwise()) out.push_back(held_out_at(point, folds, slopes));
  return out;
}

template <class AccountType, class Keep>
std::vector<AccountType> MlpTunable::accounts(const Points& points, const Keep& keep) const {
  constexpr bool in_curvature = std::is_same_v<AccountType, EvidenceParts>;  // has its own word on no minimum
  std::vector<AccountType> out;
  for (const auto& point : points.colwise()) {
    const MlpFit fit = trained_at(point);
    AccountType account;
    if (!usable(fit)) {
      account.trouble = "training: " + fit.status;
    } else {
      try {
        account = keep(cost_at(point), fit.model.w);
      } catch (const Error& error) {
        account = AccountType{};
        account.trouble = error.what();
      }
      if (!in_curvature && account.trouble.empty() && fit.outcome != MlpOutcome::minimum)
        account.trouble = "training: " + fit.status;
    }
    out.push_back(std::move(account));
  }
  return out;
}

std::vector<Counts> MlpTunable::counts(const Points& points, Index, bool, bool slopes) const {
  const double unit = shape_.outputs == 1 ? unit_of_error() : 1;  // n counts every output
  return accounts<Counts>(points, [&](const MlpCost& cost, const Vector& w) {
    Counts c = network_counts(cost, w, slopes);
    c.rss *= unit;
    c.slopes = with_units(std::move(c.slopes), {unit, 1, 1});
    return c;
  });
}

std::vector<Scores> MlpTunable::scores(const Points& points, Index, Index lags, bool slopes) const {
  const double unit = unit_of_error();
  return accounts<Scores>(points, [&](const MlpCost& cost, const Vector& w) {
    const auto estimates = std::make_shared<const Estimates>(cost, w, MlpHessian::exact);
    Scores s = estimates->at.scores(lags, MlpLagWindow::corrected, slopes).account;
    if (slopes && !s.slopes) return undefined_scores(estimates->at.trouble());
    s.loss *= unit, s.products *= unit, s.stationarity *= unit;
    s.slopes =
        with_units([estimates, inner = std::move(s.slopes)](std::span<const double> by) { return inner(by); },
                   {unit, unit, unit});
    s.df = Estimates(cost, w, MlpHessian::gauss_newton).at.effective().m1;
    return s;
  });
}

std::vector<EvidenceParts> MlpTunable::evidence(const Points& points, Index, bool slopes) const {
  return accounts<EvidenceParts>(points, [&](const MlpCost& cost, const Vector& w) {
    const MlpEstimates estimates(cost, w, MlpHessian::gauss_newton);
    const DecayEvidence decays = estimates.decays(slopes);
    if (slopes && decays.third.size() == 0) fail("{}", estimates.trouble());
    EvidenceParts parts = evidence_account(decays);
    // Densities of the targets as they are, with output biases flat in their units.
    const double rows = static_cast<double>(cost_->rows()) - (shape_.bias ? 1 : 0);
    if (squared()) parts.log_determinant += 2 * rows * deviation_.array().log().sum();
    return parts;
  });
}

DecayEvidence MlpTunable::decays(const Vector& point) const {
  const MlpFit trained = trained_at(point);
  const MlpCost cost = cost_at(point);
  const MlpEstimates estimates(cost, trained.model.w, MlpHessian::gauss_newton);
  const std::string& trouble = estimates.curvature().trouble();
  if (!estimates.curvature().positive_definite())
    fail("MacKay's update: {}", trouble.empty() ? trained.status : trouble);
  return estimates.decays(false);
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

Fit MlpTunable::fit_at(const Points& points) const {
  const Vector point = points.col(0);
  const MlpFit trained = trained_at(point);
  const MlpCost cost = cost_at(point);
  Fit fit;
  const Mlp model = in_units_of_target(trained.model);
  fit.fitted = model.predict(cost.x());
  fit.model = model;
  fit.training_error = trained.error * unit_of_error();
  fit.gradient_norm = trained.gradient_norm;
  fit.outcome = trained.outcome;
  fit.status = trained.status;
  fit.gamma = Vector::Constant(point.size(), undefined);
  if (cost.weights() > options_.training.dense_limit) return fit;
  const MlpEstimates estimates(cost, trained.model.w, MlpHessian::gauss_newton);
  if (!estimates.curvature().regular()) return fit;
  const MlpEffective effective = estimates.effective();
  fit.df = effective.gamma_total;
  fit.gamma = effective.gamma;
  return fit;
}

}  // namespace gnomon
