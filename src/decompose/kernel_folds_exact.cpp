#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "kernel_fold_problem.hpp"

namespace gnomon::detail {
namespace {

/// Rows `rows` and columns `cols` of the Gram matrix; cols empty = all.
Matrix sub_gram(const KernelFoldProblem& p, const std::vector<Index>& rows, const std::vector<Index>* cols) {
  const Index count = cols ? static_cast<Index>(cols->size()) : p.n;
  Matrix out(static_cast<Index>(rows.size()), count);
  for (Index c = 0; c < count; ++c) {
    const double* column = p.gram + (cols ? (*cols)[static_cast<std::size_t>(c)] : c) * p.stride;
    double* to = out.data() + c * out.rows();
    for (std::size_t r = 0; r < rows.size(); ++r) to[r] = column[rows[r]];
  }
  return out;
}

Matrix product(const Matrix& a, const Matrix& b, bool transpose_a) {
  const Index m = transpose_a ? a.cols() : a.rows(), k = transpose_a ? a.rows() : a.cols();
  Matrix c = Matrix::Zero(m, b.cols());
  if (m == 0 || k == 0 || b.cols() == 0) return c;
  cblas_dgemm(CblasColMajor, transpose_a ? CblasTrans : CblasNoTrans, CblasNoTrans, static_cast<int>(m),
              static_cast<int>(b.cols()), static_cast<int>(k), 1, a.data(), static_cast<int>(a.rows()),
              b.data(), static_cast<int>(b.rows()), 0, c.data(), static_cast<int>(m));
  return c;
}

/// Eigenvalues d (clipped at 0) and eigenvectors of the training operator, with the end of its numerical
/// range; of an operator M Mᵀ the right singular vectors of M too.
struct TrainingSpectrum {
  Matrix vectors, right;
  Vector values;
  double cut = 0;
};

/// From P S K S P, the lower triangle of `a`.
TrainingSpectrum spectrum_of(Matrix a) {
  const Index m = a.rows();
  TrainingSpectrum s{std::move(a), {}, Vector(m)};
  const int info = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', static_cast<int>(m), s.vectors.data(),
                                  static_cast<int>(m), s.values.data());
  require(info == 0,
          "the eigendecomposition of a training Gram matrix failed: check it for non-finite values");
  s.values = s.values.cwiseMax(0);
  s.cut = static_cast<double>(m) * machine_epsilon * s.values.maxCoeff();
  return s;
}

/// From the factor M = P S K √C of M Mᵀ: singular values keep the digits that squaring would lose.
TrainingSpectrum spectrum_of_factor(Matrix factor) {
  const Index m = factor.rows(), n = factor.cols();
  TrainingSpectrum s{Matrix(m, m), Matrix(m, n), Vector(m)};
  const int info = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', static_cast<int>(m), static_cast<int>(n),
                                  factor.data(), static_cast<int>(m), s.values.data(), s.vectors.data(),
                                  static_cast<int>(m), s.right.data(), static_cast<int>(m));
  require(info == 0, "the singular values of a training Gram matrix failed: check it for non-finite values");
  s.values = s.values.cwiseAbs2();
  s.cut = std::pow(static_cast<double>(m) * machine_epsilon, 2) * s.values.maxCoeff();
  return s;
}

/// Filter gain with the numerical range made explicit; see kernel_folds.hpp for the rules.
double gain_at(const TrainingSpectrum& s, Index i, double lambda, const SpectralGain& gain) {
  const double d = s.values[i];
  if (d <= s.cut && (gain || s.right.size() || lambda <= s.cut)) return 0;
  return gain ? gain(d, lambda) : 1 / (d + lambda);
}

/// (M Mᵀ + λ)⁻¹ of the target in the coordinates of the eigenvectors, one column per λ.
Matrix filtered_target(const KernelFoldProblem& p, const KernelFold& fold, const TrainingSpectrum& s,
                       std::span<const Index> which, const SpectralGain& gain) {
  const Matrix z = product(s.vectors, fold.target, true);
  Matrix filtered(z.rows(), static_cast<Index>(which.size()));
  for (std::size_t c = 0; c < which.size(); ++c) {
    const double lambda = p.lambdas[static_cast<std::size_t>(which[c])];
    for (Index i = 0; i < z.rows(); ++i)
      filtered(i, static_cast<Index>(c)) = z(i, 0) * gain_at(s, i, lambda, gain);
  }
  return filtered;
}

/// Predictions at the held-out rows less the training mean of f, one column per λ.
Matrix predictions_of(const KernelFoldProblem& p, const KernelFold& fold, std::span<const Index> which,
                      const SpectralGain& gain) {
  const Vector& u = fold.direction;
  const double root_weight = std::sqrt(fold.train_weight);
  Matrix predictions, means;
  if (p.options.squared_gram) {
    const Vector centres = p.centre_roots();
    Matrix factor = fold.root.asDiagonal() * sub_gram(p, fold.train, nullptr) * centres.asDiagonal();
    const Matrix mean = product(factor, u, true) / root_weight;
    if (p.options.intercept) factor -= u * (u.transpose() * factor).eval();
    const TrainingSpectrum s = spectrum_of_factor(std::move(factor));
    // Mᵀ(M Mᵀ + λ)⁻¹ by the singular vectors: Mᵀ itself would bring rounding in where singular values are 0.
    const Matrix coefficients =
        product(s.right, s.values.cwiseSqrt().asDiagonal() * filtered_target(p, fold, s, which, gain), true);
    means = product(mean, coefficients, true);
    predictions = product(sub_gram(p, fold.test, nullptr), centres.asDiagonal() * coefficients, false);
  } else {
    Matrix a = fold.root.asDiagonal() * sub_gram(p, fold.train, &fold.train) * fold.root.asDiagonal();
    const Matrix mean = product(a, u, true) / root_weight;
    if (p.options.intercept) project_out(a, u);
    const TrainingSpectrum s = spectrum_of(std::move(a));
    Matrix v = product(s.vectors, filtered_target(p, fold, s, which, gain), false);
    if (p.options.intercept) v -= u * (u.transpose() * v).eval();
    means = product(mean, v, true);
    predictions = product(sub_gram(p, fold.test, &fold.train), fold.root.asDiagonal() * v, false);
  }
  if (p.options.intercept) predictions.rowwise() -= means.row(0);
  return predictions;
}

}  // namespace

void dense_fold_errors(const KernelFoldProblem& p, std::span<const Index> which, const SpectralGain& gain,
                       const Progress& progress, FoldErrors& errors) {
  if (which.empty()) return;
  const auto run = [&](Index f) {
    const KernelFold& fold = p.folds[static_cast<std::size_t>(f)];
    const Matrix predictions = predictions_of(p, fold, which, gain);
    Vector sums(static_cast<Index>(which.size()));
    p.score(fold, predictions.data(), predictions.cols(), sums.data());
    for (std::size_t c = 0; c < which.size(); ++c) errors.sums(f, which[c]) = sums[static_cast<Index>(c)];
  };
  const Index count = static_cast<Index>(p.folds.size());
  constexpr Index large =
      1500;  // above this LAPACK makes good use of the threads itself, at a fraction of the memory
  if (p.n < large) {
    parallel_for(count, run);
  } else {
    for (Index f = 0; f < count; ++f) {
      progress("eigendecompositions of the folds", static_cast<double>(f) / static_cast<double>(count));
      run(f);
    }
  }
}

}  // namespace gnomon::detail

namespace gnomon {

FoldErrors kernel_fold_errors_exact(const MatrixView& gram, const VectorView& y, const VectorView& weight,
                                    const Folds& folds, std::span<const double> lambdas,
                                    const KernelFoldOptions& options, const Progress& progress,
                                    const SpectralGain& gain) {
  auto problem = detail::kernel_fold_problem(y, weight, folds, lambdas, options);
  problem.use_gram(gram);
  FoldErrors errors = problem.empty_errors();
  errors.method = "eigendecomposition per fold";
  std::vector<Index> all(lambdas.size());
  std::iota(all.begin(), all.end(), Index{0});
  detail::dense_fold_errors(problem, all, gain, progress, errors);
  return errors;
}

}  // namespace gnomon
