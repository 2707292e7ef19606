#include "moments_ridge.hpp"

#include <algorithm>
#include <cmath>

#include "decompose/lapack.hpp"
#include "held_out_moments.hpp"

namespace gnomon {

std::unique_ptr<MomentsRidge> MomentsRidge::make(const SolverDesign& design, std::function<Vector()> weight,
                                                 const CentredGram& known) {
  const Index p = known.xx.rows();
  if (p == 0) return nullptr;
  auto eigen = lapack::symmetric_eigen(Matrix(known.xx));
  if (!(eigen.values[p - 1] > well_conditioned_moments * eigen.values[0])) return nullptr;
  return std::unique_ptr<MomentsRidge>(
      new MomentsRidge(design, std::move(weight), known, std::move(eigen.values), std::move(eigen.vectors)));
}

MomentsRidge::MomentsRidge(const SolverDesign& design, std::function<Vector()> weight,
                           const CentredGram& known, Vector values, Matrix vectors)
    : design_{design.features, {}, design.intercept, {}},
      make_weight_(std::move(weight)),
      known_(known),
      values_(std::move(values)),
      vectors_(std::move(vectors)) {}

const Vector& MomentsRidge::weight() const {
  std::call_once(weight_made_, [this] {
    weight_ = make_weight_();
    if (weight_.size() == 0) weight_ = Vector::Ones(design_.rows());
  });
  return weight_;
}

Vector MomentsRidge::features_transposed(const Vector& v) const {
  return lapack::product(*design_.features, true, v, false).col(0) - v.sum() * known_.x_mean;
}

PathFit MomentsRidge::solve(const Vector& rotated, double y_mean, double lambda) const {
  PathFit fit;
  fit.lambda = lambda;
  fit.coefficients = vectors_ * (rotated.array() / (values_.array() + lambda)).matrix();
  fit.offset = y_mean - known_.x_mean.dot(fit.coefficients);
  fit.df = (values_.array() / (values_.array() + lambda)).sum() + (design_.intercept ? 1 : 0);
  return fit;
}

std::vector<PathFit> MomentsRidge::path(const VectorView& y, std::span<const double> lambdas) const {
  const Vector weighted = weight().cwiseProduct(y);
  const double y_mean = design_.intercept ? weighted.sum() / weight().sum() : 0;
  const Vector xy = features_transposed(weighted - y_mean * weight());
  const Vector rotated = vectors_.transpose() * xy;
  std::vector<PathFit> fits;
  for (const double lambda : lambdas) {
    PathFit fit = solve(rotated, y_mean, lambda);
    const Matrix values = lapack::product(*design_.features, false, fit.coefficients, false);
    const Vector residual = y - (values.col(0).array() + fit.offset).matrix();
    fit.rss = weight().dot(residual.cwiseAbs2());
    fit.objective = fit.rss + lambda * fit.coefficients.squaredNorm();
    const Vector gradient = features_transposed(weight().cwiseProduct(residual)) - lambda * fit.coefficients;
    fit.gap = gradient.norm() / std::max(xy.norm(), 1e-300);
    fits.push_back(std::move(fit));
  }
  return fits;
}

std::optional<std::vector<PathFit>> MomentsRidge::path_of_target(Index target,
                                                                 std::span<const double> lambdas,
                                                                 const GramStatistics& counted) const {
  const Vector xy = known_.xy.col(target), rotated = vectors_.transpose() * xy;
  const CentredGram once = counted.total_about(known_.x_mean, known_.y_mean);
  std::vector<PathFit> fits;
  for (const double lambda : lambdas) {
    PathFit fit = solve(rotated, known_.y_mean[target], lambda);
    const Vector& beta = fit.coefficients;
    fit.rss = squared_errors(once, target, beta);
    fit.objective = squared_errors(known_, target, beta) + lambda * beta.squaredNorm();
    fit.gap = (xy - known_.xx * beta - lambda * beta).norm() / std::max(xy.norm(), 1e-300);
    if (std::isnan(fit.rss) || std::isnan(fit.objective)) return std::nullopt;
    fits.push_back(std::move(fit));
  }
  return fits;
}

/// J = (G + λI)⁻¹ Φ_cᵀV for the coefficients, vᵀ/Σv − φ̄ᵀJ for the offset.
double MomentsRidge::trace(const PathFit& fit, const MatrixView& m) const {
  const Index p = known_.x_mean.size();
  Matrix columns = m.leftCols(p);
  double own = 0;
  if (design_.intercept) {
    columns -= m.col(p) * known_.x_mean.transpose();
    own = weight().dot(m.col(p)) / weight().sum();
  }
  const Matrix paired = weight().asDiagonal() * columns;
  Matrix inner = lapack::product(*design_.features, true, paired, false);
  if (design_.intercept) inner -= known_.x_mean * paired.colwise().sum();
  const Matrix rotated = vectors_.transpose() * inner * vectors_;
  return (rotated.diagonal().array() / (values_.array() + fit.lambda)).sum() + own;
}

/// With v the weights of the fit, a = φ̄ − c and N = Σ v_i w_i [φ_i − φ̄, 1]ᵀ[φ_i − c, 1] P,
///   tr(J M) = tr((G + λI)⁻¹ (N_φφ − N_φ1 aᵀ)) + N_11/Σv.
double MomentsRidge::trace(const PathFit& fit, const GramStatistics& paired, const Vector& c,
                           const Matrix& p) const {
  const Index q = known_.x_mean.size();
  const CentredGram pair = paired.total(design_.intercept);
  Matrix inner, n = pair.xx;
  double own = 0;
  if (design_.intercept) {
    const Vector from_fit = pair.x_mean - known_.x_mean, from_c = pair.x_mean - c;
    n.conservativeResize(q + 1, q + 1);
    n.topLeftCorner(q, q) += pair.weight * from_fit * from_c.transpose();
    n.col(q).head(q) = pair.weight * from_fit;
    n.row(q).head(q) = pair.weight * from_c.transpose();
    n(q, q) = pair.weight;
    n = Matrix(n * p);
    inner = n.topLeftCorner(q, q) - n.col(q).head(q) * (known_.x_mean - c).transpose();
    own = n(q, q) / known_.weight;
  } else {
    inner = n * p;
  }
  const Matrix rotated = vectors_.transpose() * inner * vectors_;
  return (rotated.diagonal().array() / (values_.array() + fit.lambda)).sum() + own;
}

/// From where every direction is kept to the null model, in whole decades with five values each.
std::vector<double> MomentsRidge::automatic_grid(const MatrixView&) const {
  constexpr double margin = 150, per_decade = 5;
  const double first = std::floor(std::log10(1 / (margin * values_.cwiseInverse().sum()))),
               last = std::ceil(std::log10(margin * values_.sum()));
  std::vector<double> grid;
  for (double k = 0; k <= (last - first) * per_decade; ++k)
    grid.push_back(std::pow(10, first + k / per_decade));
  return grid;
}

Vector MomentsRidge::leverages(double lambda) const {
  Matrix centred = *design_.features;
  if (design_.intercept) centred.rowwise() -= known_.x_mean.transpose();
  const Matrix z = lapack::product(centred, false, vectors_, false);
  const Vector inverse = (values_.array() + lambda).inverse();
  Vector h = weight().cwiseProduct(z.cwiseAbs2() * inverse);
  if (design_.intercept) h += weight() / weight().sum();
  return h;
}

}  // namespace gnomon
