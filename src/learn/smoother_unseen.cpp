// Residuals of a smoother at rows that it has not seen: left out one at a time in closed form, or held out by folds.

#include <algorithm>

#include "data/row_blocks.hpp"
#include "decompose/decomposition.hpp"
#include "decompose/lapack.hpp"
#include "decompose/ridge_from_rows.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/learn/smoother.hpp"

namespace gnomon {
namespace {

/// Predictions of one smoother at points, one column per λ, its offset included: f = ȳ + Σ_i φ_i(x) gain_i z_i, where the
/// eigenfunctions have mean zero over the training rows.
Matrix predictions_along(const Smoother& smoother, const Matrix& points, std::span<const double> lambdas,
                         double offset) {
  const Spectrum& s = smoother.spectrum();
  const Matrix z = *smoother.decomposition().coordinates();
  Matrix a(z.rows(), static_cast<Index>(lambdas.size()));
  for (Index k = 0; k < a.cols(); ++k) {
    for (Index i = 0; i < a.rows(); ++i)
      a(i, k) =
          filter_at(s, smoother.filter(), s.values[i], lambdas[static_cast<std::size_t>(k)]).gain * z(i, 0);
  }
  Matrix f = lapack::product(smoother.spectral_features(points), false, a, false);
  f.array() += offset;
  return f;
}

}  // namespace

UnseenResiduals Smoother::unseen_residuals(const Points& points, Index target, const Folds& folds, bool alone,
                                           const Progress& progress) const {
  const auto lambdas = lambdas_of(points);
  if (alone && no_leave_one_out().empty() && prepared_for_leave_one_out())
    return {left_out_residuals(lambdas, target), "leave-one-out"};
  return {held_out_residuals(lambdas, target, folds, progress), fmt::format("{} folds", folds.count)};
}

/// r_i/(1 − h_i) at every λ.
Matrix Smoother::left_out_residuals(std::span<const double> lambdas, Index target) const {
  Matrix out(rows(), static_cast<Index>(lambdas.size()));
  const Vector& root = decomposition_->weighted_rows().root_weight;
  Vector least = Vector::Ones(out.cols());
  decomposition_->visit_rows(filter(), lambdas, target,
                             [&](Index first, const Matrix& residual, const Matrix& complement) {
                               const auto w = root.segment(first, residual.rows()).array();
                               for (Index k = 0; k < out.cols(); ++k) {
                                 least[k] = std::min(least[k], complement.col(k).minCoeff());
                                 out.col(k).segment(first, residual.rows()) =
                                     residual.col(k).array() / w / complement.col(k).array();
                               }
                             });
  if (!design_) return out;
  // Where a row alone decides its fitted value: 0/0 above, settled by a refit.
  for (const Index k : at_rounding_level(lambdas, rows(), columns(), spectrum().values.sum()))
    if (least[k] <= 1e2 * default_range_tolerance(rows()))
      out.col(k) = leave_one_out_residuals(lambdas[static_cast<std::size_t>(k)], target, Deletion::whole_row);
  return out;
}

Matrix Smoother::held_out_residuals(std::span<const double> lambdas, Index target, const Folds& folds,
                                    const Progress& progress) const {
  const auto held_out = rows_by_fold(folds);
  const auto rotation = filter().shift == Shift::plain ? decomposition_->rotated_rows() : std::nullopt;
  if (rotation && weight_.size() == 0) {
    constexpr double tolerance = 1e-8;
    RotatedResiduals found = rotated_fold_residuals(*rotation, held_out, lambdas, tolerance, progress);
    if (found.residual.allFinite()) return std::move(found.residual);
  }
  const Matrix& x = x_->whole();
  Matrix out(rows(), static_cast<Index>(lambdas.size()));
  for (int f = 0; f < folds.count; ++f) {
    progress("holding rows out", static_cast<double>(f) / folds.count);
    const auto& held = held_out[static_cast<std::size_t>(f)];
    std::vector<Index> train;
    for (Index i = 0; i < rows(); ++i)
      if (folds.of_row[static_cast<std::size_t>(i)] != f) train.push_back(i);
    if (train.empty()) {
      out(held, Eigen::all).setConstant(undefined);
      continue;
    }
    const Vector y = y_(train, target), w = weight_.size() ? Vector(weight_(train)) : Vector();
    SmootherOptions options = options_;
    options.strategy = Strategy::automatic;
    options.needs = {.vectors = true};
    const Smoother without(Matrix(x(train, Eigen::all)), y, w, options);
    const double mean = w.size() ? w.dot(y) / w.sum() : y.mean();
    Matrix residual = -predictions_along(without, x(held, Eigen::all), lambdas, intercept() ? mean : 0);
    residual.colwise() += Vector(y_(held, target));
    out(held, Eigen::all) = residual;
  }
  return out;
}

}  // namespace gnomon
