#include "design.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "decompose/design_svd.hpp"
#include "decompose/gram_statistics.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "kernels.hpp"

namespace gnomon::detail {
namespace {

/// Cross products of this many columns are worth having whatever the number of rows, and never of more.
constexpr Index small_gram = 256, large_gram = 10000;
/// Columns of one task of a parallel loop.
constexpr Index columns_per_task = 64;

template <class Body>
void for_columns(Index p, Index n, const Body& body) {
  if (n * p < (Index{1} << 20)) {  // a thread costs more than this work
    for (Index j = 0; j < p; ++j) body(j);
    return;
  }
  parallel_for((p + columns_per_task - 1) / columns_per_task, [&](Index task) {
    for (Index j = task * columns_per_task; j < std::min(p, (task + 1) * columns_per_task); ++j) body(j);
  });
}

}  // namespace

bool is_constant(double squares, double mean, double weight) {
  const double rounding = 32 * std::numeric_limits<double>::epsilon() * std::abs(mean);
  return !(squares > weight * rounding * rounding);
}

void check_path(std::span<const double> lambdas) {
  for (std::size_t l = 0; l < lambdas.size(); ++l) {
    require(std::isfinite(lambdas[l]) && lambdas[l] >= 0, "lambda is {}: it must be finite and not negative",
            lambdas[l]);
    require(l == 0 || lambdas[l - 1] <= lambdas[l], "lambda {} comes after {}: a path is given ascending",
            lambdas[l], lambdas[l > 0 ? l - 1 : 0]);
  }
}

ElasticNetDesign::ElasticNetDesign(SolverDesign design, double share, double gap, const CentredGram* known)
    : source(std::move(design)), mix(share), tolerance(gap) {
  require(source.features != nullptr, "the elastic net needs features");
  n = source.features->rows();
  p = source.features->cols();
  require(n > 0, "the elastic net needs at least one row");
  require(mix >= 0 && mix <= 1, "the mix is {}: it must lie between 0 (ridge) and 1 (lasso)", mix);
  require(tolerance > 0, "the tolerance is {}: it must be positive", tolerance);
  require(source.weight.size() == 0 || source.weight.size() == n,
          "{} weights for {} rows: give one per row or none", source.weight.size(), n);
  require(source.weight.size() == 0 || source.weight.minCoeff() >= 0, "weights must not be negative");
  count = source.count();
  require(count > 0, "the elastic net needs a row of positive weight");
  wide = p > std::max(small_gram, std::min(n, large_gram));
  const Matrix& x = *source.features;
  if (wide) {
    mean = Vector::Zero(p);
    if (source.weight.size()) root = source.weight.cwiseSqrt();
    if (!source.intercept && !source.weight.size()) return;
    scaled.resize(n, p);
    for_columns(p, n, [&](Index j) {
      if (source.intercept)
        mean[j] = source.weight.size() ? x.col(j).dot(source.weight) / count : x.col(j).mean();
      scaled.col(j) = x.col(j).array() - mean[j];
      if (root.size()) scaled.col(j).array() *= root.array();
    });
    return;
  }
  if (known) {
    require(known->xx.rows() == p && known->x_mean.size() == p,
            "known cross products of {} columns do not fit a design of {}", known->xx.rows(), p);
    gram = known->xx;
    mean = known->x_mean;
  } else {
    GramStatistics statistics(p, 1, 1);
    statistics.add(x, Vector::Zero(n), source.weight, std::vector<int>(static_cast<std::size_t>(n), 0));
    CentredGram total = statistics.total(source.intercept);
    gram = std::move(total.xx);
    mean = std::move(total.x_mean);
  }
  usable.resize(static_cast<std::size_t>(p));
  for (Index j = 0; j < p; ++j)
    usable[static_cast<std::size_t>(j)] = !is_constant(gram(j, j), mean[j], count);
}

Response ElasticNetDesign::respond(const VectorView& y) const {
  require(y.size() == n, "{} target values for {} rows", y.size(), n);
  Response r;
  const bool weighted = source.weight.size() > 0;
  if (source.intercept) r.mean = weighted ? y.dot(source.weight) / count : y.mean();
  r.weighted = y.array() - r.mean;
  if (source.intercept) {
    const double rest = weighted ? r.weighted.dot(source.weight) / count : r.weighted.mean();
    r.mean += rest;
    r.weighted.array() -= rest;
  }
  if (weighted) {
    for (Index i = 0; i < n; ++i) r.null_deviance += source.weight[i] * r.weighted[i] * r.weighted[i];
    r.weighted.array() *= source.weight.array();
  } else {
    r.null_deviance = r.weighted.squaredNorm();
  }
  require(std::isfinite(r.null_deviance), "the targets have a value that is not finite");
  // A target equal everywhere leaves nothing but the rounding of its mean.
  if (is_constant(r.null_deviance, r.mean, count)) {
    r.null_deviance = 0;
    r.weighted.setZero();
  }
  if (!wide) r.cross = products(r.weighted);
  return r;
}

GramProblem ElasticNetDesign::problem(const Response& response) const {
  return {gram.data(), p, p, response.cross.data(), response.null_deviance, usable.data()};
}

Vector ElasticNetDesign::products(const Vector& v) const {
  Vector cross(p);
  const double* x = source.features->data();
  for_columns(p, n, [&](Index j) { cross[j] = centred_dot(n, x + j * n, mean[j], v.data()); });
  return cross;
}

double ElasticNetDesign::residual_from_rows(const VectorView& y, const PathFit& fit, Vector& weighted) const {
  weighted = y.array() - fit.offset;
  Vector values(static_cast<Index>(fit.active.size()));
  for (Index k = 0; k < values.size(); ++k)
    values[k] = fit.coefficients[fit.active[static_cast<std::size_t>(k)]];
  subtract_columns(n, source.features->data(), n, values.size(), fit.active.data(), values.data(),
                   weighted.data());
  double sum = 0;
  for (Index i = 0; i < n; ++i) {
    const double residual = weighted[i];
    weighted[i] *= weight(i);
    sum += weighted[i] * residual;
  }
  return sum;
}

const RidgeSpectrum& ElasticNetDesign::spectrum() const {
  std::call_once(once_, [&] {
    RidgeSpectrum found = wide ? RidgeSpectrum::of_rows(rows_matrix(), n, p) : RidgeSpectrum::of_gram(gram);
    if (!wide && !found.clear()) {
      const Vector w = source.weight.size() ? source.weight : Vector::Ones(n);
      Matrix rows = *source.features;
      Vector before;
      if (source.intercept) {
        before = (w.transpose() * rows.cwiseAbs2()).cwiseSqrt().transpose();
        rows.rowwise() -= mean.transpose();
      }
      lapack::ThinSvd svd = design_svd(w.cwiseSqrt().asDiagonal() * rows, before);
      found = RidgeSpectrum::of_range(svd.s, std::move(svd.v));
    }
    spectrum_ = std::make_unique<const RidgeSpectrum>(std::move(found));
  });
  return *spectrum_;
}

}  // namespace gnomon::detail
