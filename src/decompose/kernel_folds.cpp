#include "kernel_folds.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "fold_krylov.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "kernel_fold_problem.hpp"
#include "symmetric_product.hpp"
#include "tridiagonal_path.hpp"

namespace gnomon {
namespace {

using namespace detail;

constexpr double loose_tolerance = 1e-6;
/// λ whose pooled error is within this factor of the minimum get the tight tolerance.
constexpr double window = 1.25;
/// The extrapolated estimate is used when ten steps cut the residual below this part, and is enlarged by
/// `safety`.
constexpr double fast_rate = 0.3, safety = 10;

/// All folds advanced together, and what is known of their errors so far.
class SharedKrylov {
 public:
  SharedKrylov(const KernelFoldProblem& problem, std::vector<double> lambdas);

  /// One Krylov step of every unfinished fold: one product with K (two for K·K).
  void step();
  /// Errors and bounds at the current step; returns true when every fold is done.
  bool assess();
  bool finished() const {
    return std::all_of(done_.begin(), done_.end(), [](char d) { return d != 0; });
  }
  const Matrix& sums() const { return sums_; }
  /// Bound of the pooled relative error at each λ, NaN-free.
  Vector pooled_bounds() const;
  double required(Index l) const { return required_[l]; }

 private:
  void assess_fold(Index f);
  double reach(const KernelFold& fold) const;
  double weighted_distance(const KernelFold& fold, const Matrix& a, const Matrix& b, Index column) const;

  const KernelFoldProblem& p_;
  std::vector<double> lambdas_;
  std::vector<FoldKrylov> spaces_;
  Vector reach_;                     // norm of the held-out part of the kernel's square root
  Matrix sums_, change_;             // folds × λ: Σ w e² and the bound of its absolute error
  Matrix residual_;                  // folds × λ: norm of the residual at the last assessment
  std::vector<Matrix> predictions_;  // per fold at the last assessment, held-out rows × λ
  Vector required_;
  std::vector<char> done_;
};

SharedKrylov::SharedKrylov(const KernelFoldProblem& problem, std::vector<double> lambdas)
    : p_(problem), lambdas_(std::move(lambdas)) {
  const Index folds = static_cast<Index>(p_.folds.size()), count = static_cast<Index>(lambdas_.size());
  for (const KernelFold& fold : p_.folds) spaces_.emplace_back(fold, p_.options.intercept);
  reach_.resize(folds);
  parallel_for(folds, [&](Index f) { reach_[f] = reach(p_.folds[static_cast<std::size_t>(f)]); });
  sums_ = Matrix::Zero(folds, count);
  change_ = Matrix::Constant(folds, count, std::numeric_limits<double>::infinity());
  residual_ = change_;
  predictions_.resize(p_.folds.size());
  required_ = Vector::Constant(count, p_.options.tolerance);
  done_.assign(static_cast<std::size_t>(folds), 0);
}

/// ‖S_test (B_test − 1φ̄ᵀ)‖ for K = B Bᵀ: at most the Frobenius bound of the held-out block, plus the mean's
/// share.
double SharedKrylov::reach(const KernelFold& fold) const {
  double frobenius = 0, largest = 0;
  for (const Index c : fold.test) {
    const double* column = p_.gram + c * p_.stride;
    const double own = p_.diagonal(c);
    largest = std::max(largest, own);
    if (p_.options.squared_gram)
      frobenius += p_.weight[c] * own;
    else
      for (const Index r : fold.test) frobenius += p_.weight[r] * p_.weight[c] * column[r] * column[r];
  }
  if (!p_.options.squared_gram) frobenius = std::sqrt(frobenius);
  const double mean = p_.options.intercept ? std::sqrt(fold.test_weight * largest) : 0;
  return std::sqrt(frobenius) + mean;
}

void SharedKrylov::step() {
  std::vector<Index> active;
  for (std::size_t f = 0; f < spaces_.size(); ++f)
    if (!done_[f] && !spaces_[f].complete()) active.push_back(static_cast<Index>(f));
  if (active.empty()) return;
  const int n = static_cast<int>(p_.n), columns = static_cast<int>(active.size());
  Matrix in = Matrix::Zero(n, columns), out(n, columns);
  for (int c = 0; c < columns; ++c)
    spaces_[static_cast<std::size_t>(active[static_cast<std::size_t>(c)])].scatter(&in(0, c));
  for (int pass = 0; pass < (p_.options.squared_gram ? 2 : 1); ++pass) {
    if (pass == 1) in.swap(out);
    if (pass == 1 && p_.options.centres) in.array().colwise() *= p_.options.centres->array();
    symmetric_product(n, p_.gram, p_.stride, columns, in.data(), out.data());
  }
  parallel_for(columns, [&](Index c) {
    spaces_[static_cast<std::size_t>(active[static_cast<std::size_t>(c)])].advance(&out(0, c));
  });
}

void SharedKrylov::assess_fold(Index f) {
  const FoldKrylov& space = spaces_[static_cast<std::size_t>(f)];
  const KernelFold& fold = p_.folds[static_cast<std::size_t>(f)];
  const Index m = space.steps(), tests = static_cast<Index>(fold.test.size());
  const Index count = static_cast<Index>(lambdas_.size());
  Matrix coefficients, predictions = Matrix::Zero(tests, count);
  const Matrix& before = predictions_[static_cast<std::size_t>(f)];
  tridiagonal_first_columns(m, space.alpha(), space.beta(), lambdas_, coefficients);
  if (m > 0 && tests > 0)
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, static_cast<int>(tests), static_cast<int>(count),
                static_cast<int>(m), space.target_norm(), space.held_out(), static_cast<int>(tests),
                coefficients.data(), static_cast<int>(count), 0, predictions.data(), static_cast<int>(tests));
  Vector sums(count);
  p_.score(fold, predictions.data(), count, sums.data());
  sums_.row(f) = sums.transpose();
  const double top = m > 0 ? std::sqrt(tridiagonal_bound(m, space.alpha(), space.beta())) : 0;
  for (Index l = 0; l < count; ++l) {
    if (space.complete()) {
      change_(f, l) = 0;
      continue;
    }
    // ‖B_T S P (A+λ)⁻¹ r‖ ≤ max √d/(d+λ) ‖r‖, and the residual r of the Krylov solution is known exactly.
    const double lambda = lambdas_[static_cast<std::size_t>(l)], root = std::sqrt(lambda);
    const double residual = space.target_norm() * space.next_norm() * std::abs(coefficients(l, m - 1));
    const double gain = root < top ? 0.5 / root : top / (top * top + lambda);
    double shift = reach_[f] * gain * residual;
    // Where the residual falls fast, what is left to come is a small part of the last change of the
    // predictions.
    const double rate = residual / residual_(f, l);
    if (before.size() > 0 && rate < fast_rate)
      shift = std::min(shift, safety * rate / (1 - rate) * weighted_distance(fold, predictions, before, l));
    residual_(f, l) = residual;
    change_(f, l) = 2 * std::sqrt(sums[l]) * shift + shift * shift;
  }
  predictions_[static_cast<std::size_t>(f)].swap(predictions);
}

double SharedKrylov::weighted_distance(const KernelFold& fold, const Matrix& a, const Matrix& b,
                                       Index column) const {
  double sum = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    const double gap = a(i, column) - b(i, column);
    sum += p_.weight[fold.test[static_cast<std::size_t>(i)]] * gap * gap;
  }
  return std::sqrt(sum);
}

bool SharedKrylov::assess() {
  const Index folds = static_cast<Index>(spaces_.size()), count = static_cast<Index>(lambdas_.size());
  parallel_for(folds, [&](Index f) {
    if (!done_[static_cast<std::size_t>(f)]) assess_fold(f);
  });
  const Vector pooled = sums_.colwise().sum();
  const double smallest = count > 0 ? pooled.minCoeff() : 0;
  const double loose = std::max(loose_tolerance, p_.options.tolerance);
  for (Index l = 0; l < count; ++l)
    required_[l] = pooled[l] <= window * smallest ? p_.options.tolerance : loose;
  for (Index f = 0; f < folds; ++f) {
    bool good = true;
    for (Index l = 0; l < count && good; ++l)
      good = change_(f, l) <= required_[l] * std::max(sums_(f, l), pooled[l] / static_cast<double>(folds));
    done_[static_cast<std::size_t>(f)] = good;
  }
  return finished();
}

Vector SharedKrylov::pooled_bounds() const {
  const Vector pooled = sums_.colwise().sum(), change = change_.colwise().sum();
  Vector bounds(pooled.size());
  for (Index l = 0; l < pooled.size(); ++l) bounds[l] = change[l] > 0 ? change[l] / pooled[l] : 0;
  return bounds;
}

/// An upper bound of the largest eigenvalue over all folds, from the trace: λ far below machine_epsilon times it is no
/// matter for an iteration.
double trace_bound(const KernelFoldProblem& p) {
  double trace = 0;
  for (Index i = 0; i < p.n; ++i) trace += p.weight[i] * p.diagonal(i);
  return trace;
}

/// Steps that a spectrum which falls like that of a smooth kernel asks for, twenty for every decade between its sum and the least λ.
double steps_expected(double n, double trace, double least) {
  return std::clamp(20 * std::log10(trace / least), 1.0, n);
}

/// Costs in units of one n×n product, from the operation counts and the rates of the parts.
double krylov_cost(double n, double folds, double steps) {
  return steps * folds / n * 2 + 10 * folds * steps * steps / (n * n);
}
/// Of the rotation, and of block forms at every λ or at about ten with five steps for each of the others, see rotated_fold_residuals.
double block_cost(double n, double folds, double lambdas) {
  const double one = 0.7 / folds + 1 / (6 * folds * folds);
  return 3.5 + std::min(lambdas * one, 10 * one + lambdas * 20 / n);
}

/// Steps before the rest of the path goes to a dense method; 0 = at once, also where the rotation is known: its block forms are cheaper.
Index most_steps(const KernelFoldProblem& p, double steps) {
  if (p.options.max_steps > 0) return p.options.max_steps;
  if (p.options.known) return 0;
  const double n = static_cast<double>(p.n), folds = static_cast<double>(p.folds.size());
  const double block = block_cost(n, folds, static_cast<double>(p.lambdas.size()));
  return krylov_cost(n, folds, steps) < block ? std::max<Index>(100, p.n / 5) : 0;
}

std::string by_method(const char* how, std::size_t lambdas) {
  return lambdas > 0 ? fmt::format("{} ({} lambdas)", how, lambdas) : std::string();
}

/// λ from one rotation, and what is left from an eigendecomposition for every fold, before which there is a Gram matrix.
void rotate_or_decompose(const KernelFoldProblem& p, std::span<const Index> which,
                         const std::function<void()>& need_gram, const Progress& progress,
                         FoldErrors& errors) {
  const std::vector<Index> undone = block_fold_errors(p, which, progress, errors);
  if (!undone.empty()) need_gram();
  dense_fold_errors(p, undone, {}, progress, errors);
  for (const std::string& part :
       {by_method("block residuals from one rotation", which.size() - undone.size()),
        by_method("eigendecomposition per fold", undone.size())})
    if (!part.empty()) errors.method += (errors.method.empty() ? "" : " + ") + part;
}

}  // namespace

FoldErrors kernel_fold_errors(const MatrixView& gram, const VectorView& y, const VectorView& weight,
                              const Folds& folds, std::span<const double> lambdas,
                              const KernelFoldOptions& options, const Progress& progress) {
  KernelFoldProblem p = kernel_fold_problem(y, weight, folds, lambdas, options);
  p.use_gram(gram);
  FoldErrors errors = p.empty_errors();
  if (lambdas.empty()) return errors;
  const double n = static_cast<double>(p.n), trace = trace_bound(p);
  const double tiny =
      options.squared_gram ? p.least_squared_lambda(p.n, trace) : 1e3 * n * machine_epsilon * trace;
  std::vector<Index> rest, iterated;
  for (std::size_t l = 0; l < lambdas.size(); ++l)
    (lambdas[l] > tiny ? iterated : rest).push_back(static_cast<Index>(l));

  std::vector<double> values;
  for (const Index l : iterated) values.push_back(lambdas[static_cast<std::size_t>(l)]);
  const Index limit =
      values.empty() ? 0 : most_steps(p, steps_expected(n, trace, *std::ranges::min_element(values)));
  if (limit > 0) {
    SharedKrylov krylov(p, values);
    constexpr Index check_every = 10;
    Index steps = 0;
    for (bool done = false; !done && steps < limit;) {
      krylov.step();
      if (++steps % check_every == 0 || steps == limit) {
        done = krylov.assess();
        progress("Krylov spaces of the folds", static_cast<double>(steps) / static_cast<double>(limit));
      }
    }
    const Vector bounds = krylov.pooled_bounds();
    for (std::size_t i = 0; i < iterated.size(); ++i) {
      const Index l = static_cast<Index>(i);
      if (bounds[l] <= krylov.required(l)) {
        errors.sums.col(iterated[i]) = krylov.sums().col(l);
        errors.error_estimate = std::max(errors.error_estimate, bounds[l]);
      } else {
        rest.push_back(iterated[i]);
      }
    }
    errors.method = fmt::format("shared Krylov spaces, {} steps", steps);
  } else {
    rest.insert(rest.end(), iterated.begin(), iterated.end());
  }
  if (!rest.empty())
    rotate_or_decompose(
        p, rest, [] {}, progress, errors);
  return errors;
}

FoldErrors kernel_fold_errors(const std::function<Matrix()>& gram, const VectorView& y,
                              const VectorView& weight, const Folds& folds, std::span<const double> lambdas,
                              const KernelFoldOptions& options, const Progress& progress) {
  if (!options.known) return kernel_fold_errors(gram(), y, weight, folds, lambdas, options, progress);
  KernelFoldProblem p = kernel_fold_problem(y, weight, folds, lambdas, options);
  FoldErrors errors = p.empty_errors();
  std::vector<Index> all(lambdas.size());
  std::iota(all.begin(), all.end(), Index{0});
  Matrix made;
  const auto make_gram = [&] {
    made = gram();
    p.use_gram(made);
  };
  rotate_or_decompose(p, all, make_gram, progress, errors);
  return errors;
}

}  // namespace gnomon
