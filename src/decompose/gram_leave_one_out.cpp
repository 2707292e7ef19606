#include "gram_leave_one_out.hpp"

#include <cblas.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "core/lanes.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon {
namespace {

/// 1 − leverage below this has no reliable digits left.
constexpr double least_complement = 1e-10;

GNOMON_HOT void centre_rows(Index count, const double* from, double centre, const double* root, double* to) {
  for (Index i = 0; i < count; ++i) to[i] = root[i] * (from[i] - centre);
}

GNOMON_HOT void square(Index count, const double* from, double* to) {
  for (Index i = 0; i < count; ++i) to[i] = from[i] * from[i];
}

/// Adds Σ t² and Σ t⁴/w with t = √w e; rows padded to a multiple of the lanes. Returns the smallest 1 − ℓ u/w
/// met.
GNOMON_HOT double add_residuals(Index count, const double* target, const double* fitted,
                                const double* leverage, const double* base, const double* unit,
                                const double* inverse_weight, double* out) {
  double squares[kLanes] = {}, fourths[kLanes] = {}, least[kLanes];
  for (Index k = 0; k < kLanes; ++k) least[k] = 1;
  for (Index i = 0; i < count; i += kLanes)
    for (Index k = 0; k < kLanes; ++k) {
      const double complement = base[i + k] - unit[i + k] * leverage[i + k];
      const double t = (target[i + k] - fitted[i + k]) / complement, t2 = t * t;
      least[k] = least[k] < complement ? least[k] : complement;
      squares[k] += t2;
      fourths[k] += t2 * t2 * inverse_weight[i + k];
    }
  double smallest = 1;
  for (Index k = 0; k < kLanes; ++k) {
    out[0] += squares[k];
    out[1] += fourths[k];
    smallest = std::min(smallest, least[k]);
  }
  return smallest;
}

void multiply(const Matrix& a, const double* b, Index inner, Index columns, Matrix& c) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(a.rows()),
              static_cast<int>(columns), static_cast<int>(inner), 1, a.data(), static_cast<int>(a.rows()), b,
              static_cast<int>(inner), 0, c.data(), static_cast<int>(c.rows()));
}

/// Some rows of the inputs, in `room` where they have to be made.
using RowReader = std::function<RowBlocks::View(Index first, Index count, Matrix& room)>;

/// A matrix as some of its columns times coefficients, to rounding; no coefficients where that saves nothing.
struct Skeleton {
  Matrix columns, coefficients;
};

/// Filters of neighbouring λ are nearly combinations of each other: a dozen columns serve a hundred. Those that a QR decomposition with
/// column pivoting takes until what is left is rounding.
Skeleton skeleton_of(const MatrixView& a) {
  if (a.size() == 0) return {a, {}};
  Eigen::ColPivHouseholderQR<Matrix> qr(a);
  qr.setThreshold(std::numeric_limits<double>::epsilon());
  const Index rank = qr.rank(), others = a.cols() - rank;
  if (rank * (a.rows() + a.cols()) >= a.rows() * a.cols()) return {a, {}};
  Matrix ordered(rank, a.cols());
  ordered.leftCols(rank).setIdentity();
  ordered.rightCols(others) = qr.matrixR()
                                  .topLeftCorner(rank, rank)
                                  .triangularView<Eigen::Upper>()
                                  .solve(qr.matrixR().topRightCorner(rank, others));
  return {(a * qr.colsPermutation()).leftCols(rank), ordered * qr.colsPermutation().transpose()};
}

/// What every row block needs of the spectrum: V D^(−1/2), and the filter h and h∘score by their skeleton.
struct Operators {
  Matrix whiten, predict, filter, expand;
  Index lambdas;
};

/// One panel of rows: buffers reused from panel to panel.
class RowPanel {
 public:
  RowPanel(Index rows, const Operators& ops)
      : ops_(ops),
        inputs_(rows, ops.whiten.rows()),
        white_(rows, ops.whiten.cols()),
        squared_(rows, ops.whiten.cols()),
        fitted_(Matrix::Zero(rows, ops.lambdas)),
        leverage_(Matrix::Zero(rows, ops.lambdas)),
        narrow_(rows, ops.expand.rows()),
        root_(rows),
        target_(rows),
        base_(rows),
        unit_(rows),
        inverse_weight_(rows) {}

  void add(const RowReader& read, const VectorView& y, const VectorView& weight, Index from, Index to,
           const GramSpectrum& s, bool intercept, LeaveOneOutSums& sums) {
    const Index count = to - from, rows = inputs_.rows();
    const RowBlocks::View x = read(from, count, room_);
    for (Index i = 0; i < rows; ++i) {
      // Rows past the end and rows of zero weight have residual 0 and leverage 0.
      const double w = i < count ? (weight.size() > 0 ? weight[from + i] : 1) : 0;
      root_[i] = std::sqrt(w);
      target_[i] = w > 0 ? root_[i] * (y[from + i] - s.y_mean) : 0;
      base_[i] = 1 - (intercept ? std::min(1.0, w) / s.weight : 0);
      unit_[i] = w > 0 ? std::min(1.0, w) / w : 0;
      inverse_weight_[i] = w > 0 ? 1 / w : 0;
      sums.weight += w;
      sums.rows += w > 0;
    }
    for (Index j = 0; j < inputs_.cols(); ++j) {
      centre_rows(count, x.data + j * x.stride, s.x_mean[j], root_.data(), &inputs_(0, j));
      std::fill(&inputs_(0, j) + count, &inputs_(0, j) + rows, 0.0);
    }
    if (ops_.whiten.size() > 0) {
      multiply(inputs_, ops_.whiten.data(), ops_.whiten.rows(), ops_.whiten.cols(), white_);
      square(white_.size(), white_.data(), squared_.data());
      along_path(white_, ops_.predict, fitted_);
      along_path(squared_, ops_.filter, leverage_);
    }
    for (Index l = 0; l < ops_.lambdas; ++l) {
      double out[2] = {0, 0};
      const double least = add_residuals(rows, target_.data(), &fitted_(0, l), &leverage_(0, l), base_.data(),
                                         unit_.data(), inverse_weight_.data(), out);
      sums.least[l] = std::min(sums.least[l], least);
      const bool defined = least > least_complement;
      sums.squares[l] += defined ? out[0] : std::numeric_limits<double>::quiet_NaN();
      sums.fourths[l] += defined ? out[1] : std::numeric_limits<double>::quiet_NaN();
    }
  }

 private:
  void along_path(const Matrix& rows, const Matrix& columns, Matrix& to) {
    if (ops_.expand.size() == 0) {
      multiply(rows, columns.data(), columns.rows(), columns.cols(), to);
      return;
    }
    multiply(rows, columns.data(), columns.rows(), columns.cols(), narrow_);
    multiply(narrow_, ops_.expand.data(), ops_.expand.rows(), ops_.expand.cols(), to);
  }

  const Operators& ops_;
  Matrix inputs_, white_, squared_, fitted_, leverage_, narrow_, room_;
  Vector root_, target_, base_, unit_, inverse_weight_;
};

void leave_out(const RowReader& x, Index n, Index p, const VectorView& y, const VectorView& weight,
               const GramSpectrum& spectrum, const MatrixView& filter, bool intercept,
               LeaveOneOutSums& sums) {
  const Index r = spectrum.values.size(), count = filter.cols();
  require(y.size() == n && (weight.size() == 0 || weight.size() == n),
          "{} rows of inputs, {} responses and {} weights do not fit together", n, y.size(), weight.size());
  require(p == spectrum.x_mean.size() && filter.rows() == r,
          "{} inputs and a filter of {} eigenvalues do not fit a spectrum of {} inputs and {} eigenvalues", p,
          filter.rows(), spectrum.x_mean.size(), r);
  if (sums.squares.size() == 0) {
    sums.squares = sums.fourths = Vector::Zero(count);
    sums.least = Vector::Ones(count);
  }
  require(sums.squares.size() == count, "sums of {} lambdas cannot take {}", sums.squares.size(), count);
  Skeleton skeleton = skeleton_of(filter);
  const Operators ops{spectrum.vectors * spectrum.values.cwiseSqrt().cwiseInverse().asDiagonal(),
                      spectrum.score.asDiagonal() * skeleton.columns, skeleton.columns,
                      std::move(skeleton.coefficients), count};

  constexpr Index panel_rows = 512, parts_wanted = 16;
  const Index panels = (n + panel_rows - 1) / panel_rows, parts = std::min(parts_wanted, panels);
  std::vector<LeaveOneOutSums> partial(static_cast<std::size_t>(parts));
  const BlasThreads one(1);
  parallel_for(parts, [&](Index part) {
    LeaveOneOutSums& mine = partial[static_cast<std::size_t>(part)];
    mine.squares = mine.fourths = Vector::Zero(count);
    mine.least = Vector::Ones(count);
    RowPanel panel(std::min(panel_rows, (n + kLanes - 1) / kLanes * kLanes), ops);
    for (Index k = panels * part / parts; k < panels * (part + 1) / parts; ++k)
      panel.add(x, y, weight, k * panel_rows, std::min(n, (k + 1) * panel_rows), spectrum, intercept, mine);
  });
  for (const LeaveOneOutSums& part : partial) {
    sums.squares += part.squares;
    sums.fourths += part.fourths;
    sums.least = sums.least.cwiseMin(part.least);
    sums.weight += part.weight;
    sums.rows += part.rows;
  }
}

}  // namespace

void gram_leave_one_out(const MatrixView& x, const VectorView& y, const VectorView& weight,
                        const GramSpectrum& spectrum, const MatrixView& filter, bool intercept,
                        LeaveOneOutSums& sums) {
  const RowReader in_place = [&](Index first, Index, Matrix&) {
    return RowBlocks::View{x.cols() ? x.data() + first : nullptr, x.outerStride()};
  };
  leave_out(in_place, x.rows(), x.cols(), y, weight, spectrum, filter, intercept, sums);
}

void gram_leave_one_out(const RowBlocks& x, const VectorView& y, const VectorView& weight,
                        const GramSpectrum& spectrum, const MatrixView& filter, bool intercept,
                        LeaveOneOutSums& sums) {
  const RowReader made = [&](Index first, Index count, Matrix& room) { return x.view(first, count, room); };
  leave_out(made, x.rows(), x.cols(), y, weight, spectrum, filter, intercept, sums);
}

}  // namespace gnomon
