#include "gnomon/learn/path_learner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "decompose/decomposition.hpp"
#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/data/weights.hpp"
#include "gnomon/learn/filters.hpp"
#include "held_out_moments.hpp"
#include "moments_ridge.hpp"
#include "point_moments.hpp"
#include "represent/gram.hpp"

namespace gnomon {
namespace {

constexpr Index most_whole_refits = 2000;  // of leave-one-out

std::shared_ptr<const Matrix> make_features(const Representation& representation,
                                            const std::shared_ptr<const Matrix>& x) {
  if (const auto* kernel = std::get_if<Kernel>(&representation)) {
    check_kernel(*kernel, *x);
    return std::make_shared<const Matrix>(gram(*kernel, *x));
  }
  const auto& basis = std::get<Basis>(representation);
  return basis.is_identity() ? x : std::make_shared<const Matrix>(basis.design(*x));
}

Vector product(const Matrix& a, bool transpose, const Vector& v) {
  Vector out = Vector::Zero(transpose ? a.cols() : a.rows());
  if (a.size() == 0) return out;
  cblas_dgemv(CblasColMajor, transpose ? CblasTrans : CblasNoTrans, static_cast<int>(a.rows()),
              static_cast<int>(a.cols()), 1, a.data(), static_cast<int>(a.rows()), v.data(), 1, 0, out.data(),
              1);
  return out;
}

}  // namespace

GramStatistics moments_at(const MetricPoints& points, const Basis& basis) {
  const Vector ones = Vector::Ones(points.x.rows());
  const std::vector<int> one_fold(static_cast<std::size_t>(ones.size()), 0);
  if (basis.is_identity()) {
    GramStatistics moments(points.x.cols(), 1, 1);
    moments.add(points.x, ones, points.weight, one_fold);
    return moments;
  }
  const Matrix features = basis.design(points.x);
  GramStatistics moments(features.cols(), 1, 1);
  moments.add(features, ones, points.weight, one_fold);
  return moments;
}

PathLearner::PathLearner(std::shared_ptr<const Matrix> x, const MatrixView& y, const VectorView& weight,
                         PathLearnerOptions options)
    : options_(std::move(options)), x_(std::move(x)), y_(y), features_(options_.features) {
  require(x_->rows() == y.rows(), "inputs have {} rows but targets have {}", x_->rows(), y.rows());
  require(y.rows() >= 1, "there are no rows to learn from");
  require(options_.held_out || std::isnan(options_.flattening), "an exponent needs moments to go with it");
  if (const GramStatistics* training = training_moments()) {  // finite, so the rows are finite too
    if (!features_) features_ = make_features(options_.representation, x_);
    require(training->inputs() == columns() && training->targets() == targets(),
            "moments of {} columns and {} targets do not fit {} and {}", training->inputs(),
            training->targets(), columns(), targets());
    auto ridge = MomentsRidge::make(
        {features_, {}, intercept()},
        [held_out = options_.held_out, exponent = options_.flattening] {
          return flattened(held_out->importance(), exponent);
        },
        training->total(intercept()));
    if (ridge) {
      count_ = static_cast<double>(rows());
      from_moments_ = ridge.get();
      solver_ = std::move(ridge);
      return;
    }
  }
  check_rows(weight);
  // A tall design is passed over once, by the companion, whose cross products serve the solver and every fold.
  std::optional<CentredGram> known;
  if (!is_kernel() && options_.held_out && std::isnan(options_.flattening)) {
    moments_ = std::make_unique<GramStatistics>(columns(), targets(), std::max(options_.folds.count, 1));
    const std::vector<int> one_fold(options_.folds.count ? 0 : static_cast<std::size_t>(rows()), 0);
    moments_->add(*features_, y_, fit_weight_, options_.folds.count ? options_.folds.of_row : one_fold);
    known = moments_->total(intercept());
  } else if (!is_kernel() && !importance().size() && smoother_is_tall(rows(), columns())) {
    if (const auto* statistics = smoother().decomposition().fold_statistics(options_.folds))
      known = statistics->total(intercept());
  }
  solver_ = options_.solver(design_on(used_), known ? &*known : nullptr);
}

/// Checks what is given for the rows, and tells counts from weights of the fit.
void PathLearner::check_rows(const VectorView& weight) {
  require(weight.size() == 0 || weight.size() == rows(), "{} weights for {} rows", weight.size(), rows());
  require(y_.allFinite() && x_->allFinite(), "inputs and targets must be finite numbers");
  require(weight.size() == 0 || (weight.array() > 0).all() || importance().size(),
          "weights must be positive; remove rows of weight zero");
  if (importance().size()) {
    fit_weight_ = weight.size() || std::isnan(options_.flattening)
                      ? Vector(weight)
                      : flattened(importance(), options_.flattening);
    require(importance().size() == rows() && fit_weight_.size() == rows(),
            "{} importance weights and {} weights of the fit for {} rows", importance().size(),
            fit_weight_.size(), rows());
    for (Index i = 0; i < rows(); ++i) {
      if (fit_weight_[i] > 0) used_.push_back(i);
    }
    require(!used_.empty(), "every importance weight is zero: no training row looks like the test inputs");
    if (static_cast<Index>(used_.size()) == rows()) used_.clear();
  } else {
    weight_ = fit_weight_ = weight;
  }
  count_ = weight_.size() ? weight_.sum() : static_cast<double>(rows());
  if (!features_) features_ = make_features(options_.representation, x_);
  require(features_->allFinite(),
          "the features overflow; use `scale` standard, a larger width or a lower degree");
}

/// Moments of the fit's weights, shared with the other exponents.
const GramStatistics* PathLearner::training_moments() const {
  return std::isnan(options_.flattening) ? nullptr : options_.held_out->under(options_.flattening);
}

const Vector& PathLearner::fit_weight() const {
  if (from_moments_ && fit_weight_.size() == 0) fit_weight_ = flattened(importance(), options_.flattening);
  return fit_weight_;
}

double PathLearner::total(Index target) const {
  return WeightedRows(rows(), weight_, intercept()).targets(y_.col(target)).squaredNorm();
}

/// The design of some rows; none named = all.
SolverDesign PathLearner::design_on(const std::vector<Index>& rows) const {
  const Vector& weight = fit_weight();
  if (rows.empty()) return {features_, weight, intercept()};
  auto features = is_kernel() ? std::make_shared<const Matrix>((*features_)(rows, rows))
                              : std::make_shared<const Matrix>((*features_)(rows, Eigen::all));
  return {std::move(features), weight.size() ? Vector(weight(rows)) : Vector(), intercept(), rows};
}

/// A fit to the rows in use as one to all rows: centres and active rows back in their places, and the residual sum of
/// squares of all rows, each counted once.
PathFit PathLearner::widened(PathFit fit, const Vector& y) const {
  if (!features_ && weight_.size()) fit.rss = weight_.dot((y - fit.coefficients).cwiseAbs2());
  if (!importance().size()) return fit;
  if (!used_.empty() && is_kernel()) {
    Vector all = Vector::Zero(rows());
    all(used_) = fit.coefficients;
    fit.coefficients = std::move(all);
  }
  if (!used_.empty() && solver_->active_rows()) {
    for (auto& row : fit.active) row = used_[static_cast<std::size_t>(row)];
  }
  fit.rss = (y - fitted(fit)).squaredNorm();
  return fit;
}

/// The inverse of widened: as the solver, which knows the rows in use only, left it.
PathFit PathLearner::narrowed(PathFit fit) const {
  if (used_.empty()) return fit;
  if (is_kernel() && fit.coefficients.size() == rows()) fit.coefficients = Vector(fit.coefficients(used_));
  if (solver_->active_rows()) {
    for (auto& row : fit.active) row = std::lower_bound(used_.begin(), used_.end(), row) - used_.begin();
  }
  return fit;
}

PathFit PathLearner::refit(const Vector& y, double lambda, const PathFit& start) const {
  if (used_.empty()) return widened(solver_->refit(y, lambda, start), y);
  return widened(solver_->refit(Vector(y(used_)), lambda, narrowed(start)), y);
}

PathLearner::PathLearner(PathSolverPtr solver, const MatrixView& y, const VectorView& weight,
                         PathLearnerOptions options)
    : options_(std::move(options)),
      y_(y),
      weight_(weight),
      fit_weight_(weight),
      count_(weight.size() ? weight.sum() : static_cast<double>(y.rows())),
      solver_(std::move(solver)) {
  require(y.rows() >= 1 && y.allFinite(), "targets must be finite numbers, at least one");
  require(weight.size() == 0 || (weight.size() == y.rows() && (weight.array() > 0).all()),
          "{} weights for {} rows; give one positive weight per row, or none", weight.size(), y.rows());
  options_.intercept = false;
}

PathLearner::~PathLearner() = default;

const Vector& PathLearner::importance() const {
  return std::isnan(options_.flattening) ? options_.importance : options_.held_out->importance();
}

const Smoother& PathLearner::smoother() const {
  require(features_ != nullptr,
          "a black box has no design, so its noise cannot be estimated by least squares; give the variance");
  if (!companion_) {
    companion_ =
        std::make_unique<Smoother>(x_, y_, weight_,
                                   SmootherOptions{.representation = options_.representation,
                                                   .filter = tikhonov,
                                                   .intercept = options_.intercept,
                                                   .needs = {.vectors = true, .folds = options_.folds}});
  }
  return *companion_;
}

const std::vector<PathFit>& PathLearner::path(std::span<const double> lambdas, Index target) const {
  auto key = std::pair(target, std::vector<double>(lambdas.begin(), lambdas.end()));
  const auto found = paths_.find(key);
  if (found != paths_.end()) return found->second;
  if (from_moments_) {
    if (auto known = from_moments_->path_of_target(target, lambdas, *options_.held_out->under(0)))
      return paths_.emplace(std::move(key), *std::move(known)).first->second;
  }
  const Vector y = y_.col(target);
  auto fits = solver_->path(used_.empty() ? y : Vector(y(used_)), lambdas);
  for (auto& fit : fits) fit = widened(std::move(fit), y);
  return paths_.emplace(std::move(key), std::move(fits)).first->second;
}

Vector PathLearner::fitted(const PathFit& fit) const {
  if (!features_) return fit.coefficients;
  return (product(*features_, false, fit.coefficients).array() + fit.offset).matrix();
}

Vector PathLearner::adjoint(const Vector& v) const {
  if (!features_) return v;
  Vector out(columns() + (intercept() ? 1 : 0));
  out.head(columns()) = product(*features_, true, v);
  if (intercept()) out[columns()] = v.sum();
  return out;
}

Vector PathLearner::parameters_of(const PathFit& fit) const {
  if (!intercept()) return fit.coefficients;
  Vector theta(fit.coefficients.size() + 1);
  theta << fit.coefficients, fit.offset;
  return theta;
}

Matrix PathLearner::features_at(const MatrixView& points) const {
  require(features_ != nullptr, "a black box is known at the training rows only; use `metric` train");
  if (const auto* kernel = std::get_if<Kernel>(&options_.representation))
    return cross_gram(*kernel, points, *x_);
  return std::get<Basis>(options_.representation).design(points);
}

double PathLearner::weighted_mean(Index target) const {
  const auto y = y_.col(target);
  return weight_.size() ? y.dot(weight_) / weight_.sum() : y.mean();
}

bool PathLearner::exact_divergence() const {
  const Dependence dependence = solver_->dependence();
  return options_.divergence != Divergence::monte_carlo &&
         (dependence == Dependence::affine || dependence == Dependence::differentiable);
}

std::string PathLearner::divergence_name() const {
  if (!exact_divergence()) return "Monte-Carlo divergence";
  return solver_->dependence() == Dependence::affine ? "trace" : "exact Stein divergence";
}

std::string PathLearner::no_divergence() const {
  switch (solver_->dependence()) {
    case Dependence::discontinuous:
      return "it jumps as y changes, so Stein's identity does not hold; use basic";
    case Dependence::continuous:
      return options_.divergence == Divergence::exact
                 ? "it has no formula for its divergence; use `divergence` mc"
                 : "";
    default:
      return "";
  }
}

double PathLearner::divergence(const PathFit& fit, Index target, const Pairing& pairing,
                               const std::function<Matrix()>& matrix) const {
  if (!no_divergence().empty()) return undefined;
  if (exact_divergence()) {
    const Matrix m = matrix();
    return used_.empty() ? solver_->trace(fit, m) : solver_->trace(narrowed(fit), m(used_, Eigen::all));
  }
  const Vector y = y_.col(target);
  const FitFunction learner = [&](const Vector& other) {
    return parameters_of(refit(other, fit.lambda, fit));
  };
  return monte_carlo_divergence(learner, pairing, y, weight_,
                                random_probes(rows(), options_.probes, options_.seed), divergence_step(y));
}

std::optional<double> PathLearner::divergence_by_moments(const PathFit& fit, const Vector& c,
                                                         const Matrix& p) const {
  if (!from_moments_ || !exact_divergence()) return std::nullopt;
  const GramStatistics* paired = options_.held_out->paired(options_.flattening);
  if (!paired) return std::nullopt;
  return from_moments_->trace(fit, *paired, c, p);
}

/// Along a path, found once and kept: Monte Carlo takes a refit for each.
const Vector& PathLearner::degrees_of_freedom(std::span<const double> lambdas, Index target) const {
  auto key = std::pair(target, std::vector<double>(lambdas.begin(), lambdas.end()));
  const auto found = df_.find(key);
  if (found != df_.end()) return found->second;
  const auto& fits = path(lambdas, target);
  const Pairing pairing = [this](const Vector& e) {
    return adjoint(weight_.size() ? Vector(weight_.cwiseProduct(e)) : e);
  };
  Vector df(static_cast<Index>(fits.size()));
  parallel_for(df.size(), [&](Index k) {
    const PathFit& fit = fits[static_cast<std::size_t>(k)];
    df[k] = exact_divergence() ? fit.df : divergence(fit, target, pairing, {});
  });
  return df_.emplace(std::move(key), std::move(df)).first->second;
}

std::vector<SpectralSums> PathLearner::sums(std::span<const double> lambdas, Index target) const {
  const auto& fits = path(lambdas, target);
  const Vector& df = degrees_of_freedom(lambdas, target);
  std::vector<SpectralSums> out(fits.size());
  for (std::size_t k = 0; k < out.size(); ++k) {
    SpectralSums& s = out[k];
    s.lambda = fits[k].lambda;
    s.df = df[static_cast<Index>(k)];
    s.g = count() - s.df;
    s.z2g2 = fits[k].rss;
    for (double* other :
         {&s.g2, &s.g4, &s.z2g, &s.z2g4, &s.log_prior_ratio, &s.x, &s.xz2, &s.dx2z2, &s.a2, &s.a2z2})
      *other = undefined;
  }
  return out;
}

Vector PathLearner::predict_held_out(const PathFit& fit, const std::vector<Index>& held,
                                     const std::vector<Index>& train) const {
  const Vector values = is_kernel() ? Vector((*features_)(held, train) * fit.coefficients)
                                    : Vector((*features_)(held, Eigen::all) * fit.coefficients);
  return (values.array() + fit.offset).matrix();
}

bool PathLearner::is_prepared_for(const Folds& folds) const {
  return folds.count == options_.folds.count && folds.of_row == options_.folds.of_row;
}

/// Whether the last cross-validation was this one.
bool PathLearner::is_validated(std::span<const double> lambdas, Index target, const Folds& folds) const {
  return validated_ && validated_->target == target &&
         (is_prepared_for(folds) ? validated_->fold_of_row.empty()
                                 : validated_->fold_of_row == folds.of_row) &&
         std::equal(lambdas.begin(), lambdas.end(), validated_->lambdas.begin(), validated_->lambdas.end());
}

FoldErrors PathLearner::fold_errors(std::span<const double> lambdas, Index target, const Folds& folds,
                                    const Progress& progress) const {
  const bool prepared = is_prepared_for(folds);
  if (!is_validated(lambdas, target, folds)) {
    validated_ = Validated{target,
                           {lambdas.begin(), lambdas.end()},
                           prepared ? std::vector<int>() : folds.of_row,
                           validate(lambdas, target, folds, prepared, progress)};
  }
  return validated_->errors;
}

FoldErrors PathLearner::validate(std::span<const double> lambdas, Index target, const Folds& folds,
                                 bool prepared, const Progress& progress) const {
  require(features_ != nullptr, "a black box cannot be refitted on other rows; use basic or sure");
  const GramStatistics* moments = moments_ ? moments_.get() : training_moments();
  if (moments && prepared) {
    if (auto fast = options_.held_out->fold_errors(*moments, target, lambdas, intercept()))
      return *std::move(fast);
  }
  const Vector y = y_.col(target);
  const GramStatistics* statistics =
      companion_ ? companion_->decomposition().fold_statistics(folds) : nullptr;
  if (!importance().size()) {
    if (auto fast = solver_->fold_errors(y, lambdas, folds, statistics, target, progress))
      return *std::move(fast);
  }
  return refit_without_folds(lambdas, target, folds, progress);
}

std::string PathLearner::no_leave_one_out() const {
  if (!features_) return "a black box cannot be refitted on other rows; use basic or sure";
  if (solver_->dependence() == Dependence::affine) return "";
  if (weight_.size() && (weight_.array() != 1).any())
    return "leaving one unit of weight out has no closed form here; use cv:K";
  if (rows() > most_whole_refits)
    return fmt::format("it would take {} refits of the whole path; use cv:K", rows());
  return "";
}

/// Squared errors at each row left out, rows × λ; one unit of a row's count is left out at a time.
Matrix PathLearner::squared_errors_left_out(std::span<const double> lambdas, Index target,
                                            const Progress& progress) const {
  if (has_leverages(lambdas))
    return left_out_residuals(lambdas, target, Deletion::unit_of_weight).cwiseAbs2();
  Folds each{std::vector<int>(static_cast<std::size_t>(rows())), static_cast<int>(rows())};
  for (Index i = 0; i < rows(); ++i) each.of_row[static_cast<std::size_t>(i)] = static_cast<int>(i);
  return fold_errors(lambdas, target, each, progress).sums;
}

ErrorPath PathLearner::leave_one_out(std::span<const double> lambdas, Index target,
                                     const Progress& progress) const {
  const Matrix squared = squared_errors_left_out(lambdas, target, progress);
  const Vector w = weight_.size() ? weight_ : Vector::Ones(rows());
  ErrorPath path{(squared.transpose() * w) / count(), Vector(squared.cols())};
  for (Index k = 0; k < squared.cols(); ++k) {
    // The squares of squared errors may leave the range of numbers.
    const Vector deviation = (squared.col(k).array() - path.value[k]) * w.array().sqrt();
    path.standard_error[k] = deviation.stableNorm() / std::sqrt(count() * std::max(1.0, count() - 1));
  }
  return path;
}

Fit PathLearner::fit_at(const Points& points) const {
  Fit out;
  LinearModel model = fit(lambdas_of(points));
  out.fitted = model.predict(*x_);
  out.model = std::move(model);
  return out;
}

LinearModel PathLearner::fit(std::span<const double> lambdas) const {
  require(features_ != nullptr, "a black box gives fitted values only; there is no model to keep");
  require(static_cast<Index>(lambdas.size()) == targets(), "{} values of λ for {} targets", lambdas.size(),
          targets());
  LinearModel model;
  model.representation = options_.representation;
  if (is_kernel()) model.centres = *x_;
  model.coefficients.resize(columns(), targets());
  model.offset.resize(targets());
  for (Index t = 0; t < targets(); ++t) {
    const double lambda = lambdas[static_cast<std::size_t>(t)];
    // The fit that was judged, if λ is on a path already solved.
    const PathFit* judged = nullptr;
    for (const auto& [key, fits] : paths_) {
      for (const auto& fit : fits) {
        if (key.first == t && fit.lambda == lambda) judged = &fit;
      }
    }
    const PathFit& fit = judged ? *judged : path({&lambda, 1}, t).front();
    model.coefficients.col(t) = fit.coefficients;
    model.offset[t] = fit.offset;
  }
  return model;
}

}  // namespace gnomon
