#include <algorithm>
#include <cmath>
#include <vector>

#include "core/team.hpp"
#include "decomposition.hpp"
#include "gnomon/core/error.hpp"
#include "gram_leave_one_out.hpp"
#include "gram_statistics.hpp"
#include "lapack.hpp"

namespace gnomon {
namespace {

constexpr Index design_rows_at_once = 512;

class TallStrategy final : public Decomposition {
 public:
  TallStrategy(std::shared_ptr<const RowBlocks> design, const WeightedRows& rows, GramStatistics&& statistics,
               Folds folds, const CentredGram& gram, lapack::SymmetricEigen&& eigen, Index rank,
               const MatrixView& y)
      : Decomposition(rows),
        design_(std::move(design)),
        statistics_(std::move(statistics)),
        folds_(std::move(folds)),
        mean_(gram.x_mean) {
    const Vector s = eigen.values.head(rank).cwiseSqrt();
    y_ = y;
    vectors_ = eigen.vectors.leftCols(rank);
    y_mean_ = gram.y_mean;
    scaled_ = eigen.vectors.leftCols(rank) * s.asDiagonal();
    whitened_ = eigen.vectors.leftCols(rank) * s.cwiseInverse().asDiagonal();
    z_ = lapack::product(whitened_, true, gram.xy, false);

    // ‖y‖² − ‖z‖² loses as many digits as the fit is close; beyond four, the rows are gone through again.

    Vector outside = gram.yy - z_.colwise().squaredNorm().transpose();
    if (!(outside.array() > 1e-4 * gram.yy.array()).all()) {
      outside = left_over().colwise().squaredNorm().transpose();
    }
    spectrum_ = {
        eigen.values.head(rank), z_.cwiseAbs2(), outside, rows.count, rows.constant.size() ? 1.0 : 0.0, 0};
  }

  std::string_view strategy() const override { return "gram"; }
  const Spectrum& spectrum() const override { return spectrum_; }
  std::optional<Matrix> basis() const override { return scaled_; }
  std::optional<Matrix> coordinates() const override { return z_; }
  std::optional<Matrix> vector_rows(Index first, Index count) const override { return vectors(first, count); }
  const GramStatistics* fold_statistics(const Folds& folds) const override {
    return folds.count == folds_.count && folds.of_row == folds_.of_row ? &statistics_ : nullptr;
  }

  Vector coefficients(const Filter& filter, double lambda, Index target) const override {
    Matrix a = z_.col(target);
    for (Index i = 0; i < a.rows(); ++i)
      a(i, 0) *= filter_at(spectrum_, filter, spectrum_.values[i], lambda).gain;
    return lapack::product(scaled_, false, a, false);
  }

  /// By a second pass over the rows, in parallel: 2p·rank + 4 rank flops per row and λ.
  LeaveOneOutSums leave_one_out(const Filter& filter, std::span<const double> lambdas,
                                Index target) const override {
    const GramSpectrum spectrum{vectors_, spectrum_.values, z_.col(target),
                                mean_,    y_mean_[target],  rows_.count};
    Matrix h(z_.rows(), static_cast<Index>(lambdas.size()));
    for (Index k = 0; k < h.cols(); ++k) {
      for (Index i = 0; i < h.rows(); ++i) {
        h(i, k) =
            spectrum_.values[i] *
            filter_at(spectrum_, filter, spectrum_.values[i], lambdas[static_cast<std::size_t>(k)]).gain;
      }
    }
    LeaveOneOutSums sums;
    const Vector weight =
        (rows_.root_weight.array() == 1).all() ? Vector() : Vector(rows_.root_weight.cwiseAbs2());
    gram_leave_one_out(*design_, y_.col(target), weight, spectrum, h, rows_.constant.size() > 0, sums);
    return sums;
  }

  void visit_rows(const Filter& filter, std::span<const double> lambdas, Index target,
                  const RowVisitor& visit) const override {
    const Index r = z_.rows(), m = static_cast<Index>(lambdas.size());
    // The residual is ỹ less the fit, with ỹ = Q z + outside; likewise 1 − H_ii = Σ Q²g + what Q does not
    // reach.
    Matrix g(r, m), gz(r, m);
    for (Index k = 0; k < m; ++k) {
      for (Index i = 0; i < r; ++i) {
        g(i, k) = filter_at(spectrum_, filter, spectrum_.values[i], lambdas[static_cast<std::size_t>(k)])
                      .complement;
        gz(i, k) = g(i, k) * z_(i, target);
      }
    }

    const Matrix beta = lapack::product(whitened_, false, z_.col(target), false);
    const Vector targets = rows_.targets(y_.col(target));
    struct Block {
      Matrix residual, complement;
    };
    constexpr Index blocks_at_once = 16;  // made by threads, visited in their order
    const Index blocks = (design_->rows() + design_rows_at_once - 1) / design_rows_at_once;
    std::vector<Block> made(static_cast<std::size_t>(std::min(blocks_at_once, blocks)));
    Team team;
    for (Index begin = 0; begin < blocks; begin += blocks_at_once) {
      const Index some = std::min(blocks_at_once, blocks - begin);
      team.run(some, [&](Index b) {
        auto& [residual, complement] = made[static_cast<std::size_t>(b)];
        const Index first = (begin + b) * design_rows_at_once;
        const Matrix x = centred(first, std::min(design_rows_at_once, design_->rows() - first));
        Matrix q = lapack::product(x, false, whitened_, false);
        residual = lapack::product(q, false, gz, false);
        residual.colwise() +=
            targets.segment(first, x.rows()) - lapack::product(x, false, beta, false).col(0);
        q = q.cwiseAbs2();
        Vector slack = (1 - q.rowwise().sum().array()).matrix();
        if (rows_.constant.size()) slack -= rows_.constant.segment(first, x.rows()).cwiseAbs2();
        complement = lapack::product(q, false, g, false);
        complement.colwise() += slack.cwiseMax(0);
      });
      for (Index b = 0; b < some; ++b) {
        const auto& [residual, complement] = made[static_cast<std::size_t>(b)];
        visit((begin + b) * design_rows_at_once, residual, complement);
      }
    }
  }

 private:
  /// What least squares leaves over, row by row: √w (y − ȳ − (φ − φ̄)ᵀβ).
  Matrix left_over() const {
    const Matrix beta = lapack::product(whitened_, false, z_, false);
    Matrix rest = rows_.targets(y_);
    for (Index first = 0; first < design_->rows(); first += design_rows_at_once) {
      const Matrix x = centred(first, std::min(design_rows_at_once, design_->rows() - first));
      rest.middleRows(first, x.rows()) -= lapack::product(x, false, beta, false);
    }
    return rest;
  }

  /// Rows of √W (Φ − mean).
  Matrix centred(Index first, Index count) const {
    Matrix block = design_->block(first, count);
    if (rows_.constant.size()) block.rowwise() -= mean_.transpose();
    const auto root = rows_.root_weight.segment(first, count);
    if (!(root.array() == 1).all()) block = root.asDiagonal() * block;
    return block;
  }

  /// Rows of Q = √W (Φ − mean) V D^(−1/2).
  Matrix vectors(Index first, Index count) const {
    return lapack::product(centred(first, count), false, whitened_, false);
  }

  std::shared_ptr<const RowBlocks> design_;
  GramStatistics statistics_;
  Folds folds_;
  Vector mean_, y_mean_;
  Matrix y_, vectors_;
  Matrix scaled_, whitened_, z_;
  Spectrum spectrum_;
};

/// Directions of the cross products with every column brought to norm 1: those that are there whatever the units.
Index equilibrated_rank(const CentredGram& gram, double tolerance) {
  Vector inverse = Vector::Zero(gram.xx.rows());
  for (Index j = 0; j < inverse.size(); ++j) {
    const double square = gram.xx(j, j), before = square + gram.weight * gram.x_mean[j] * gram.x_mean[j];
    if (square > tolerance * tolerance * before) inverse[j] = 1 / std::sqrt(square);  // else a constant
  }
  const Vector values = lapack::symmetric_eigen(inverse.asDiagonal() * gram.xx * inverse.asDiagonal()).values;
  return (values.array() > tolerance * values[0]).count();
}

}  // namespace

DecompositionPtr decompose_tall(std::shared_ptr<const RowBlocks> design, const WeightedRows& rows,
                                const MatrixView& y, const Folds& folds) {
  const bool intercept = rows.constant.size() > 0;

  GramStatistics statistics(design->cols(), y.cols(), std::max(folds.count, 1));
  const bool unweighted = (rows.root_weight.array() == 1).all();
  statistics.add(*design, y, unweighted ? Vector() : Vector(rows.root_weight.cwiseAbs2()),
                 folds.count ? folds.of_row : std::vector<int>(static_cast<std::size_t>(y.rows()), 0));

  const CentredGram gram = statistics.total(intercept);
  require(gram.xx.diagonal().allFinite(), "inputs must be finite numbers");
  auto eigen = lapack::symmetric_eigen(Matrix(gram.xx));
  const double top = eigen.values.size() ? eigen.values[0] : 0;
  // Squaring the design moves every eigenvalue by about ε·d₁·√n. Below `lost` a direction is nothing but
  // that; between `lost` and `safe` it is real but has few digits left, and the design itself must be
  // decomposed.
  const double lost = 10 * default_range_tolerance(y.rows()) * top, safe = 1e-9 * top;
  Index rank = eigen.values.size();
  while (rank > 0 && !(eigen.values[rank - 1] > lost)) --rank;
  const bool by_scale_alone = rank < eigen.values.size() && equilibrated_rank(gram, lost / top) > rank;
  if (rank > 0 && (eigen.values[rank - 1] < safe || by_scale_alone)) {
    return decompose_design(rows.root_weight.asDiagonal() * design->whole(), rows, y);
  }

  return std::make_unique<TallStrategy>(std::move(design), rows, std::move(statistics), folds, gram,
                                        std::move(eigen), rank, y);
}

}  // namespace gnomon
