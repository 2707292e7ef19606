#include "gnomon/learn/elastic_net.hpp"

#include <algorithm>
#include <cmath>

#include "decompose/gram_statistics.hpp"
#include "decompose/lapack.hpp"
#include "design.hpp"
#include "gnomon/core/error.hpp"
#include "kernels.hpp"

namespace gnomon {

using detail::ElasticNetDesign;

ElasticNet::ElasticNet(SolverDesign design, ElasticNetOptions options, const CentredGram* known)
    : design_(std::make_unique<const ElasticNetDesign>(std::move(design), options.mix, options.tolerance,
                                                       known)) {}

ElasticNet::~ElasticNet() = default;

std::string_view ElasticNet::name() const { return design_->mix == 1 ? "lasso" : "elastic-net"; }

std::vector<PathFit> ElasticNet::path(const VectorView& y, std::span<const double> lambdas) const {
  detail::check_path(lambdas);
  return design_->wide ? detail::rows_path(*design_, y, lambdas) : detail::gram_path(*design_, y, lambdas);
}

PathFit ElasticNet::refit(const VectorView& y, double lambda, const PathFit& start) const {
  detail::check_path({&lambda, 1});
  return design_->wide ? detail::rows_refit(*design_, y, lambda, start)
                       : detail::gram_refit(*design_, y, lambda, start);
}

double ElasticNet::trace(const PathFit& fit, const MatrixView& m) const {
  // a_A = B⁻¹(Φ_cAᵀ W y − τs), B = G_AA + μI, and b = ȳ − x̄ᵀa: with m_b the column of the offset,
  // tr JM = tr B⁻¹ Φ_cAᵀ W (M_A − m_b x̄_Aᵀ) + w̄ᵀ m_b.
  const ElasticNetDesign& d = *design_;
  require(m.rows() == d.n && m.cols() >= d.p + (d.source.intercept ? 1 : 0),
          "the trace needs a matrix of {} x {}, not {} x {}", d.n, d.p + 1, m.rows(), m.cols());
  const Index k = static_cast<Index>(fit.active.size());
  Matrix columns(d.n, k), other(d.n, k);
  Vector weight = d.source.weight.size() ? d.source.weight : Vector::Ones(d.n);
  for (Index c = 0; c < k; ++c) {
    const Index j = fit.active[static_cast<std::size_t>(c)];
    columns.col(c) = d.source.features->col(j).array() - d.mean[j];
    other.col(c) = m.col(j);
    if (d.source.intercept) other.col(c) -= d.mean[j] * m.col(d.p);
  }
  double sum = d.source.intercept ? weight.dot(m.col(d.p)) / d.count : 0;
  if (k == 0) return sum;
  const Matrix weighted = weight.asDiagonal() * columns;
  Matrix b = lapack::product(weighted, true, columns, false),
         t = lapack::product(weighted, true, other, false);
  const double mu = d.mu(fit.lambda);
  b.diagonal().array() += mu;
  Matrix factor = b, solved = t;
  double smallest = -1;
  if (lapack::solve_positive_definite(factor, solved)) {
    smallest = 1;
    for (Index c = 0; c < k; ++c) smallest = std::min(smallest, factor(c, c) * factor(c, c) / b(c, c));
  }
  if (smallest > 1e-13) return sum + solved.trace();
  // Dependent columns (least squares without a unique answer): the pseudo-inverse.
  const auto eigen = lapack::symmetric_eigen(std::move(b));
  const double cut = static_cast<double>(std::max(k, d.n)) * 2.3e-16 * eigen.values[0];
  const Matrix turned = lapack::product(t, false, eigen.vectors, false);
  for (Index i = 0; i < k; ++i)
    if (eigen.values[i] > cut) sum += eigen.vectors.col(i).dot(turned.col(i)) / eigen.values[i];
  return sum;
}

std::vector<double> ElasticNet::automatic_grid(const MatrixView& y) const {
  const ElasticNetDesign& d = *design_;
  constexpr double least_mix = 1e-3;
  constexpr int count = 100;
  double largest = 0;
  for (Index t = 0; t < y.cols(); ++t) {
    const detail::Response response = d.respond(y.col(t));
    for (Index j = 0; j < d.p; ++j) {
      if (!d.wide && !d.usable[static_cast<std::size_t>(j)]) continue;
      const double cross = d.wide ? detail::centred_dot(d.n, d.source.features->data() + j * d.n, d.mean[j],
                                                        response.weighted.data())
                                  : response.cross[j];
      largest = std::max(largest, std::abs(cross));
    }
  }
  // The last rounding of a factor must not leave the null model's λ a hair too small.
  const double top = largest > 0 ? 2 * largest / std::max(d.mix, least_mix) * (1 + 1e-12) : 1;
  // Close to ridge the null model lies far above the λ that matter.
  const double ratio = (d.n > d.p ? 1e-4 : 1e-2) * (d.mix < 10 * least_mix ? least_mix : 1);
  std::vector<double> grid(count);
  for (int i = 0; i < count; ++i)
    grid[static_cast<std::size_t>(i)] = top * std::pow(ratio, 1 - i / (count - 1.0));
  return grid;
}

std::optional<FoldErrors> ElasticNet::fold_errors(const VectorView& y, std::span<const double> lambdas,
                                                  const Folds& folds, const GramStatistics* statistics,
                                                  Index target, const Progress& progress) const {
  const ElasticNetDesign& d = *design_;
  detail::check_path(lambdas);
  check_folds(folds, d.n);
  require(y.size() == d.n, "{} target values for {} rows", y.size(), d.n);
  if (d.wide) return detail::rows_folds(d, y, lambdas, folds, progress);
  if (statistics) return detail::gram_folds(d, y, lambdas, folds, *statistics, target);
  GramStatistics own(d.p, 1, folds.count);
  own.add(*d.source.features, y, d.source.weight, folds.of_row);
  return detail::gram_folds(d, y, lambdas, folds, own, 0);
}

}  // namespace gnomon
