#include "gnomon/learn/svr.hpp"

#include <algorithm>
#include <cmath>

#include "factor.hpp"
#include "gnomon/core/error.hpp"
#include "problem.hpp"

namespace gnomon {
namespace {

void check_lambda(double lambda) {
  require(
      lambda > 0 && std::isfinite(lambda),
      "svr: λ = {} has no meaning, since C = weight/λ; give a positive λ (a tiny one interpolates the tube)",
      lambda);
}

/// What centring took from the offset: of the targets, and of features with these coefficients.
double taken(const svr::Gram& gram, const Vector& coefficients, double level) {
  return level - (gram.centre().size() ? gram.centre().dot(coefficients) : 0);
}

PathFit describe(const svr::Problem& problem, const svr::Solution& s, const VectorView& weight, double lambda,
                 double level) {
  PathFit fit;
  fit.lambda = lambda;
  fit.coefficients = problem.gram.coefficients(s.point.beta);
  fit.offset = problem.intercept ? s.point.offset + taken(problem.gram, fit.coefficients, level) : 0;
  fit.objective = s.primal;
  fit.gap = s.primal > 0 ? s.gap / s.primal : 0;
  fit.converged = s.converged;
  fit.unique = s.unique;
  fit.rss = weight.size() ? weight.dot(s.residual.cwiseAbs2()) : s.residual.squaredNorm();
  fit.df = problem.intercept && s.free.empty() ? 1 : static_cast<double>(s.free.size());
  for (Index i = 0; i < s.point.beta.size(); ++i) {
    if (s.point.beta[i] != 0) fit.active.push_back(i);
  }
  fit.dual = s.point.beta;
  if (s.below >= 0) {
    fit.dual.conservativeResize(fit.dual.size() + 2);
    fit.dual.tail(2) << static_cast<double>(s.below), static_cast<double>(s.above);
  }
  return fit;
}

double median(Vector v) {
  std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
  return v[v.size() / 2];
}

}  // namespace

Svr::Svr(SolverDesign design, SvrOptions options) : design_(std::move(design)), options_(options) {
  const Index n = design_.rows();
  require(n > 0, "svr: no rows to fit; give at least one");
  require(!options_.kernel || design_.features->cols() == n, "svr: a Gram is square, not {} × {}", n,
          design_.features->cols());
  require(options_.epsilon >= 0 && std::isfinite(options_.epsilon),
          "svr: epsilon = {}; give a finite value ≥ 0", options_.epsilon);
  require(options_.tolerance > 0, "svr: tolerance = {}; give a positive relative duality gap",
          options_.tolerance);
  require(design_.weight.size() == 0 || design_.weight.size() == n, "svr: {} weights for {} rows",
          design_.weight.size(), n);
  require(design_.weight.size() == 0 || (design_.weight.array() > 0).all(),
          "svr: weights must be positive; leave out rows of weight 0");
  require(design_.features->allFinite(),
          "svr: the features have values that are not finite; remove those rows");
  gram_ = std::make_unique<const svr::Gram>(design_.features, options_.kernel, design_.intercept);
}

Svr::~Svr() = default;

Vector Svr::bounds(double lambda) const {
  return design_.weight.size() ? Vector(design_.weight / lambda)
                               : Vector::Constant(design_.rows(), 1 / lambda);
}

void Svr::check(const VectorView& y) const {
  require(y.size() == design_.rows(), "svr: {} targets for {} rows", y.size(), design_.rows());
  require(y.allFinite(), "svr: a target is not finite; remove its row");
}

std::vector<PathFit> Svr::path(const VectorView& y, std::span<const double> lambdas) const {
  check(y);
  for (const double lambda : lambdas) check_lambda(lambda);
  std::vector<PathFit> fits(lambdas.size());
  for (std::size_t k = lambdas.size(); k-- > 0;) {
    fits[k] = refit(y, lambdas[k], k + 1 < lambdas.size() ? fits[k + 1] : PathFit{});
  }
  return fits;
}

PathFit Svr::refit(const VectorView& y, double lambda, const PathFit& start) const {
  check(y);
  check_lambda(lambda);
  const Vector bound = bounds(lambda);
  const double level = design_.intercept ? median(y) : 0;
  const Vector about_level = y.array() - level;
  const svr::Problem problem{*gram_,           about_level,       bound,
                             options_.epsilon, design_.intercept, options_.tolerance};
  const bool warm = start.dual.size() >= y.size() && start.lambda > 0;
  svr::Point point{Vector::Zero(y.size()), 0};
  if (warm) {
    point = {start.dual.head(y.size()), start.offset};
    if (design_.intercept) point.offset -= taken(*gram_, start.coefficients, level);
  }
  // A pivot costs O(n·|F|) on a Gram and follows a near start well; on a tall basis the rounded loss is cheap,
  // and most rows are at their bounds, between which pivots would go one by one.
  if (!warm || gram_->factored()) {
    svr::smooth_newton(problem, point);
  } else if (lambda != start.lambda) {
    const Vector before = bounds(start.lambda);
    for (Index i = 0; i < y.size(); ++i) {
      if (std::abs(point.beta[i]) >= before[i]) point.beta[i] = std::copysign(bound[i], point.beta[i]);
    }
  }
  svr::make_feasible(problem, point.beta);
  return describe(problem, svr::active_set(problem, std::move(point)), design_.weight, lambda, level);
}

double Svr::trace(const PathFit& fit, const MatrixView& m) const {
  const Index n = design_.rows(), columns = design_.features->cols();
  require(m.rows() == n && m.cols() >= columns + (design_.intercept ? 1 : 0),
          "svr: the trace needs a matrix of {} × {}, not {} × {}", n, columns + 1, m.rows(), m.cols());
  if (fit.dual.size() < n) return undefined;
  const Vector bound = bounds(fit.lambda);
  std::vector<Index> rows;
  for (Index i = 0; i < n; ++i) {
    if (fit.dual[i] != 0 && std::abs(fit.dual[i]) < bound[i]) rows.push_back(i);
  }
  if (rows.empty()) {
    if (!design_.intercept) return 0;
    if (fit.dual.size() < n + 2) return undefined;
    return 0.5 *
           (m(static_cast<Index>(fit.dual[n]), columns) + m(static_cast<Index>(fit.dual[n + 1]), columns));
  }
  // With R = (K_FF + c·11ᵀ)⁻¹ and w = R1: dβ_F = (R − wwᵀ/1ᵀw) dy_F and db = wᵀdy_F/1ᵀw.
  svr::FreeRows free(*gram_, design_.intercept);
  free.assign(std::move(rows));
  const Index size = free.size();
  // The offset is b − centre·coefficients, b that of the centred problem.
  Matrix mf(size, columns);
  for (Index l = 0; l < size; ++l) {
    const Index i = free.rows()[static_cast<std::size_t>(l)];
    mf.row(l) = m.row(i).head(columns);
    if (gram_->centre().size()) mf.row(l) -= m(i, columns) * gram_->centre().transpose();
  }
  const Matrix x = options_.kernel ? Matrix(mf(Eigen::all, free.rows()))
                                   : Matrix(mf * gram_->basis(free.rows()).transpose());
  Matrix solved = x;
  free.divide(solved);
  double trace = solved.trace();
  if (design_.intercept) {
    Vector w = Vector::Ones(size);
    free.divide(w);
    Vector offset(size);
    for (Index l = 0; l < size; ++l) offset[l] = m(free.rows()[static_cast<std::size_t>(l)], columns);
    trace += (w.dot(offset) - w.dot(x * w)) / w.sum();
  }
  return trace;
}

std::vector<double> Svr::automatic_grid(const MatrixView& y) const {
  const Index n = design_.rows();
  double least = undefined, most = undefined;
  for (Index j = 0; j < y.cols(); ++j) {
    const double centre = design_.intercept ? y.col(j).mean() : 0;
    const double spread = std::sqrt((y.col(j).array() - centre).square().mean());
    if (!(spread > 0)) continue;
    least = std::fmin(least, spread), most = std::fmax(most, spread);
  }
  if (!(least > 0)) least = most = 1;
  double diagonal = gram_->diagonal().mean();
  if (design_.intercept && n > 1) {
    const Vector mean = Vector::Constant(n, 1.0 / static_cast<double>(n));
    const double centred = diagonal - mean.dot(gram_->times(mean));
    if (centred > 1e-12 * diagonal) diagonal = centred;
  }
  if (!(diagonal > 0)) diagonal = 1;
  const double heaviest = design_.weight.size() ? design_.weight.maxCoeff() : 1;
  const double top = std::ceil(std::log10(100 * design_.count() * diagonal / least));
  double bottom = std::floor(std::log10(1e-4 * heaviest * diagonal / most));
  bottom = std::max(bottom, top - 8);
  std::vector<double> grid;
  for (int k = 0; k <= static_cast<int>(5 * (top - bottom)); ++k)
    grid.push_back(std::pow(10, bottom + 0.2 * k));
  return grid;
}

}  // namespace gnomon
