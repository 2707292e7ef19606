#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "decompose/ridge_from_rows.hpp"
#include "design.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon::detail {
namespace {

/// Residual sums below this share of Σ w (y − ȳ)² have lost too many digits as differences of cross products.
constexpr double cancelled = 1e-6;

void set_offset(const ElasticNetDesign& d, const Response& response, PathFit& fit) {
  fit.offset = response.mean;
  for (const Index j : fit.active) fit.offset -= d.mean[j] * fit.coefficients[j];
}

/// Coefficients of the whole path of the rows outside a fold, p × lambdas, from their cross products where these have
/// the digits.
Matrix path_coefficients(const ElasticNetDesign& d, const VectorView& y, const Folds& folds, int fold,
                         const CentredGram& train, Index target, std::span<const double> lambdas) {
  const Index p = train.xx.rows(), count = static_cast<Index>(lambdas.size());
  std::vector<char> usable(static_cast<std::size_t>(p));
  for (Index j = 0; j < p; ++j)
    usable[static_cast<std::size_t>(j)] = !is_constant(train.xx(j, j), train.x_mean[j], train.weight);
  Matrix path = Matrix::Zero(p, count);
  ActiveSet solver;
  solver.start({train.xx.data(), p, p, train.xy.data() + target * p, train.yy[target], usable.data()});
  for (Index l = count - 1; l >= 0; --l) {
    const double lambda = lambdas[static_cast<std::size_t>(l)];
    if (d.tau(lambda) == 0) {  // ridge, or least squares at λ = 0: so are all smaller λ
      std::vector<double> ridges;
      for (Index k = 0; k <= l; ++k) ridges.push_back(d.mu(lambdas[static_cast<std::size_t>(k)]));
      path.leftCols(l + 1) = gram_coefficients(train.xx, train.xy.col(target), ridges);
      const std::vector<Index> which = in_doubt(ridges, train);
      if (which.empty()) break;
      std::vector<Index> rows;
      for (Index i = 0; i < d.n; ++i)
        if (folds.of_row[static_cast<std::size_t>(i)] != fold) rows.push_back(i);
      std::vector<double> chosen;
      for (const Index k : which) chosen.push_back(ridges[static_cast<std::size_t>(k)]);
      path(Eigen::all, which) =
          ridge_from_rows(*d.source.features, y, d.source.weight, rows, d.source.intercept, chosen)
              .coefficients;
      break;
    }
    solver.solve(d.tau(lambda), d.mu(lambda), d.tolerance);
    std::copy_n(solver.coefficients(), p, path.col(l).data());
  }
  return path;
}

}  // namespace

PathFit fit_from(const ElasticNetDesign& d, const Response& response, const VectorView& y, double lambda,
                 ActiveSet& solver) {
  PathFit fit;
  fit.lambda = lambda;
  const double tau = d.tau(lambda), mu = d.mu(lambda), enough = d.tolerance * response.null_deviance;
  const auto take_coefficients = [&] {
    fit.coefficients = Eigen::Map<const Vector>(solver.coefficients(), d.p);
    fit.active.clear();
    for (Index j = 0; j < d.p; ++j)
      if (fit.coefficients[j] != 0) fit.active.push_back(j);
    set_offset(d, response, fit);
  };
  take_coefficients();
  fit.rss = solver.rss();
  DualityTerms terms = solver.duality(fit.rss);
  Vector residual;
  if (terms.gap(tau) > enough) {
    terms = solver.refine(d.tolerance, [&](const double*, double* g) {
      take_coefficients();
      const double rss = d.residual_from_rows(y, fit, residual);
      Eigen::Map<Vector>(g, d.p) = d.products(residual);
      return rss;
    });
    take_coefficients();
    fit.rss = terms.total - mu * terms.l2;
  } else if (fit.rss < cancelled * response.null_deviance) {
    fit.rss = d.residual_from_rows(y, fit, residual);
    terms = solver.duality(fit.rss);
  }
  fit.objective = terms.total + 2 * tau * terms.l1;
  fit.gap = terms.gap(tau);
  fit.converged = terms.certifies(tau, enough);
  fit.unique = solver.unique();
  fit.df = solver.degrees_of_freedom() + (d.source.intercept ? 1 : 0);
  return fit;
}

PathFit ridge_fit(const ElasticNetDesign& d, const Response& response, const VectorView& y, double lambda) {
  const RidgeSpectrum& spectrum = d.spectrum();
  const double mu = d.mu(lambda);
  PathFit fit;
  fit.lambda = lambda;
  Vector right = response.cross;
  if (d.wide) {
    right = response.weighted;
    if (d.root.size()) right = d.root.cwiseProduct((y.array() - response.mean).matrix());
  }
  fit.coefficients = spectrum.coefficients(right, mu);
  for (Index j = 0; j < d.p; ++j)
    if (fit.coefficients[j] != 0) fit.active.push_back(j);
  set_offset(d, response, fit);
  Vector residual;
  fit.rss = response.null_deviance > 0 ? d.residual_from_rows(y, fit, residual) : 0;
  fit.objective = fit.rss + mu * fit.coefficients.squaredNorm();
  const int n = static_cast<int>(d.n), p = static_cast<int>(d.p);
  Vector gradient = -mu * fit.coefficients;
  if (p > 0 && d.wide) {
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, p, -1, d.rows_matrix(), n, fit.coefficients.data(), 1, 1,
                right.data(), 1);
    cblas_dgemv(CblasColMajor, CblasTrans, n, p, 1, d.rows_matrix(), n, right.data(), 1, 1, gradient.data(),
                1);
  } else if (p > 0) {
    gradient += response.cross;
    cblas_dgemv(CblasColMajor, CblasNoTrans, p, p, -1, d.gram.data(), p, fit.coefficients.data(), 1, 1,
                gradient.data(), 1);
  }
  fit.gap = spectrum.excess(gradient, mu);
  fit.converged = fit.gap <= d.tolerance * response.null_deviance;
  fit.unique = mu > 0 || spectrum.rank() == d.p;
  fit.df = spectrum.degrees_of_freedom(mu) + (d.source.intercept ? 1 : 0);
  return fit;
}

std::vector<PathFit> gram_path(const ElasticNetDesign& d, const VectorView& y,
                               std::span<const double> lambdas) {
  const Response response = d.respond(y);
  std::vector<PathFit> fits(lambdas.size());
  ActiveSet solver;
  solver.start(d.problem(response));
  for (std::size_t l = lambdas.size(); l-- > 0;) {
    if (d.tau(lambdas[l]) == 0) {
      fits[l] = ridge_fit(d, response, y, lambdas[l]);
      continue;
    }
    solver.solve(d.tau(lambdas[l]), d.mu(lambdas[l]), d.tolerance);
    fits[l] = fit_from(d, response, y, lambdas[l], solver);
  }
  return fits;
}

PathFit gram_refit(const ElasticNetDesign& d, const VectorView& y, double lambda, const PathFit& start) {
  const Response response = d.respond(y);
  if (d.tau(lambda) == 0) return ridge_fit(d, response, y, lambda);
  // Refits come by the thousand: of small designs they share a thread's memory.
  thread_local ActiveSet shared;
  ActiveSet own;
  ActiveSet& solver = d.p <= 512 ? shared : own;
  solver.start(d.problem(response));
  if (start.coefficients.size() == d.p && start.lambda > 0 && d.tau(start.lambda) > 0) {
    Vector values(static_cast<Index>(start.active.size()));
    for (Index k = 0; k < values.size(); ++k)
      values[k] = start.coefficients[start.active[static_cast<std::size_t>(k)]];
    solver.begin_at(values.size(), start.active.data(), values.data());
  }
  solver.solve(d.tau(lambda), d.mu(lambda), d.tolerance);
  return fit_from(d, response, y, lambda, solver);
}

FoldErrors gram_folds(const ElasticNetDesign& d, const VectorView& y, std::span<const double> lambdas,
                      const Folds& folds, const GramStatistics& statistics, Index target) {
  require(statistics.inputs() == d.p && statistics.folds() == folds.count && target >= 0 &&
              target < statistics.targets(),
          "statistics of {} inputs, {} targets, {} folds do not fit {} columns, target {}, {} folds",
          statistics.inputs(), statistics.targets(), statistics.folds(), d.p, target, folds.count);
  const Index count = static_cast<Index>(lambdas.size());
  const int p = static_cast<int>(d.p), columns = static_cast<int>(count);
  FoldErrors errors;
  errors.sums = Matrix::Zero(folds.count, count);
  errors.weights.resize(folds.count);
  errors.method = "cross products per fold, active sets";
  Matrix terms = Matrix::Zero(folds.count, count);
  std::vector<Matrix> paths(static_cast<std::size_t>(folds.count));
  std::vector<Vector> centres(paths.size());
  const BlasThreads one(1);
  parallel_for(folds.count, [&](Index f) {
    const int fold = static_cast<int>(f);
    errors.weights[f] = statistics.weight(fold);
    const CentredGram train = statistics.without(fold, d.source.intercept);
    const CentredGram held = statistics.held_out(fold, train.x_mean, train.y_mean);
    Matrix& path = paths[static_cast<std::size_t>(f)];
    path = path_coefficients(d, y, folds, fold, train, target, lambdas);
    Vector& centre = centres[static_cast<std::size_t>(f)];
    centre.resize(d.p + 1);
    centre << train.x_mean, train.y_mean[target];
    Matrix image = Matrix::Zero(p, columns);
    if (p > 0 && columns > 0)
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, p, columns, p, 1, held.xx.data(), p, path.data(),
                  p, 0, image.data(), p);
    for (Index l = 0; l < count; ++l) {
      const double square = path.col(l).dot(image.col(l)), cross = path.col(l).dot(held.xy.col(target));
      errors.sums(f, l) =
          std::max(held.yy[target] - 2 * cross + square, 0.0);  // in this order what is undefined stays so
      terms(f, l) = held.yy[target] + 2 * std::abs(cross) + square;
    }
  });
  std::vector<Index> bad;
  for (Index l = 0; l < count; ++l) {
    const double sum = errors.sums.col(l).sum(), size = terms.col(l).sum();
    if (size > 0 && sum < cancelled * size)
      bad.push_back(l);
    else if (size > 0)
      errors.error_estimate = std::max(errors.error_estimate, machine_epsilon * size / sum);
  }
  if (bad.empty()) return errors;
  errors.method += ", small sums from the rows";
  const auto rows = rows_by_fold(folds);
  parallel_for(folds.count, [&](Index f) {
    const std::vector<Index>& held = rows[static_cast<std::size_t>(f)];
    const Vector& centre = centres[static_cast<std::size_t>(f)];
    const Matrix& path = paths[static_cast<std::size_t>(f)];
    const Index m = static_cast<Index>(held.size());
    Matrix x(m, d.p), chosen(d.p, static_cast<Index>(bad.size())), residual(m, chosen.cols());
    for (Index j = 0; j < d.p; ++j)
      for (Index i = 0; i < m; ++i)
        x(i, j) = (*d.source.features)(held[static_cast<std::size_t>(i)], j) - centre[j];
    for (Index b = 0; b < chosen.cols(); ++b) {
      chosen.col(b) = path.col(bad[static_cast<std::size_t>(b)]);
      for (Index i = 0; i < m; ++i) residual(i, b) = y[held[static_cast<std::size_t>(i)]] - centre[d.p];
    }
    if (m > 0 && p > 0)
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(m),
                  static_cast<int>(chosen.cols()), p, -1, x.data(), static_cast<int>(m), chosen.data(), p, 1,
                  residual.data(), static_cast<int>(m));
    for (Index b = 0; b < chosen.cols(); ++b) {
      double sum = 0;
      for (Index i = 0; i < m; ++i)
        sum += d.weight(held[static_cast<std::size_t>(i)]) * residual(i, b) * residual(i, b);
      errors.sums(f, bad[static_cast<std::size_t>(b)]) = sum;
    }
  });
  return errors;
}

}  // namespace gnomon::detail
