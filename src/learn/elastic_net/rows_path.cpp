#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "rows.hpp"

namespace gnomon::detail {
namespace {

/// Columns of Φ in one product with the residuals; fixed, so that threads never change a sum.
constexpr Index block = 512;
/// Residuals checked in one product, if there are that many; and the most λ a path runs ahead unchecked.
constexpr Index residuals_per_check = 30, most_ahead = 4;
/// Paths that advance together.
constexpr Index paths_together = 16;

using Sink = std::function<void(Index path, Index lambda, RowsPoint&)>;

struct Check {
  Index path, lambda;
};

std::vector<Index> largest_outside(const RowsPath& path, const double* gradient, Index p, double edge) {
  std::vector<Index> chosen;
  for (Index j = 0; j < p; ++j)
    if (std::abs(gradient[j]) >= edge && !path.in_working_set(j)) chosen.push_back(j);
  const std::size_t most = static_cast<std::size_t>(std::max<Index>(128, 2 * path.active()));
  if (chosen.size() > most) {
    std::nth_element(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(most), chosen.end(),
                     [&](Index i, Index j) {
                       const double a = std::abs(gradient[i]), b = std::abs(gradient[j]);
                       return a != b ? a > b : i < j;
                     });
    chosen.resize(most);
    std::sort(chosen.begin(), chosen.end());
  }
  return chosen;
}

/// All paths from the largest λ down, in step: each solves for a few λ on its working set, then one product
/// Φᵀ(residuals of all) finds the columns that were missing. λ with τ = 0 are left out.
class Lockstep {
 public:
  Lockstep(const ElasticNetDesign& design, std::vector<RowsPath>& paths, std::span<const double> lambdas,
           bool statistics, const Sink& sink)
      : design_(design), paths_(paths), lambdas_(lambdas), statistics_(statistics), sink_(sink) {}

  void run(const Progress& progress) {
    const Index count = static_cast<Index>(paths_.size());
    gradient_.resize(design_.p, count);
    Matrix residual(design_.n, count);
    for (Index t = 0; t < count; ++t)
      paths_[static_cast<std::size_t>(t)].null_residual(residual.col(t).data());
    for_blocks([&](Index from, Index columns) {
      product(from, columns, residual, gradient_.data() + from, design_.p);
    });
    reached_ = gradient_.size() ? Vector(gradient_.cwiseAbs().colwise().maxCoeff()) : Vector::Zero(count);
    Index end = static_cast<Index>(lambdas_.size());
    while (end > 0 && design_.tau(lambdas_[static_cast<std::size_t>(end - 1)]) > 0) {
      Index from = end - std::clamp<Index>(residuals_per_check / count, 1, most_ahead);
      from = std::max<Index>(from, 0);
      while (design_.tau(lambdas_[static_cast<std::size_t>(from)]) == 0) ++from;
      advance(from, end);
      end = from;
      progress("elastic net", 1 - static_cast<double>(end) / static_cast<double>(lambdas_.size()));
    }
  }

 private:
  double tau(Index l) const { return design_.tau(lambdas_[static_cast<std::size_t>(l)]); }
  double mu(Index l) const { return design_.mu(lambdas_[static_cast<std::size_t>(l)]); }

  void for_blocks(const std::function<void(Index, Index)>& body) const {
    const BlasThreads one(1);
    parallel_for((design_.p + block - 1) / block,
                 [&](Index b) { body(b * block, std::min(block, design_.p - b * block)); });
  }

  void product(Index from, Index columns, const Matrix& residual, double* out, Index stride) const {
    const int n = static_cast<int>(design_.n);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, static_cast<int>(columns),
                static_cast<int>(residual.cols()), n, 1, design_.rows_matrix() + from * design_.n, n,
                residual.data(), n, 0, out, static_cast<int>(stride));
  }

  /// λ indices [from, end) for all paths.
  void advance(Index from, Index end) {
    const Index count = static_cast<Index>(paths_.size());
    std::vector<Index> next(static_cast<std::size_t>(count), end);  // λ from here on are done
    std::vector<std::vector<Index>> wanted(static_cast<std::size_t>(count));
    for (Index t = 0; t < count; ++t) {
      // At the last λ these break the conditions of the next ones; what they leave out is found by the check.
      const double edge = tau(from);
      wanted[static_cast<std::size_t>(t)] =
          largest_outside(paths_[static_cast<std::size_t>(t)], gradient_.col(t).data(), design_.p, edge);
    }
    for (;;) {
      std::vector<Check> checks;
      for (Index t = 0; t < count; ++t)
        for (Index l = next[static_cast<std::size_t>(t)] - 1; l >= from; --l) checks.push_back({t, l});
      if (checks.empty()) return;
      Matrix residual(design_.n, static_cast<Index>(checks.size()));
      std::vector<RowsPoint> points(checks.size());
      solve(checks, next, wanted, from, residual, points);
      verify(checks, residual, points);
      for (auto& w : wanted) w.clear();
      for (std::size_t c = 0; c < checks.size(); ++c) {
        auto& w = wanted[static_cast<std::size_t>(checks[c].path)];
        if (!w.empty() || !points[c].violators.empty()) {
          w.insert(w.end(), points[c].violators.begin(), points[c].violators.end());
          continue;
        }
        sink_(checks[c].path, checks[c].lambda, points[c]);
        next[static_cast<std::size_t>(checks[c].path)] = checks[c].lambda;
        reached_[checks[c].path] = tau(checks[c].lambda);
      }
      for (auto& w : wanted) {
        std::sort(w.begin(), w.end());
        w.erase(std::unique(w.begin(), w.end()), w.end());
      }
    }
  }

  void solve(const std::vector<Check>& checks, const std::vector<Index>& next,
             const std::vector<std::vector<Index>>& wanted, Index from, Matrix& residual,
             std::vector<RowsPoint>& points) {
    std::vector<std::size_t> first(paths_.size() + 1, 0);
    for (const Check& c : checks) ++first[static_cast<std::size_t>(c.path) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    const BlasThreads one(1);
    parallel_for(static_cast<Index>(paths_.size()), [&](Index t) {
      const std::size_t path = static_cast<std::size_t>(t);
      if (next[path] == from) return;
      paths_[path].admit(wanted[path]);
      for (std::size_t c = first[path]; c < first[path + 1]; ++c)
        points[c] = paths_[path].solve(tau(checks[c].lambda), mu(checks[c].lambda), design_.tolerance,
                                       statistics_, residual.col(static_cast<Index>(c)).data());
    });
  }

  /// Raises the certificates to all columns, collects violators and keeps the last gradient of every path.
  void verify(const std::vector<Check>& checks, const Matrix& residual, std::vector<RowsPoint>& points) {
    const Index blocks = (design_.p + block - 1) / block, count = static_cast<Index>(checks.size());
    Matrix largest = Matrix::Zero(blocks, count);
    std::vector<std::vector<Index>> violators(static_cast<std::size_t>(blocks * count));
    for_blocks([&](Index from, Index columns) {
      Matrix g(columns, count);
      product(from, columns, residual, g.data(), columns);
      for (Index c = 0; c < count; ++c) {
        const Check& check = checks[static_cast<std::size_t>(c)];
        const RowsPath& path = paths_[static_cast<std::size_t>(check.path)];
        const double edge = tau(check.lambda) * (1 + 1e-11);
        double top = 0;
        for (Index j = 0; j < columns; ++j) {
          const double size = std::abs(g(j, c));
          if (size <= top || path.in_working_set(from + j)) continue;
          top = size;
        }
        largest(from / block, c) = top;
        if (top > edge)
          for (Index j = 0; j < columns; ++j)
            if (std::abs(g(j, c)) > edge && !path.in_working_set(from + j))
              violators[static_cast<std::size_t>(from / block + c * blocks)].push_back(from + j);
        if (c + 1 == count || checks[static_cast<std::size_t>(c + 1)].path != check.path)
          gradient_.col(check.path).segment(from, columns) = g.col(c);
      }
    });
    for (Index c = 0; c < count; ++c) {
      RowsPoint& point = points[static_cast<std::size_t>(c)];
      for (Index b = 0; b < blocks; ++b) {
        const auto& v = violators[static_cast<std::size_t>(b + c * blocks)];
        point.violators.insert(point.violators.end(), v.begin(), v.end());
      }
      if (count > 0 && blocks > 0)
        point.duality.largest = std::max(point.duality.largest, largest.col(c).maxCoeff());
    }
  }

  const ElasticNetDesign& design_;
  std::vector<RowsPath>& paths_;
  std::span<const double> lambdas_;
  bool statistics_;
  const Sink& sink_;
  Matrix gradient_;  // last Φᵀr per path
  Vector reached_;   // the τ it belongs to
};

PathFit fit_at(const ElasticNetDesign& d, const RowsPath& path, double lambda, const RowsPoint& point) {
  PathFit fit;
  fit.lambda = lambda;
  fit.coefficients = Vector::Zero(d.p);
  fit.offset = path.mean();
  fit.active = point.columns;
  for (std::size_t k = 0; k < point.columns.size(); ++k) {
    fit.coefficients[point.columns[k]] = point.values[k];
    fit.offset -= d.mean[point.columns[k]] * point.values[k];
  }
  fit.rss = point.rss;
  fit.objective = point.duality.total + 2 * d.tau(lambda) * point.duality.l1;
  fit.gap = point.duality.gap(d.tau(lambda));
  fit.converged = point.duality.certifies(d.tau(lambda), d.tolerance * path.null_deviance());
  fit.unique = point.unique;
  fit.df = point.df + (d.source.intercept ? 1 : 0);
  return fit;
}

std::vector<Index> all_rows(Index n) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

std::vector<PathFit> whole_path(const ElasticNetDesign& d, const VectorView& y,
                                std::span<const double> lambdas, const PathFit* start) {
  require(y.size() == d.n, "{} target values for {} rows", y.size(), d.n);
  std::vector<RowsPath> paths;
  paths.emplace_back(d, y, all_rows(d.n), d.n);
  if (start) paths.front().begin_at(*start);
  std::vector<PathFit> fits(lambdas.size());
  const Sink sink = [&](Index, Index l, RowsPoint& point) {
    const std::size_t at = static_cast<std::size_t>(l);
    fits[at] = fit_at(d, paths.front(), lambdas[at], point);
  };
  Lockstep(d, paths, lambdas, true, sink).run({});
  for (std::size_t l = 0; l < lambdas.size(); ++l)
    if (d.tau(lambdas[l]) == 0) fits[l] = ridge_fit(d, d.respond(y), y, lambdas[l]);
  return fits;
}

/// Held-out errors at τ = 0 from an eigendecomposition of the training rows.
void ridge_fold(const ElasticNetDesign& d, const VectorView& y, std::span<const double> lambdas, Index fold,
                const std::vector<Index>& order, Index train, Matrix& sums) {
  const Index n = d.n, p = d.p;
  const auto row = [&](Index i) { return order[static_cast<std::size_t>(i)]; };
  const Eigen::Map<const Matrix> scaled(d.rows_matrix(), n, p);
  Matrix z(train, p), held(n - train, p);
  Vector root = Vector::Ones(n), response(n);
  for (Index i = 0; i < n; ++i) {
    if (d.root.size()) root[i] = d.root[row(i)];
    response[i] = y[row(i)];
  }
  const double weight = root.head(train).squaredNorm();
  if (d.source.intercept)
    response.array() -= (root.head(train).array().square() * response.head(train).array()).sum() / weight;
  response.array() *= root.array();
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < train; ++i) z(i, j) = scaled(row(i), j);
    const double shift = d.source.intercept ? root.head(train).dot(z.col(j)) / weight : 0;
    z.col(j) -= shift * root.head(train);
    for (Index i = train; i < n; ++i) held(i - train, j) = scaled(row(i), j) - shift * root[i];
  }
  const RidgeSpectrum spectrum = RidgeSpectrum::of_rows(z.data(), train, p);
  for (std::size_t l = 0; l < lambdas.size() && d.tau(lambdas[l]) == 0; ++l) {
    const Vector a = spectrum.coefficients(response.head(train), d.mu(lambdas[l]));
    Vector left = response.tail(n - train);
    if (left.size() > 0)
      cblas_dgemv(CblasColMajor, CblasNoTrans, static_cast<int>(n - train), static_cast<int>(p), -1,
                  held.data(), static_cast<int>(n - train), a.data(), 1, 1, left.data(), 1);
    sums(fold, static_cast<Index>(l)) = left.squaredNorm();
  }
}

}  // namespace

std::vector<PathFit> rows_path(const ElasticNetDesign& d, const VectorView& y,
                               std::span<const double> lambdas) {
  return whole_path(d, y, lambdas, nullptr);
}

PathFit rows_refit(const ElasticNetDesign& d, const VectorView& y, double lambda, const PathFit& start) {
  const bool warm = start.coefficients.size() == d.p && start.lambda > 0 && d.tau(start.lambda) > 0;
  return std::move(whole_path(d, y, {&lambda, 1}, warm ? &start : nullptr).front());
}

FoldErrors rows_folds(const ElasticNetDesign& d, const VectorView& y, std::span<const double> lambdas,
                      const Folds& folds, const Progress& progress) {
  FoldErrors errors;
  errors.sums = Matrix::Zero(folds.count, static_cast<Index>(lambdas.size()));
  errors.weights = Vector::Zero(folds.count);
  errors.method = "rows, active sets";
  std::vector<std::vector<Index>> orders(static_cast<std::size_t>(folds.count));
  std::vector<Index> trains(orders.size());
  const auto by_fold = rows_by_fold(folds);
  for (std::size_t f = 0; f < orders.size(); ++f) {
    for (Index i = 0; i < d.n; ++i)
      if (folds.of_row[static_cast<std::size_t>(i)] != static_cast<int>(f)) orders[f].push_back(i);
    trains[f] = static_cast<Index>(orders[f].size());
    for (const Index i : by_fold[f]) {
      orders[f].push_back(i);
      errors.weights[static_cast<Index>(f)] += d.weight(i);
    }
  }
  for (Index from = 0; from < folds.count; from += paths_together) {
    std::vector<RowsPath> paths;
    for (Index f = from; f < std::min<Index>(folds.count, from + paths_together); ++f)
      paths.emplace_back(d, y, orders[static_cast<std::size_t>(f)], trains[static_cast<std::size_t>(f)]);
    const Sink sink = [&](Index t, Index l, RowsPoint& point) { errors.sums(from + t, l) = point.held_out; };
    Lockstep(d, paths, lambdas, false, sink).run(progress);
  }
  if (!lambdas.empty() && d.tau(lambdas.front()) == 0)
    parallel_for(folds.count, [&](Index f) {
      const std::size_t at = static_cast<std::size_t>(f);
      ridge_fold(d, y, lambdas, f, orders[at], trains[at], errors.sums);
    });
  return errors;
}

}  // namespace gnomon::detail
