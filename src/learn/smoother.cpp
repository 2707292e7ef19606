#include "gnomon/learn/smoother.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "data/row_blocks.hpp"
#include "decompose/decomposition.hpp"
#include "decompose/gram_statistics.hpp"
#include "decompose/kernel_folds.hpp"
#include "decompose/lapack.hpp"
#include "decompose/pivoted_cholesky.hpp"
#include "decompose/ridge_from_rows.hpp"
#include "gnomon/core/error.hpp"
#include "represent/gram.hpp"

namespace gnomon {
namespace {

constexpr Index small_gram = 256;  // below this every strategy is instant, and the full one has the vectors
constexpr Index tall_rows_per_column = 4;
constexpr Index most_lone_refits = 50;   // of leave-one-out, for rows that alone decide a direction
constexpr Index tall_entries = 400'000;  // below this the SVD of the design is instant, and keeps all digits

/// 1 − leverage of a row that alone decides its fitted value, to rounding.
double least_share(Index rows) { return 1e2 * default_range_tolerance(rows); }

/// Not centred: decompositions project the constant out. A linear basis shares the inputs.
std::shared_ptr<const RowBlocks> make_design(const Representation& representation,
                                             const std::shared_ptr<const RowBlocks>& x) {
  const auto* basis = std::get_if<Basis>(&representation);
  if (!basis) return nullptr;
  if (basis->is_identity()) return x;
  return std::make_shared<const RowBlocks>(std::make_shared<const Matrix>(basis->design(x->whole())));
}

/// √w_i √w_j K_ij
void scale_symmetric(Matrix& k, const Vector& root_weight) {
  if ((root_weight.array() == 1).all()) return;
  for (Index j = 0; j < k.cols(); ++j) k.col(j) = k.col(j).cwiseProduct(root_weight) * root_weight[j];
}

/// Whether little but a constant is left of a weighted Gram: its trace without the constant is less than its largest entry. Only
/// eigenvalues can tell what of that is rounding.
bool is_nearly_constant(const Matrix& k, const Vector& constant) {
  if (constant.size() == 0) return false;
  return k.trace() - constant.dot(lapack::symmetric_times(k, constant)) < k.diagonal().maxCoeff();
}

/// Held-out errors of a ridge on a basis at the λ that cross products cannot settle.
class ErrorsFromRows {
 public:
  ErrorsFromRows(const RowBlocks& design, const VectorView& y, const Vector& weight, bool intercept,
                 const Folds& folds, std::span<const double> lambdas, const SpectralGain& gain)
      : design_(design),
        y_(y),
        weight_(weight),
        intercept_(intercept),
        folds_(folds),
        held_(rows_by_fold(folds)),
        lambdas_(lambdas),
        gain_(gain) {}

  /// Fold `f` at the places `which` of λ, again.
  void settle(FoldErrors& errors, int f, const std::vector<Index>& which) const {
    if (which.empty()) return;
    std::vector<double> chosen;
    for (const Index k : which) chosen.push_back(lambdas_[static_cast<std::size_t>(k)]);
    std::vector<Index> train;
    for (Index i = 0; i < y_.size(); ++i)
      if (folds_.of_row[static_cast<std::size_t>(i)] != f) train.push_back(i);
    const Matrix& design = design_.whole();
    const RidgeFromRows fit = ridge_from_rows(design, y_, weight_, train, intercept_, chosen, gain_);
    const auto& held = held_[static_cast<std::size_t>(f)];
    Matrix inputs = design(held, Eigen::all);
    inputs.rowwise() -= fit.x_mean.transpose();
    Matrix residual = -lapack::product(inputs, false, fit.coefficients, false);
    residual.colwise() += (y_(held).array() - fit.y_mean).matrix();
    for (std::size_t k = 0; k < which.size(); ++k) {
      const auto squares = residual.col(static_cast<Index>(k)).cwiseAbs2();
      errors.sums(f, which[k]) = weight_.size() ? weight_(held).dot(squares) : squares.sum();
    }
  }

 private:
  const RowBlocks& design_;
  Vector y_;
  const Vector& weight_;
  bool intercept_;
  const Folds& folds_;
  std::vector<std::vector<Index>> held_;
  std::span<const double> lambdas_;
  const SpectralGain& gain_;
};

/// Weighted, of every target.
Vector mean_residual(const Smoother& smoother, const Matrix& y, const Matrix& fitted) {
  const Vector w = smoother.decomposition().weighted_rows().root_weight.cwiseAbs2() / smoother.count();
  return (y - fitted).transpose() * w;
}

/// Of the mean of squared errors, from errors divided by the largest before they are squared: fourth powers leave the range
/// of numbers sooner.
double standard_error_of_extremes(const Vector& error, const Vector& weight, double count) {
  const double largest = error.cwiseAbs().maxCoeff();
  const Vector share = (error / largest).cwiseAbs2();
  const double mean = weight.dot(share) / count;
  const double variance = weight.dot((share.array() - mean).square().matrix()) / count;
  return largest * std::sqrt(variance / std::max(1.0, count - 1)) * largest;
}

}  // namespace

bool smoother_is_tall(Index rows, Index columns) {
  return rows >= tall_rows_per_column * columns && rows * columns > tall_entries;
}

Smoother::Smoother(std::shared_ptr<const Matrix> x, MatrixView y, VectorView weight, SmootherOptions options,
                   const Progress& progress)
    : Smoother(std::make_shared<const RowBlocks>(std::move(x)), y, weight, std::move(options), progress) {}

Smoother::Smoother(std::shared_ptr<const RowBlocks> x, MatrixView y, VectorView weight,
                   SmootherOptions options, const Progress& progress)
    : options_(std::move(options)),
      x_(std::move(x)),
      y_(y),
      weight_(weight),
      weighted_(std::make_unique<const WeightedRows>(x_->rows(), weight, options_.intercept)) {
  require(x_->rows() == y.rows(), "inputs have {} rows but targets have {}", x_->rows(), y.rows());
  require(rows() >= 1, "there are no rows to learn from");
  require(weight.size() == 0 || weight.size() == rows(), "{} weights for {} rows", weight.size(), rows());
  // A tall design needs no pass of its own: a number that is not finite shows in its Gram.
  const bool scan = is_kernel() || (x_->is_whole() && x_->rows() * x_->cols() <= 10'000'000);
  require(y.allFinite() && (!scan || x_->whole().allFinite()), "inputs and targets must be finite numbers");
  require(weight.size() == 0 || (weight.array() > 0).all(),
          "weights must be positive; remove rows of weight zero");
  design_ = make_design(options_.representation, x_);
  if (is_kernel()) check_kernel(std::get<Kernel>(options_.representation), x_->whole());
  decomposition_ = decompose(progress);
}

Smoother::Smoother(const Smoother& prepared, const MatrixView& y)
    : options_(prepared.options_),
      x_(prepared.x_),
      y_(y),
      weight_(prepared.weight_),
      weighted_(prepared.weighted_),
      design_(prepared.design_),
      decomposition_(prepared.decomposition_->with_targets(y)) {
  if (!decomposition_) decomposition_ = decompose({});
}

std::unique_ptr<Smoother> Smoother::with_targets(const MatrixView& y) const {
  require(rows() == y.rows(), "inputs have {} rows but targets have {}", rows(), y.rows());
  require(y.allFinite(), "inputs and targets must be finite numbers");
  return std::unique_ptr<Smoother>(new Smoother(*this, y));
}

Index Smoother::columns() const { return design_ ? design_->cols() : rows(); }

Matrix Smoother::weighted_gram() const {
  Matrix k = design_ ? lapack::product(design_->whole(), false, design_->whole(), true)
                     : gram(std::get<Kernel>(options_.representation), x_->whole());

  require(k.diagonal().allFinite(),
          "the kernel matrix overflows; use a larger `width`, a lower degree or `scale` standard");
  scale_symmetric(k, weighted_->root_weight);
  return k;
}

Smoother::~Smoother() = default;

double Smoother::count() const { return weighted_->count; }
bool Smoother::repeats_rows() const { return (weighted_->root_weight.array() != 1).any(); }
const Spectrum& Smoother::spectrum() const { return decomposition_->spectrum(); }
double Smoother::total(Index target) const { return weighted_->targets(y_.col(target)).squaredNorm(); }

Vector Smoother::coefficients(double lambda, Index target) const {
  return decomposition_->coefficients(filter(), lambda, target);
}

Matrix Smoother::weighted_design() const { return weighted_->root_weight.asDiagonal() * design_->whole(); }

std::unique_ptr<Decomposition> Smoother::decompose(const Progress& progress) const {
  progress("decomposing", 0);
  const Strategy wanted = options_.strategy;
  const double tolerance = options_.range_tolerance.value_or(default_range_tolerance(rows()));
  const Index n = rows();
  if (design_) {
    const Index p = design_->cols();
    const bool tall = smoother_is_tall(n, p);
    if (wanted == Strategy::gram || (wanted == Strategy::automatic && tall)) {
      return decompose_tall(design_, *weighted_, y_, options_.needs.folds);
    }
    require(
        wanted == Strategy::automatic || wanted == Strategy::full,
        "a basis is decomposed by strategy full or gram; tridiagonal and pivoted-cholesky are for kernels");
    return decompose_design(weighted_design(), *weighted_, y_);
  }
  require(wanted != Strategy::gram,
          "strategy gram needs a basis of columns; kernels have one column per row");
  Matrix k = weighted_gram();
  const bool shifted = filter().shift != Shift::none;
  const bool by_eigenvalues = is_nearly_constant(k, weighted_->constant);
  const bool small = wanted == Strategy::automatic && (n <= small_gram || by_eigenvalues);
  if (wanted == Strategy::pivoted_cholesky || (wanted == Strategy::automatic && !small)) {
    const bool forced = wanted == Strategy::pivoted_cholesky;
    if (auto factor = pivoted_cholesky(k, forced ? n : n / 5)) {
      k.resize(0, 0);
      return decompose_factor(std::move(factor->factor), factor->error_bound, *weighted_, y_, tolerance);
    }
  }
  const bool tridiagonal_serves =
      shifted && targets() == 1 && !options_.needs.vectors && tolerance >= 0 && n > 2;
  require(wanted != Strategy::tridiagonal || tridiagonal_serves,
          "strategy tridiagonal needs one target, three rows, a ridge penalty and no metric on points");
  const bool by_tridiagonal =
      wanted == Strategy::tridiagonal || (wanted == Strategy::automatic && !small && tridiagonal_serves);
  if (by_tridiagonal && !by_eigenvalues) {
    return decompose_tridiagonal(std::move(k), *weighted_, y_, tolerance, filter(),
                                 {.leave_one_out = options_.needs.leave_one_out,
                                  .held_out = options_.needs.held_out,
                                  .function_space = options_.needs.function_space},
                                 [this] { return weighted_gram(); });
  }
  return decompose_gram(std::move(k), *weighted_, y_, tolerance);
}

std::vector<SpectralSums> Smoother::sums(std::span<const double> lambdas, Index target) const {
  const std::lock_guard guard(last_path_.lock);
  LastPath& last = last_path_;
  if (last.target != target || !std::ranges::equal(last.lambdas, lambdas)) {
    last.sums = decomposition_->sums(filter(), lambdas, target);
    last.lambdas.assign(lambdas.begin(), lambdas.end());
    last.target = target;
  }
  return last.sums;
}

std::string Smoother::no_leave_one_out() const {
  return filter().closed_form_deletion ? "" : "refitting has no closed form; use cv:K";
}

ErrorPath Smoother::leave_one_out(std::span<const double> lambdas, Index target, const Progress&) const {
  require(filter().closed_form_deletion, "leave-one-out has no closed form for {}; use cv:K", filter().name);
  LeaveOneOutSums sums = decomposition_->leave_one_out(filter(), lambdas, target);
  if (design_) {
    const Vector w = weighted_->root_weight.cwiseAbs2();
    for (const Index k : at_rounding_level(lambdas, rows(), columns(), spectrum().values.sum())) {
      if (sums.least[k] > least_share(rows())) continue;
      const Vector squared =
          leave_one_out_residuals(lambdas[static_cast<std::size_t>(k)], target).cwiseAbs2();
      if (!squared.allFinite()) continue;
      sums.squares[k] = w.dot(squared);
      sums.fourths[k] = w.dot(squared.cwiseAbs2());
    }
  }
  ErrorPath path{sums.squares / count(), Vector(sums.squares.size())};
  for (Index k = 0; k < path.value.size(); ++k) {
    if (path.value[k] > 0 && std::isfinite(path.value[k]) && !std::isnormal(sums.fourths[k])) {
      path.standard_error[k] =
          standard_error_of_extremes(leave_one_out_residuals(lambdas[static_cast<std::size_t>(k)], target),
                                     weighted_->root_weight.cwiseAbs2(), count());
      continue;
    }
    const double variance = sums.fourths[k] / count() - path.value[k] * path.value[k];
    path.standard_error[k] = std::sqrt(std::max(variance, 0.0) / std::max(1.0, count() - 1));
  }
  return path;
}

Vector Smoother::leave_one_out_residuals(double lambda, Index target, Deletion deletion) const {
  Vector out(rows());
  const Vector share =
      deletion == Deletion::whole_row ? Vector::Ones(rows()) : left_out_share(weighted_->root_weight);
  // A row that alone decides its fitted value takes a direction with it: 0/0 here, least squares of least norm without it.
  const double nothing = least_share(rows());
  std::vector<Index> alone;
  decomposition_->visit_rows(filter(), {&lambda, 1}, target,
                             [&](Index first, const Matrix& residual, const Matrix& complement) {
                               for (Index i = 0; i < residual.rows(); ++i) {
                                 const Index row = first + i;
                                 const double left = (1 - share[row]) + share[row] * complement(i, 0);
                                 if (left <= nothing) alone.push_back(row);
                                 out[row] = residual(i, 0) / weighted_->root_weight[row] / left;
                               }
                             });
  const bool settles = design_ && static_cast<Index>(alone.size()) <= most_lone_refits &&
                       !at_rounding_level({&lambda, 1}, rows(), columns(), spectrum().values.sum()).empty();
  for (std::size_t k = 0; settles && k < alone.size(); ++k) {
    std::vector<Index> others(static_cast<std::size_t>(rows()));
    std::iota(others.begin(), others.end(), Index{0});
    others.erase(others.begin() + alone[k]);
    const RidgeFromRows fit =
        ridge_from_rows(design_->whole(), y_.col(target), weight_, others, intercept(), {&lambda, 1});
    out[alone[k]] = y_(alone[k], target) - fit.y_mean -
                    (design_->whole().row(alone[k]) - fit.x_mean.transpose()).dot(fit.coefficients.col(0));
  }
  return out;
}

FoldErrors Smoother::tall_fold_errors(const GramStatistics& statistics, Index column, Index target,
                                      std::span<const double> lambdas, const Folds& folds,
                                      const SpectralGain& gain) const {
  constexpr double enough_digits = 1e-6;
  FoldErrors errors = gram_fold_errors(statistics, column, lambdas, intercept(), gain);
  std::vector<std::vector<Index>> doubtful;
  for (int f = 0; f < folds.count; ++f)
    doubtful.push_back(in_doubt(lambdas, statistics.without(f, intercept())));
  const auto settle = [&] {
    const ErrorsFromRows rows(*design_, y_.col(target), weight_, intercept(), folds, lambdas, gain);
    for (int f = 0; f < folds.count; ++f) rows.settle(errors, f, doubtful[static_cast<std::size_t>(f)]);
  };
  if (errors.error_estimate < enough_digits) {
    settle();
    return errors;
  }
  // The fit is so close that Σe² cancels in the cross products: take the residuals row by row.
  const auto held_out = rows_by_fold(folds);
  for (int f = 0; f < folds.count; ++f) {
    const auto& held = held_out[static_cast<std::size_t>(f)];
    const CentredGram train = statistics.without(f, intercept());
    const Matrix beta = gram_coefficients(train.xx, train.xy.col(column), lambdas, gain);
    Matrix inputs = design_->whole()(held, Eigen::all);
    inputs.rowwise() -= train.x_mean.transpose();
    Matrix residual = -lapack::product(inputs, false, beta, false);
    residual.colwise() += (y_(held, target).array() - train.y_mean[column]).matrix();
    const Vector weight = weighted_->root_weight(held).cwiseAbs2();
    errors.sums.row(f) = weight.transpose() * residual.cwiseAbs2();
  }
  settle();
  errors.error_estimate = 0;
  errors.method += ", residuals from the rows";
  return errors;
}

FoldErrors Smoother::fold_errors(std::span<const double> lambdas, Index target, const Folds& folds,
                                 const Progress& progress) const {
  const double top = filter().shift == Shift::none ? spectrum().top() : 0;
  const SpectralGain gain = [this, top](double d, double lambda) {
    return filter().value(d, lambda, top).gain;
  };
  if (design_ && rows() > 2 * columns()) {
    const SpectralGain filtered = filter().shift == Shift::plain ? SpectralGain() : gain;

    if (const GramStatistics* known = decomposition_->fold_statistics(folds)) {
      return tall_fold_errors(*known, target, target, lambdas, folds, filtered);
    }
    GramStatistics statistics(columns(), 1, folds.count);
    statistics.add(*design_, y_.col(target), weight_, folds.of_row);
    return tall_fold_errors(statistics, 0, target, lambdas, folds, filtered);
  }
  const bool squared = filter().shift == Shift::squared;
  const std::function<Matrix()> make_gram = [&] {
    Matrix k = design_ ? lapack::product(design_->whole(), false, design_->whole(), true)
                       : gram(std::get<Kernel>(options_.representation), x_->whole());
    if (squared && intercept()) {
      // The coefficient penalty is least squares on the fixed, centred columns of K √W.
      const Vector w = weighted_->root_weight.cwiseAbs2() / count();
      const Vector mean = k * w;
      const double grand = mean.dot(w);
      k.colwise() -= mean;
      k.rowwise() -= mean.transpose();
      k.array() += grand;
    }
    return k;
  };
  const auto rotation = filter().shift == Shift::plain ? decomposition_->rotated_rows() : std::nullopt;
  const KernelFoldOptions options{.intercept = intercept(),
                                  .squared_gram = squared,
                                  .centres = squared && weight_.size() ? &weight_ : nullptr,
                                  .known = rotation ? &*rotation : nullptr};
  FoldErrors errors =
      filter().shift == Shift::none
          ? kernel_fold_errors_exact(make_gram(), y_.col(target), weight_, folds, lambdas, options, progress,
                                     gain)
          : kernel_fold_errors(make_gram, y_.col(target), weight_, folds, lambdas, options, progress);
  if (design_) {
    const SpectralGain filtered = filter().shift == Shift::plain ? SpectralGain() : gain;
    const ErrorsFromRows from_rows(*design_, y_.col(target), weight_, intercept(), folds, lambdas, filtered);
    const auto which = at_rounding_level(lambdas, rows(), columns(), spectrum().values.sum());
    for (int f = 0; f < folds.count; ++f) from_rows.settle(errors, f, which);
  }
  return errors;
}

Matrix Smoother::spectral_features(const MatrixView& points) const {
  const auto basis = decomposition_->basis();
  require(basis.has_value(), "the {} strategy keeps no vectors; prepare with needs.vectors",
          decomposition_->strategy());
  Matrix features;
  if (design_) {
    features = std::get<Basis>(options_.representation).design(points);
    if (intercept()) {
      const Vector w = weighted_->root_weight.cwiseAbs2() / count();
      features.rowwise() -= (design_->whole().transpose() * w).transpose();
    }
  } else {
    const auto& kernel = std::get<Kernel>(options_.representation);
    features = cross_gram(kernel, points, x_->whole());
    if (intercept()) {
      const Vector w = weighted_->root_weight.cwiseAbs2() / count();
      features.rowwise() -= (gram(kernel, x_->whole()) * w).transpose();
    }
    features = features * weighted_->root_weight.asDiagonal();
  }
  return lapack::product(features, false, *basis, false);
}

/// Of a model at the training rows.
Matrix Smoother::predictions(const LinearModel& model) const {
  if (x_->is_whole()) return model.predict(x_->whole());
  constexpr Index rows_at_once = 4096;
  Matrix out(rows(), targets());
  for (Index first = 0; first < rows(); first += rows_at_once) {
    const Index count = std::min(rows_at_once, rows() - first);
    out.middleRows(first, count) = model.predict(x_->block(first, count));
  }
  return out;
}

/// The function but for its intercept.
LinearModel Smoother::expansion(Matrix coefficients) const {
  LinearModel model;
  model.representation = options_.representation;
  if (is_kernel()) {
    model.centres = x_->whole();
    coefficients = weighted_->root_weight.asDiagonal() * coefficients;
  }
  model.coefficients = std::move(coefficients);
  model.offset = Vector::Zero(targets());
  return model;
}

Matrix Smoother::coefficients_of(std::span<const double> lambdas) const {
  require(static_cast<Index>(lambdas.size()) == targets(), "{} values of λ for {} targets", lambdas.size(),
          targets());
  Matrix all(columns(), targets());
  for (Index t = 0; t < targets(); ++t) all.col(t) = coefficients(lambdas[static_cast<std::size_t>(t)], t);
  return all;
}

LinearModel Smoother::fit(std::span<const double> lambdas) const {
  LinearModel model = expansion(coefficients_of(lambdas));
  if (intercept()) model.offset = mean_residual(*this, y_, predictions(model));
  return model;
}

Fit Smoother::with_intercept(LinearModel model, const Matrix& y) const {
  Fit out;
  out.fitted = predictions(model);
  if (intercept()) {
    model.offset = mean_residual(*this, y, out.fitted);
    out.fitted.rowwise() += model.offset.transpose();
  }
  out.model = std::move(model);
  return out;
}

Fit Smoother::fit_at(const Points& points) const {
  return with_intercept(expansion(coefficients_of(lambdas_of(points))), y_);
}

Fit Smoother::average(std::span<const double> lambdas, std::span<const double> weights) const {
  require(targets() == 1 && lambdas.size() == weights.size(), "{} values of λ and {} weights for {} targets",
          lambdas.size(), weights.size(), targets());
  Matrix sum = Matrix::Zero(columns(), 1);
  double share = 0;
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    sum += weights[k] * coefficients(lambdas[k], 0);
    share += weights[k];
  }
  return with_intercept(expansion(std::move(sum)), share * y_);
}

Vector Smoother::fitted(double lambda, Index target) const {
  std::vector<double> lambdas(static_cast<std::size_t>(targets()), lambda);
  return predictions(fit(lambdas)).col(target);
}

}  // namespace gnomon
