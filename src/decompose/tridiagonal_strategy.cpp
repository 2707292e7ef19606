#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "decomposition.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "lapack.hpp"
#include "reflection.hpp"
#include "rotated_tridiagonal.hpp"
#include "row_table.hpp"
#include "shared_cholesky.hpp"
#include "shifted_band.hpp"

namespace gnomon {
namespace {

class TridiagonalStrategy final : public Decomposition {
 public:
  using Rotation = RotatedTridiagonal::Rotation;

  TridiagonalStrategy(Matrix&& gram, const WeightedRows& rows, const MatrixView& y, double range_tolerance,
                      RotatedTridiagonal::Rotation rotation, bool function_space,
                      std::function<Matrix()> rebuild)
      : Decomposition(rows),
        rotation_(rotation),
        rebuild_(std::move(rebuild)),
        range_tolerance_(range_tolerance),
        function_space_(function_space) {
    require(y.cols() == 1, "the tridiagonal strategy serves one target, not {}", y.cols());
    target_ = compress(rows.targets(y));
    if (rows.constant.size()) gram = Reflection(rows.constant).compress_symmetric(std::move(gram));
    RotatedTridiagonal reduced(std::move(gram), target_.col(0), rotation);
    t_ = reduced.t();
    norm_ = reduced.norm();
    if (rotation != Rotation::discard) {
      band_ = reduced.band();
      q_ = std::move(reduced).form_q();
      if (rows.constant.size()) q_ = Reflection(rows.constant).expand(q_);
    }
    const auto floor = rounding_floor(t_, range_tolerance);
    has_null_ = floor.has_value();
    floor_ = floor.value_or(0);
  }

  std::string_view strategy() const override { return "tridiagonal"; }

  const Spectrum& spectrum() const override {
    if (!spectrum_) {
      const FirstComponents eigen = eigen_with_first_components(t_);
      const double fixed = rows_.constant.size() ? 1 : 0;
      spectrum_ = Spectrum{eigen.values.reverse().cwiseMax(0),
                           norm_ * norm_ * eigen.squared_first.reverse(),
                           Vector::Zero(1),
                           rows_.count,
                           fixed,
                           range_tolerance_};
    }
    return *spectrum_;
  }

  std::vector<SpectralSums> sums(const Filter& filter, std::span<const double> lambdas,
                                 Index target) const override {
    const bool shifted =
        std::all_of(lambdas.begin(), lambdas.end(), [&](double lambda) { return lambda > floor_; });
    if (filter.shift != Shift::plain || !shifted) return Decomposition::sums(filter, lambdas, target);
    std::vector<SpectralSums> all;
    const auto points = resolvents(t_, lambdas);
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      const auto by_definition = [&] {
        return spectral_sums(spectrum(), filter, lambdas.subspan(k, 1), target)[0];
      };
      all.push_back(points[k].ok ? from_resolvent(points[k], lambdas[k]) : by_definition());
      // λ/(d+λ) is right whatever d, but the sums over the range must leave the other directions out.
      if (has_null_) restrict_to_range(all.back(), function_space_ ? by_definition() : nowhere_defined());
    }
    return all;
  }

  SpectrumScales scales() const override {
    SpectrumScales s{largest_eigenvalue(t_), std::max(t_.diagonal.sum(), 0.0), 0};
    s.inverse_trace = s.top > 0 ? resolvent(t_, default_range_tolerance(t_.size()) * s.top).trace[0] : 0;
    return s.inverse_trace > 0 ? s : Decomposition::scales();
  }

  double least_cheap_lambda() const override { return floor_; }

  std::optional<RotatedRows> rotated_rows() const override {
    if (q_.size() == 0) return std::nullopt;
    return RotatedRows{&q_, &band_, norm_, floor_};
  }

  Vector coefficients(const Filter& filter, double lambda, Index) const override {
    if (rotation_ == Rotation::keep && lambda > (filter.whole_range ? 0 : floor_)) {
      Matrix e = Matrix::Zero(t_.size(), 1);
      e(0, 0) = norm_;
      if (filter.shift == Shift::plain) {
        solve_shifted(t_, lambda, e);
      } else {
        solve_coefficient_penalty(lambda, e);
      }
      return lapack::product(q_, false, e, false);
    }
    if (filter.shift == Shift::plain && lambda > floor_) {
      if (solved_ && solved_->lambda == lambda) return solved_->coefficients;
      if (rotation_ == Rotation::to_band) {
        const ShiftedBand shifted(band_, lambda);
        if (shifted.ok()) return residual_by_band(shifted) / lambda;
      }
      Matrix shifted = compress_gram(), solution = target_;
      shifted.diagonal().array() += lambda;
      if (lapack::solve_positive_definite(shifted, solution)) {
        return expand(solution);
      }
    }
    return decompose_gram(rebuild_(), rows_, row_target(), range_tolerance_)->coefficients(filter, lambda, 0);
  }

  void visit_rows(const Filter& filter, std::span<const double> lambdas, Index,
                  const RowVisitor& visit) const override {
    if (lambdas.empty()) return;
    require(filter.shift == Shift::plain, "this tridiagonal strategy was made without its rotation");
    if (rotation_ == Rotation::to_band && visit_by_band(lambdas, visit)) return;
    if (rotation_ == Rotation::discard && visit_by_factors(lambdas, visit)) return;
    if (rotation_ != Rotation::keep || !rotation_serves(lambdas)) {
      return decompose_gram(rebuild_(), rows_, row_target(), range_tolerance_)
          ->visit_rows(filter, lambdas, 0, visit);
    }
    if (const auto known = table_.find(lambdas)) return visit(0, known->residual, known->complement);
    RowTable table{{lambdas.begin(), lambdas.end()}, {}, {}};
    shifted_diagonal_and_residual(q_, t_, norm_, lambdas, table.complement, table.residual);
    visit(0, table.residual, table.complement);
    table_.keep(std::move(table));
  }

  /// The basis is complete, so that beside its diagonal H̃ is −λ(K̃ + λI)⁻¹, the constant's share included.
  Vector lagged_products(const Filter& filter, std::span<const double> lambdas, Index target,
                         Index lags) const override {
    if (lambdas.empty()) return {};
    if (rotation_ != Rotation::keep || !rotation_serves(lambdas))
      return decompose_gram(rebuild_(), rows_, row_target(), range_tolerance_)
          ->lagged_products(filter, lambdas, 0, lags);
    Vector sums(static_cast<Index>(lambdas.size()));
    visit_rows(filter, lambdas, target, [&](Index, const Matrix& residual, const Matrix&) {
      parallel_for(sums.size(), [&](Index l) {
        sums[l] = -lagged_products_off_diagonal(q_, t_, lambdas[static_cast<std::size_t>(l)], residual.col(l),
                                                lags);
      });
    });
    return sums;
  }

 private:
  /// λ(A + λI)⁻¹ b = λ Q₁(B + λI)⁻¹ e₁ norm.
  Vector residual_by_band(const ShiftedBand& shifted) const {
    Matrix first = Matrix::Zero(band_.cols(), 1);
    first(0, 0) = norm_;
    const ShiftedBand* one = &shifted;
    ShiftedBand::solve({&one, 1}, first);
    return lapack::product(q_, false, first, false);
  }

  /// From Q₁ and B, 4 n² operations for every λ and diagonal of B. False, and nothing visited, where a λ is below the rounding error.
  bool visit_by_band(std::span<const double> lambdas, const RowVisitor& visit) const {
    if (!std::ranges::all_of(lambdas, [&](double l) { return l > floor_; })) return false;
    constexpr Index chunk = 128;  // rows
    const Index n = q_.rows(), m = static_cast<Index>(lambdas.size());
    Matrix residual(n, m), complement = Matrix::Zero(n, m);
    for (Index k = 0; k < m; ++k) {
      const ShiftedBand shifted(band_, lambdas[static_cast<std::size_t>(k)]);
      if (!shifted.ok()) return false;
      residual.col(k) = residual_by_band(shifted);
      parallel_for((n + chunk - 1) / chunk, [&](Index c) {
        const Index first = c * chunk, rows = std::min(chunk, n - first);
        const Matrix own = q_.middleRows(first, rows);
        shifted.visit_whitened(own, [&](const double* columns, Index count) {
          complement.col(k).segment(first, rows) +=
              Eigen::Map<const Matrix>(columns, rows, count).rowwise().squaredNorm();
        });
      });
    }
    visit(0, residual, complement);
    return true;
  }

  /// Where no rotation was kept, a λ or two by a Cholesky factor each: λ(A + λI)⁻¹ = λ XᵀX with X = L⁻¹, 2/3 n³ flops and one n×n
  /// matrix, X itself being visited only. False, and nothing visited, where a λ is below the rounding error or they are so many that eigenvectors are cheaper.
  bool visit_by_factors(std::span<const double> lambdas, const RowVisitor& visit) const {
    constexpr std::size_t most = 4;
    if (lambdas.size() > most || !std::ranges::all_of(lambdas, [&](double l) { return l > floor_; }))
      return false;
    const Index n = rows_.root_weight.size(), m = static_cast<Index>(lambdas.size());
    Matrix residual(n, m), complement(n, m);
    for (Index k = 0; k < m; ++k) {
      const double lambda = lambdas[static_cast<std::size_t>(k)];
      Matrix l = compress_gram();
      l.diagonal().array() += lambda;
      if (!factor_positive_definite(l)) return false;
      Vector solution = target_;
      for (const auto side : {CblasNoTrans, CblasTrans}) solve_lower(l, side, solution);
      solved_ = {lambda, expand(solution)};
      residual.col(k) = lambda * solved_->coefficients;
      complement.col(k) = lambda * squared_rows_of_inverse(l);
    }
    visit(0, residual, complement);
    return true;
  }
  /// Whether every λ is above the rounding error of T.
  bool rotation_serves(std::span<const double> lambdas) const {
    const double least = *std::min_element(lambdas.begin(), lambdas.end());
    return least > floor_ && resolvent(t_, least).ok;
  }
  Matrix compress(const Matrix& m) const {
    return rows_.constant.size() ? Reflection(rows_.constant).compress(m) : m;
  }
  Matrix expand(const Matrix& m) const {
    return rows_.constant.size() ? Reflection(rows_.constant).expand(m) : m;
  }
  /// Squared lengths of the rows of expand(l⁻ᵀ).
  Vector squared_rows_of_inverse(const Matrix& l) const {
    if (rows_.constant.size()) return Reflection(rows_.constant).squared_rows_of_expanded_inverse(l);
    Vector squares(l.rows());
    visit_inverse(l, [&](Index first, const Matrix& columns) {
      squares.segment(first, columns.cols()) = columns.colwise().squaredNorm().transpose();
    });
    return squares;
  }
  Matrix compress_gram() const {
    Matrix gram = rebuild_();
    return rows_.constant.size() ? Reflection(rows_.constant).compress_symmetric(std::move(gram)) : gram;
  }
  /// The target in row units again, so that a fall-back strategy can be handed what it expects.
  Matrix row_target() const { return expand(target_).array().colwise() / rows_.root_weight.array(); }

  static SpectralSums nowhere_defined() {
    SpectralSums s;
    s.x = s.xz2 = s.dx2z2 = s.a2 = s.a2z2 = undefined;
    return s;
  }
  static void restrict_to_range(SpectralSums& s, const SpectralSums& range) {
    s.x = range.x, s.xz2 = range.xz2, s.dx2z2 = range.dx2z2, s.a2 = range.a2, s.a2z2 = range.a2z2;
  }

  /// e ← T (T² + λI)⁻¹ e = Re (T + i√λ I)⁻¹ e, O(n).
  void solve_coefficient_penalty(double lambda, Matrix& e) const {
    using Complex = std::complex<double>;
    __extension__ typedef lapack_complex_double LapackComplex;  // C's complex numbers, an extension of C++
    const Complex shift(0, std::sqrt(lambda));
    std::vector<Complex> lower(t_.off_diagonal.begin(), t_.off_diagonal.end()), upper = lower;
    std::vector<Complex> diagonal(t_.diagonal.begin(), t_.diagonal.end()),
        right(e.col(0).begin(), e.col(0).end());
    for (auto& d : diagonal) d += shift;
    const int n = static_cast<int>(t_.size());
    const auto raw = [](std::vector<Complex>& v) { return reinterpret_cast<LapackComplex*>(v.data()); };
    const int info =
        LAPACKE_zgtsv(LAPACK_COL_MAJOR, n, 1, raw(lower), raw(diagonal), raw(upper), raw(right), n);
    require(info == 0, "tridiagonal solve failed at λ = {} (LAPACK zgtsv, info {})", lambda, info);
    for (Index i = 0; i < t_.size(); ++i) e(i, 0) = right[static_cast<std::size_t>(i)].real();
  }

  /// With h = d/(d+λ), g = λ/(d+λ): x = g/λ, d x² = h g/λ, a = −x(1+g).
  SpectralSums from_resolvent(const Resolvent& r, double lambda) const {
    SpectralSums s;
    const double n = static_cast<double>(t_.size()), y2 = norm_ * norm_;
    const double outside = rows_.count - (rows_.constant.size() ? 1 : 0) - n;
    s.lambda = lambda;
    s.df = r.gain_trace[0] + (rows_.constant.size() ? 1 : 0);
    s.g = outside + r.complement_trace[0];
    s.g2 = outside + r.complement_trace[1];
    s.g4 = outside + r.complement_trace[3];
    s.z2g = y2 * r.complement_first[0];
    s.z2g2 = y2 * r.complement_first[1];
    s.z2g4 = y2 * r.complement_first[3];
    s.log_prior_ratio = r.log_det - n * std::log(lambda);
    s.x = r.complement_trace[0] / lambda;
    s.xz2 = y2 * r.complement_first[0] / lambda;
    // Σ h g c, from whichever side does not cancel.
    const double hg = r.gain_first[0] < 0.5 ? r.gain_first[0] - r.gain_first[1]
                                            : r.complement_first[0] - r.complement_first[1];
    s.dx2z2 = y2 * hg / lambda;
    const auto a2 = [lambda](const std::array<double, 4>& c) {
      return (c[1] + 2 * c[2] + c[3]) / lambda / lambda;
    };
    s.a2 = a2(r.complement_trace);
    s.a2z2 = y2 * a2(r.complement_first);
    return s;
  }

  Rotation rotation_;
  std::function<Matrix()> rebuild_;
  double range_tolerance_;
  Matrix target_;  // compressed
  Tridiagonal t_;
  double norm_ = 0;
  Matrix q_, band_;  // A = q_ band_ q_ᵀ, T itself or as far as a band
  bool function_space_, has_null_ = false;
  double floor_ = 0;  // λ at or below it are beneath the rounding error of a singular Gram
  LastRowTable table_;
  mutable std::optional<Spectrum> spectrum_;
  struct Solved {
    double lambda;
    Vector coefficients;
  };
  mutable std::optional<Solved>
      solved_;  // of the λ that was visited last by its factor: mostly the chosen one
};

}  // namespace

DecompositionPtr decompose_tridiagonal(Matrix&& gram, const WeightedRows& rows, const MatrixView& y,
                                       double range_tolerance, const Filter& filter,
                                       const TridiagonalNeeds& needs, std::function<Matrix()> rebuild) {
  require(filter.shift != Shift::none, "the tridiagonal strategy does not serve the {} filter", filter.name);
  // Leave-one-out from Q and T is a plain shifted solve; the coefficient penalty needs the eigenvectors.
  if (needs.leave_one_out && filter.shift != Shift::plain)
    return decompose_gram(std::move(gram), rows, y, range_tolerance);
  using Rotation = RotatedTridiagonal::Rotation;
  const Rotation rotation = needs.leave_one_out || filter.shift == Shift::squared ? Rotation::keep
                            : needs.held_out ? RotatedTridiagonal::for_folds(gram.rows())
                                             : Rotation::discard;
  return std::make_unique<TridiagonalStrategy>(std::move(gram), rows, y, range_tolerance, rotation,
                                               needs.function_space, std::move(rebuild));
}

}  // namespace gnomon
