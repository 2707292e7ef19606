#include "rotated_folds.hpp"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "gnomon/core/parallel.hpp"
#include "shifted_band.hpp"

namespace gnomon {
namespace {

constexpr std::size_t fewest_in_run = 40;  // λ that are iterated together, at the speed of matrix products
constexpr int most_steps_between_anchors = 40;

/// The path in the order of λ, its anchors, and the runs of λ between anchors that are worked on together.
struct AnchoredPath {
  struct Run {
    std::vector<std::size_t> lambdas, below, above;  // the anchors on both sides of each
  };
  std::vector<ShiftedBand> shifted;
  Matrix solutions;          // λ(B + λI)⁻¹ e₁ norm, a column for each
  std::vector<Index> place;  // columns of the residuals
  std::vector<std::size_t> anchors;
  std::vector<Run> runs;

  std::size_t size() const { return shifted.size(); }
  double log_lambda(std::size_t l) const { return std::log(shifted[l].lambda()); }
};

/// The largest distance of anchors as a difference of logarithms. An anchor costs as much as rows/3 steps, and the λ between two take
/// about two steps more for every decade between them.
double anchor_distance(double rows, double lambdas, double range) {
  const double decade = std::log(10);
  return std::min(3.0, std::sqrt(rows / 6 * range / decade / lambdas)) * decade;
}

/// Both ends, and λ about evenly between them; all of them unless the others shall be iterated.
std::vector<std::size_t> choose_anchors(const AnchoredPath& path, double rows, bool iterate) {
  std::vector<std::size_t> anchors;
  const std::size_t end = path.size() - 1;
  const double range = path.log_lambda(end) - path.log_lambda(0);
  const double distance = anchor_distance(rows, static_cast<double>(path.size()), range) + 1e-9;
  for (std::size_t l = 0; l <= end; ++l) {
    const bool far = l > 0 && l < end && path.log_lambda(l + 1) - path.log_lambda(anchors.back()) > distance;
    if (!iterate || l == 0 || l == end || far) anchors.push_back(l);
  }
  return anchors;
}

AnchoredPath anchored_path(const RotatedRows& all, std::span<const double> lambdas, double rows,
                           bool iterate) {
  std::vector<Index> order(lambdas.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto lambda_at = [&](Index l) { return lambdas[static_cast<std::size_t>(l)]; };
  std::ranges::sort(order, {}, lambda_at);
  AnchoredPath path;
  for (const Index l : order) {
    if (!(lambda_at(l) > all.least_lambda)) continue;
    ShiftedBand shifted(*all.band, lambda_at(l));
    if (!shifted.ok()) continue;
    path.shifted.push_back(std::move(shifted));
    path.place.push_back(l);
  }
  if (path.size() == 0) return path;
  std::vector<const ShiftedBand*> each;
  for (const ShiftedBand& shifted : path.shifted) each.push_back(&shifted);
  path.solutions.setZero(all.band->cols(), static_cast<Index>(path.size()));
  path.solutions.row(0).setConstant(all.norm);
  ShiftedBand::solve(each, path.solutions);
  path.anchors = choose_anchors(path, rows, iterate);
  for (std::size_t a = 0; a + 1 < path.anchors.size(); ++a) {
    if (path.runs.empty() || path.runs.back().lambdas.size() >= fewest_in_run) path.runs.emplace_back();
    AnchoredPath::Run& run = path.runs.back();
    for (std::size_t l = path.anchors[a] + 1; l < path.anchors[a + 1]; ++l) {
      run.lambdas.push_back(l);
      run.below.push_back(path.anchors[a]);
      run.above.push_back(path.anchors[a + 1]);
    }
  }
  return path;
}

/// One fold along the path.
class FoldPath {
 public:
  FoldPath(const Matrix& all, const std::vector<Index>& held, const AnchoredPath& path)
      : path_(path),
        q_(all(held, Eigen::all)),
        rows_(static_cast<int>(q_.rows())),
        n_(static_cast<int>(q_.cols())),
        e_(q_.rows(), static_cast<Index>(path.size())),
        right_(e_.rows(), e_.cols()),
        factors_(path.size()) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows_, static_cast<int>(e_.cols()), n_, 1,
                q_.data(), rows_, path.solutions.data(), n_, 0, right_.data(), rows_);
  }

  const Matrix& residuals() const { return e_; }

  /// By a Cholesky factor of S, which is kept. Residuals are NaN, and there is no factor, where S is singular to working precision.
  void solve_by_factor(std::size_t l) {
    Matrix block = Matrix::Zero(rows_, rows_);
    path_.shifted[l].visit_whitened(q_, [&](const double* columns, Index count) {
      cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, rows_, static_cast<int>(count), 1, columns, rows_,
                  1, block.data(), rows_);
    });
    e(l) = right_.col(static_cast<Index>(l));
    if (LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'L', rows_, 1, block.data(), rows_, e(l).data(), rows_) == 0)
      factors_[l] = std::move(block);
    else
      e(l).setConstant(undefined);
  }

  /// The λ between anchors, all of these solved already. Returns the largest error estimate.
  double solve_between(const AnchoredPath::Run& run, double tolerance) {
    Active active;
    for (std::size_t k = 0; k < run.lambdas.size(); ++k) {
      if (factors_[run.below[k]].size() > 0 && factors_[run.above[k]].size() > 0)
        active.add({run.lambdas[k], run.below[k], run.above[k]}, path_);
      else
        solve_by_factor(run.lambdas[k]);
    }
    if (active.count() == 0) return 0;
    double largest = 0;
    prepare(active);
    for (int step = 0; step < most_steps_between_anchors; ++step) {
      const Matrix correction = precondition(active);
      std::vector<Index> kept;
      for (Index k = 0; k < active.count(); ++k) {
        const double error = relative_error(active.at(k), correction.col(k).norm());
        if (error <= tolerance) {
          largest = std::max(largest, error);
          continue;
        }
        const double before = active.product[k];
        active.product[k] = active.residual.col(k).dot(correction.col(k));
        active.direction.col(k) *= before > 0 ? active.product[k] / before : 0;
        active.direction.col(k) += correction.col(k);
        kept.push_back(k);
      }
      keep(active, kept);
      if (active.count() == 0) return largest;
      const Matrix image = apply(active, active.direction);
      for (Index k = 0; k < active.count(); ++k) {
        const double length = active.product[k] / active.direction.col(k).dot(image.col(k));
        e(active.at(k).lambda) += length * active.direction.col(k);
        active.residual.col(k) -= length * image.col(k);
      }
    }
    for (const Between& one : active.lambdas) solve_by_factor(one.lambda);
    return largest;
  }

 private:
  /// A λ between two anchors.
  struct Between {
    std::size_t lambda, below, above;
    double share = 0;   // of the anchor above in 1/λ
    double spread = 1;  // S⁻¹ is at most this times the preconditioner
  };

  /// The λ that are not done yet, side by side.
  struct Active {
    std::vector<Between> lambdas;
    Matrix residual, direction;
    Vector product;  // of the residual and the correction

    Index count() const { return static_cast<Index>(lambdas.size()); }
    const Between& at(Index k) const { return lambdas[static_cast<std::size_t>(k)]; }
    void add(Between one, const AnchoredPath& path) {
      const double below = path.shifted[one.below].lambda(), above = path.shifted[one.above].lambda();
      const double root = std::sqrt(above / below);
      if (above > below) one.share = (1 - below / path.shifted[one.lambda].lambda()) / (1 - below / above);
      one.spread = (1 + root) * (1 + root) / (4 * root);
      lambdas.push_back(one);
    }
  };

  Matrix::ColXpr e(std::size_t l) { return e_.col(static_cast<Index>(l)); }

  /// First guesses, in the shares of the anchors, and what they leave.
  void prepare(Active& active) {
    const Index count = active.count();
    active.residual.resize(rows_, count);
    active.direction = Matrix::Zero(rows_, count);
    active.product = Vector::Zero(count);
    Matrix guess(rows_, count);
    for (Index k = 0; k < count; ++k) {
      const Between& own = active.at(k);
      guess.col(k) = (1 - own.share) * e(own.below) + own.share * e(own.above);
      e(own.lambda) = guess.col(k);
      active.residual.col(k) = right_.col(static_cast<Index>(own.lambda));
    }
    active.residual -= apply(active, guess);
  }

  void keep(Active& active, const std::vector<Index>& kept) const {
    if (static_cast<Index>(kept.size()) == active.count()) return;
    std::vector<Between> lambdas;
    for (const Index k : kept) lambdas.push_back(active.at(k));
    active.lambdas = std::move(lambdas);
    active.residual = Matrix(active.residual(Eigen::all, kept));
    active.direction = Matrix(active.direction(Eigen::all, kept));
    active.product = Vector(active.product(kept));
  }

  /// S x for the x of every λ.
  Matrix apply(const Active& active, const Matrix& x) const {
    const int count = static_cast<int>(active.count());
    Matrix rotated(n_, count), out(rows_, count);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n_, count, rows_, 1, q_.data(), rows_, x.data(),
                rows_, 0, rotated.data(), n_);
    std::vector<const ShiftedBand*> shifted;
    for (const Between& one : active.lambdas) shifted.push_back(&path_.shifted[one.lambda]);
    ShiftedBand::solve(shifted, rotated);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows_, count, n_, 1, q_.data(), rows_,
                rotated.data(), n_, 0, out.data(), rows_);
    return out;
  }

  /// The inverses of the anchors' S, in the shares that 1/λ has between them.
  Matrix precondition(const Active& active) const {
    Matrix below = active.residual, above = active.residual;
    for (Index from = 0, to; from < active.count(); from = to) {
      const Between& one = active.at(from);
      for (to = from + 1; to < active.count() && active.at(to).below == one.below;) ++to;
      const int count = static_cast<int>(to - from);
      LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', rows_, count, factors_[one.below].data(), rows_,
                          &below(0, from), rows_);
      LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', rows_, count, factors_[one.above].data(), rows_,
                          &above(0, from), rows_);
    }
    for (Index k = 0; k < active.count(); ++k)
      below.col(k) += active.at(k).share * (above.col(k) - below.col(k));
    return below;
  }

  /// Of the sum of squares.
  double relative_error(const Between& own, double correction) {
    const double distance = own.spread * correction;
    if (distance == 0) return 0;
    const double share = distance / e(own.lambda).norm();
    return share * (2 + share);
  }

  const AnchoredPath& path_;
  Matrix q_;
  int rows_, n_;
  Matrix e_, right_;
  std::vector<Matrix> factors_;  // of anchors
};

}  // namespace

RotatedResiduals rotated_fold_residuals(const RotatedRows& all,
                                        const std::vector<std::vector<Index>>& rows_by_fold,
                                        std::span<const double> lambdas, double tolerance,
                                        const Progress& progress) {
  const Index n = all.band->cols();
  RotatedResiduals out{Matrix::Constant(all.q->rows(), static_cast<Index>(lambdas.size()), undefined)};
  std::vector<const std::vector<Index>*> folds;
  for (const auto& rows : rows_by_fold)
    if (!rows.empty()) folds.push_back(&rows);
  if (n == 0 || folds.empty()) return out;
  const double rows_of_fold = static_cast<double>(all.q->rows()) / static_cast<double>(folds.size());
  const AnchoredPath path = anchored_path(all, lambdas, rows_of_fold, tolerance > 0);
  if (path.size() == 0) return out;
  const Index anchors = static_cast<Index>(path.anchors.size()), runs = static_cast<Index>(path.runs.size());
  // Enough folds at a time to keep all threads busy.
  const std::size_t together = static_cast<std::size_t>(2 * threads() / (runs + 1) + 1);
  for (std::size_t begin = 0; begin < folds.size(); begin += together) {
    progress("holding rows out", static_cast<double>(begin) / static_cast<double>(folds.size()));
    const Index count = static_cast<Index>(std::min(together, folds.size() - begin));
    std::vector<std::optional<FoldPath>> held(static_cast<std::size_t>(count));
    const auto rows_of = [&](Index f) -> const auto& { return *folds[begin + static_cast<std::size_t>(f)]; };
    const auto fold = [&](Index f) -> auto& { return held[static_cast<std::size_t>(f)]; };
    parallel_for(count, [&](Index f) { fold(f).emplace(*all.q, rows_of(f), path); });
    parallel_for(count * anchors, [&](Index task) {
      fold(task / anchors)->solve_by_factor(path.anchors[static_cast<std::size_t>(task % anchors)]);
    });
    Vector errors = Vector::Zero(count * runs);
    parallel_for(count * runs, [&](Index task) {
      errors[task] =
          fold(task / runs)->solve_between(path.runs[static_cast<std::size_t>(task % runs)], tolerance);
    });
    if (errors.size() > 0) out.error_estimate = std::max(out.error_estimate, errors.maxCoeff());
    for (Index f = 0; f < count; ++f)
      for (std::size_t l = 0; l < path.size(); ++l)
        out.residual.col(path.place[l])(rows_of(f)) = fold(f)->residuals().col(static_cast<Index>(l));
  }
  for (Index l = 0; l < out.residual.cols(); ++l)
    if (!out.residual.col(l).allFinite()) out.residual.col(l).setConstant(undefined);
  return out;
}

}  // namespace gnomon
