#include "gnomon/learn/ridge_groups.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"
#include "grouped_ridge.hpp"
#include "ridge_folds.hpp"

namespace gnomon {
namespace {

/// Eigenvalues of a design span ten decades below its mean before rounding hides them; 1e8 times the curvature of a group
/// leaves less than 1e-8 of its weights.
constexpr double lowest = 1e-10, highest = 1e8;
constexpr double dropped = highest * (1 - 1e-9);  // exp(log(highest)) may fall short of it

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

GroupedPenalty penalty_of(std::vector<int> group_of_column, bool intercept) {
  if (intercept) group_of_column.push_back(-1);
  return GroupedPenalty::decay(std::move(group_of_column));
}

}  // namespace

RidgeGroups::RidgeGroups(const Matrix& design, const VectorView& y, Basis basis,
                         const std::vector<int>& group_of_column, const std::vector<std::string>& names,
                         bool intercept)
    : rows_(design.rows()),
      basis_(std::move(basis)),
      group_of_column_(group_of_column),
      intercept_(intercept),
      units_(units_of(design, group_of_column, static_cast<Index>(names.size()), intercept)),
      ridge_(std::make_unique<const GroupedRidge>(
          std::make_shared<const Matrix>(scaled_design(design, group_of_column, units_, intercept)), y,
          penalty_of(group_of_column, intercept))) {
  for (std::size_t g = 0; g < names.size(); ++g) {
    const double unit = units_[static_cast<Index>(g)];
    const auto size = std::count(group_of_column.begin(), group_of_column.end(), static_cast<int>(g));
    parameters_.push_back({Parameter::Kind::decay, names.size() == 1 ? "lambda" : "lambda[" + names[g] + "]",
                           static_cast<Index>(size), unit, lowest * unit, highest * unit});
  }
}

RidgeGroups::~RidgeGroups() = default;

double RidgeGroups::total(Index) const {
  const Vector y = ridge_->y().col(0);
  return intercept_ ? (y.array() - y.mean()).square().sum() : y.squaredNorm();
}

Vector RidgeGroups::kappa(const Vector& point) const {
  return point.array() / units_.array();  // λ/n, and the weights are those of scaled columns
}

const RidgeFolds& RidgeGroups::folds(const Folds& folds) const {
  const std::scoped_lock guard(lock_);
  auto& made = folds_[folds.of_row];
  if (!made)
    made = std::make_unique<const RidgeFolds>(*ridge_, folds, RidgeFoldsOptions{.same_lambda = true});
  return *made;
}

std::string RidgeGroups::lacks(Account account, const Metric& metric) const {
  if (account == Account::resampled)
    return "a search over several parameters has no bootstrap; use sic or cv";
  if (account == Account::sic && metric.kind != Metric::Kind::train)
    return "a search over several parameters measures at the training inputs; use `metric` train";
  return "";
}

std::vector<Counts> RidgeGroups::counts(const Points& points, Index, bool squares, bool slopes) const {
  std::vector<Counts> out;
  for (const auto& point : points.colwise()) out.push_back(ridge_->counts(kappa(point), slopes, squares));
  return out;
}

std::vector<Scores> RidgeGroups::scores(const Points& points, Index, Index lags, bool slopes) const {
  std::vector<Scores> out;
  for (const auto& point : points.colwise()) out.push_back(ridge_->scores(kappa(point), lags, slopes));
  return out;
}

std::vector<LeftOut> RidgeGroups::left_out(const Points& points, Index, bool slopes, const Progress&) const {
  const double n = count();
  std::vector<LeftOut> out;
  for (const auto& point : points.colwise())  // the other n−1 rows at the same λ
    out.push_back(ridge_->left_out(kappa(point) * (n / (n - 1)), slopes));
  return out;
}

std::vector<HeldOut> RidgeGroups::held_out(const Points& points, Index, const Folds& each, bool slopes,
                                           const Progress&) const {
  std::vector<HeldOut> out;
  for (const auto& point : points.colwise()) out.push_back(folds(each).held_out(kappa(point), slopes));
  return out;
}

std::vector<EvidenceParts> RidgeGroups::evidence(const Points& points, Index, bool slopes) const {
  std::vector<EvidenceParts> out;
  for (const auto& point : points.colwise())
    out.push_back(evidence_account(ridge_->evidence(kappa(point), slopes)));
  return out;
}

SicAccount RidgeGroups::sic(const Points& points, Index target, const SicQuestion&, bool slopes) const {
  const double n = count(), fixed = intercept_ ? 1 : 0;
  SicAccount out;
  for (const Counts& c : counts(points, target, false, slopes)) {
    SicParts p;
    p.distance = (c.rss - total(target)) / n;
    p.divergence = (c.df - fixed) / n;
    if (slopes)
      p.slopes = [n, of_counts = c.slopes](std::span<const double> by) {
        return of_counts(std::array{by[0] / n, by[1] / n, 0.0});
      };
    out.parts.push_back(std::move(p));
  }
  return out;
}

Fit RidgeGroups::fit_at(const Points& points) const {
  const Vector k = kappa(points.col(0));
  RidgeFit ridge = ridge_->fit(k);
  const DecayEvidence parts = ridge_->evidence(k);
  const Index columns = static_cast<Index>(group_of_column_.size());
  for (Index j = 0; j < columns; ++j)
    if (k[group_of_column_[static_cast<std::size_t>(j)]] >= dropped) ridge.weights[j] = 0;
  const Vector offset = Vector::Constant(1, intercept_ ? ridge.weights[columns] : 0.0);
  Vector coefficients = ridge.weights.head(columns);
  for (Index j = 0; j < columns; ++j)
    coefficients[j] /= std::sqrt(units_[group_of_column_[static_cast<std::size_t>(j)]] / count());
  Fit fit;
  fit.model = LinearModel{basis_, {}, coefficients, offset};
  fit.fitted = ridge_->x() * ridge.weights;
  fit.training_error = ridge.training_error;
  fit.df = parts.gamma_total;
  fit.gamma = parts.gamma;
  return fit;
}

/// In the units of the design: weights are those of the columns as they are, κ = λ/n.
DecayEvidence RidgeGroups::decays(const Vector& point) const {
  DecayEvidence parts = ridge_->evidence(kappa(point));
  const Vector per_row = units_ / count();
  parts.kappa = parts.kappa.cwiseProduct(per_row);
  parts.squared_norm = parts.squared_norm.cwiseQuotient(per_row);
  parts.log_determinant += parts.group_size.dot(per_row.array().log().matrix());
  return parts;
}

}  // namespace gnomon
