#include "gnomon/learn/additive.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "whitened_design.hpp"

namespace gnomon {

Additive::Additive(const SolverDesign& design, Vector shift)
    : design_(std::make_shared<WhitenedDesign>(design)), shift_(std::move(shift)) {
  require(shift_.size() == design_->rows(), "additive: a shift of {} values for {} rows; give one per row",
          shift_.size(), design_->rows());
  require(shift_.allFinite(), "additive: the shift must be finite");
}

Additive::~Additive() = default;

PathFit Additive::fit(const VectorView& y, const VectorView& rotated, double lambda) const {
  check_lambda(lambda, name());
  const WhitenedDesign& b = *design_;
  const Vector penalty = lambda * b.inverse_square();
  const Vector z = rotated.array() / (1 + penalty.array());
  PathFit fit;
  fit.lambda = lambda;
  b.coefficients(z.data(), fit.coefficients, fit.offset);
  b.refine_ridge(y + shift_, lambda, fit.coefficients, fit.offset);
  Vector residual(b.rows()), gradient(b.stride());
  b.apply(z.data(), residual.data());
  residual = y - residual;
  fit.rss = b.weight().dot(residual.cwiseAbs2());
  residual += shift_;
  fit.objective = b.weight().dot(residual.cwiseAbs2()) + z.dot(penalty.cwiseProduct(z));
  const double scale = std::sqrt(b.weight().dot((y + shift_).cwiseAbs2()));
  residual.array() *= b.weight().array();
  b.apply_transposed(residual.data(), gradient.data());
  gradient -= penalty.cwiseProduct(z);
  fit.gap = scale > 0 ? gradient.norm() / scale : 0;
  fit.unique = lambda > 0 || b.full_column_rank();
  fit.df = b.ridge_df(lambda);
  return fit;
}

std::vector<PathFit> Additive::path(const VectorView& y, std::span<const double> lambdas) const {
  check_targets(*design_, y, name());
  Vector rotated(design_->stride());
  const Vector weighted = design_->weight().cwiseProduct(y + shift_);
  design_->apply_transposed(weighted.data(), rotated.data());
  std::vector<PathFit> fits;
  for (const double lambda : lambdas) fits.push_back(fit(y, rotated, lambda));
  return fits;
}

PathFit Additive::refit(const VectorView& y, double lambda, const PathFit& /*start*/) const {
  return path(y, std::span(&lambda, 1)).front();
}

double Additive::trace(const PathFit& fit, const MatrixView& m) const {
  const WhitenedDesign& b = *design_;
  std::vector<Index> rows(static_cast<std::size_t>(b.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  const Matrix pulled = b.pull_back(m, rows);
  Vector diagonal = Vector::Zero(b.size());
  for (Index i = 0; i < b.rows(); ++i)
    diagonal.array() += b.weight()[i] * pulled.row(i).transpose().array() *
                        Eigen::Map<const Vector>(b.row(i), b.size()).array();
  return (diagonal.array() / (1 + fit.lambda * b.inverse_square().head(b.size()).array())).sum();
}

Vector Additive::leverages(double lambda) const { return design_->ridge_leverages(lambda); }

std::vector<double> Additive::automatic_grid(const MatrixView& /*y*/) const { return design_->grid(); }

namespace {

constexpr int highest_degree = 5;

/// P_D by Bonnet's recursion, entrywise.
Vector legendre(int degree, const Vector& t) {
  Vector before = Vector::Ones(t.size()), now = t;
  for (int k = 1; k < degree; ++k) {
    const Vector next =
        (((2 * k + 1) * t.array() * now.array()) - k * before.array()) / static_cast<double>(k + 1);
    before = now;
    now = next;
  }
  return now;
}

double weighted_norm(const VectorView& v, const Vector& weight) {
  return weight.cwiseSqrt().cwiseProduct(v).norm();
}

Vector mean_of_standardized(const MatrixView& x, const Vector& weight) {
  Vector mean = Vector::Zero(x.rows());
  for (Index j = 0; j < x.cols(); ++j) {
    const Vector centred = x.col(j).array() - weight.dot(x.col(j)) / weight.sum();
    const double spread = weighted_norm(centred, weight);
    if (spread > 1e-12 * weighted_norm(x.col(j), weight)) mean += centred / spread;
  }
  return mean;
}

}  // namespace

std::vector<std::string> shift_families() {
  std::vector<std::string> names{"constant"};
  for (const char* variable : {"index", "x"})
    for (int degree = 1; degree <= highest_degree; ++degree)
      names.push_back(fmt::format("{}:{}", variable, degree));
  return names;
}

void check_shift_family(std::string_view family) {
  if (family == "free")
    throw UsageError(
        "a free shift is refused: the trace term of SIC does not involve the shift, so minimising SIC over "
        "all "
        "shifts merely returns least squares; choose a fixed family (constant, index:1..5, x:1..5)");
  const auto names = shift_families();
  if (std::find(names.begin(), names.end(), family) == names.end())
    throw UsageError(fmt::format("unknown shift family '{}'; allowed: {}{}", family, join(names),
                                 suggestion(family, names)));
}

Vector shift_shape(std::string_view family, const MatrixView& x, Index rows, const VectorView& weight) {
  check_shift_family(family);
  require(rows > 0, "a shift needs at least one row");
  if (family == "constant") return Vector::Ones(rows);
  const bool by_index = family.starts_with("index");
  require(by_index || x.rows() == rows, "shift family {}: the input has {} rows, the data {}", family,
          x.rows(), rows);
  require(weight.size() == 0 || weight.size() == rows, "a shift: {} weights for {} rows", weight.size(),
          rows);
  const Vector w = weight.size() ? Vector(weight) : Vector::Ones(rows);
  Vector t;
  if (by_index)
    t = Vector::LinSpaced(rows, 0, static_cast<double>(rows - 1));
  else
    t = x.cols() == 1 ? Vector(x.col(0)) : mean_of_standardized(x, w);
  const double lo = t.minCoeff(), hi = t.maxCoeff();
  require(hi > lo, "shift family {}: {} does not vary; use constant", family,
          by_index ? "the row number" : "the input");
  t = 2 * ((t.array() - lo) / (hi - lo)) - 1;
  const Vector shape = legendre(family.back() - '0', t);
  return shape * std::sqrt(w.sum()) / weighted_norm(shape, w);
}

}  // namespace gnomon
