#include "gnomon/adaptive/ridge_groups.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/adaptive/fper.hpp"
#include "gnomon/adaptive/gpe.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::adaptive {
namespace {

/// Eigenvalues of a design span ten decades below its mean before rounding hides them; 1e8 times the curvature of a group
/// leaves less than 1e-8 of its weights.
constexpr double lowest = 1e-10, highest = 1e8;

/// The natural unit of λ_g: the mean of Σ(φ − mean)² over the columns of the group; the number of rows where that is 0.
Vector units_of(const Matrix& design, const std::vector<int>& group_of_column, Index groups, bool intercept) {
  Vector total = Vector::Zero(groups), size = total;
  for (Index j = 0; j < design.cols(); ++j) {
    const double mean = intercept ? design.col(j).mean() : 0;
    const int g = group_of_column[static_cast<std::size_t>(j)];
    total[g] += (design.col(j).array() - mean).square().sum();
    size[g] += 1;
  }
  return (total.array() > 0).select(total.array() / size.array(), static_cast<double>(design.rows()));
}

/// Columns divided by the root of their group's unit per row, so that groups of very different sizes can be solved together; and
/// a constant.
Matrix scaled_design(const Matrix& design, const std::vector<int>& group_of_column, const Vector& units,
                     bool intercept) {
  Matrix x(design.rows(), design.cols() + (intercept ? 1 : 0));
  for (Index j = 0; j < design.cols(); ++j) {
    const double unit = units[group_of_column[static_cast<std::size_t>(j)]];
    x.col(j) = design.col(j) / std::sqrt(unit / static_cast<double>(design.rows()));
  }
  if (intercept) x.rightCols(1).setOnes();
  return x;
}

Penalty penalty_of(std::vector<int> group_of_column, bool intercept) {
  if (intercept) group_of_column.push_back(-1);
  return Penalty::decay(std::move(group_of_column));
}

}  // namespace

RidgeGroups::RidgeGroups(const Matrix& design, const VectorView& y, Basis basis,
                         const std::vector<int>& group_of_column, const std::vector<std::string>& names,
                         bool intercept)
    : basis_(std::move(basis)),
      group_of_column_(group_of_column),
      intercept_(intercept),
      units_(units_of(design, group_of_column, static_cast<Index>(names.size()), intercept)),
      ridge_(std::make_shared<const Matrix>(scaled_design(design, group_of_column, units_, intercept)), y,
             penalty_of(group_of_column, intercept)) {
  for (std::size_t g = 0; g < names.size(); ++g) {
    const double unit = units_[static_cast<Index>(g)];
    const auto size = std::count(group_of_column.begin(), group_of_column.end(), static_cast<int>(g));
    parameters_.push_back({TunedParameter::Kind::decay,
                           names.size() == 1 ? "lambda" : "lambda[" + names[g] + "]",
                           static_cast<Index>(size), unit, lowest * unit, highest * unit});
  }
}

std::string RidgeGroups::undefined_for(std::string_view criterion) const { return no_gradient(criterion); }

Vector RidgeGroups::kappa(const Vector& theta) const {
  return theta.array().exp() / units_.array();  // λ/n, and the weights are those of scaled columns
}

const RidgeFolds& RidgeGroups::folds(const Folds& folds) const {
  const std::scoped_lock guard(lock_);
  auto& made = folds_[folds.of_row];
  if (!made) made = std::make_unique<const RidgeFolds>(ridge_, folds, RidgeFoldsOptions{.same_lambda = true});
  return *made;
}

HyperEstimate RidgeGroups::evaluate(const HyperCriterion& c, const Vector& theta, bool gradient) const {
  const Vector k = kappa(theta);
  const double n = static_cast<double>(ridge_.samples());
  if (c.name == "loo") return ridge_.loo(k * (n / (n - 1)), gradient);  // the other n−1 rows at the same λ
  if (c.name == "cv" || c.name == "cv-blocked") {
    HyperEstimate sum{0, gradient ? Vector(Vector::Zero(theta.size())) : Vector(), ""};
    for (const Folds& each : c.folds) {
      const HyperEstimate one = folds(each).cv(k, gradient);
      sum.value += one.value / static_cast<double>(c.folds.size());
      if (gradient) sum.gradient += one.gradient / static_cast<double>(c.folds.size());
    }
    return sum;
  }
  if (c.name == "gen" || c.name == "nic")
    return ridge_.gen(k, {.lags = c.name == "gen" ? c.lags : 0, .gradient = gradient});
  if (c.name == "evidence") {
    HyperEstimate e = profiled_evidence(ridge_.evidence(k, gradient));
    e.value *= 2;
    if (gradient) e.gradient *= 2;
    return e;
  }
  const CountedError counted = ridge_.counted(k, gradient, c.name == "fper");
  if (c.name == "fper") return fper(counted);
  if (c.name == "gcv") return gcv(counted);
  if (c.name == "gpe" || c.name == "fpe") return gpe(counted);
  HyperEstimate e = gpe(counted, c.sigma2);  // cp
  e.warning.clear(), e.overfitted = false;   // a known σ² does not vanish with the training error
  if (c.name == "sic") {
    const Vector y = ridge_.y().col(0);
    const double total = intercept_ ? (y.array() - y.mean()).square().sum() : y.squaredNorm();
    e.value -= (total + (intercept_ ? 2 * c.sigma2 : 0)) / n;
  }
  return e;
}

TunedFit RidgeGroups::fit(const Vector& theta) const {
  const Vector k = kappa(theta);
  const RidgeFit ridge = ridge_.fit(k);
  const EvidenceParts parts = ridge_.evidence(k);
  const Index columns = static_cast<Index>(group_of_column_.size());
  const Vector offset = Vector::Constant(1, intercept_ ? ridge.weights[columns] : 0.0);
  Vector coefficients = ridge.weights.head(columns);
  for (Index j = 0; j < columns; ++j)
    coefficients[j] /= std::sqrt(units_[group_of_column_[static_cast<std::size_t>(j)]] /
                                 static_cast<double>(ridge_.samples()));
  TunedFit fit;
  fit.model = LinearModel{basis_, {}, coefficients, offset};
  fit.fitted = ridge_.x() * ridge.weights;
  fit.training_error = ridge.training_error;
  fit.df = parts.gamma_total;
  fit.gamma = parts.gamma;
  return fit;
}

/// In the units of the design: weights are those of the columns as they are, κ = λ/n.
EvidenceParts RidgeGroups::evidence_parts(const Vector& theta) const {
  EvidenceParts parts = ridge_.evidence(kappa(theta));
  const Vector per_row = units_ / static_cast<double>(ridge_.samples());
  parts.kappa = parts.kappa.cwiseProduct(per_row);
  parts.squared_norm = parts.squared_norm.cwiseQuotient(per_row);
  parts.log_determinant += parts.group_size.dot(per_row.array().log().matrix());
  return parts;
}

}  // namespace gnomon::adaptive
