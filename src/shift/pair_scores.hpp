#pragma once

#include <memory>
#include <span>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// A cache line, so that vectors of them suit the widest vector instructions.
struct alignas(64) CacheLine {
  double value[8];
};

/// One sample as seen from the centres: squared distances, computed once, and kernel functions at the present
/// width. Rows are cut into chunks of 240; a chunk is a column-major block, padded with rows of 0.
struct ChunkedSample {
  static constexpr Index kRows = 240;

  ChunkedSample(const MatrixView& x, const MatrixView& centres);
  const double* distances(Index chunk) const {
    return distance_[static_cast<std::size_t>(chunk * lines_)].value;
  }
  double* features(Index chunk) { return feature_[static_cast<std::size_t>(chunk * lines_)].value; }
  const double* features(Index chunk) const {
    return feature_[static_cast<std::size_t>(chunk * lines_)].value;
  }

  Index rows, functions, chunks;

 private:
  Index lines_;
  std::unique_ptr<CacheLine[]> distance_, feature_;
};

/// Leave-one-pair-out scores of the least-squares ratio (least_squares_ratio.hpp) for one width after the other.
/// With M = (1 − α)/(n − 1) Σ φφᵀ + α/(m − 1) Σ ψψᵀ = V diag(d) Vᵀ over all rows, the fit without pair i is
///   θ₋ᵢ = max(0, (M + λI − (1 − α)/(n − 1) φ_iφ_iᵀ − α/(m − 1) ψ_iψ_iᵀ)⁻¹ (Σψ − ψ_i)/(m − 1)).
class PairScores {
 public:
  PairScores(const MatrixView& train, const MatrixView& test, const MatrixView& centres, double alpha);
  /// Mean over the first `pairs` pairs, for each λ. Sums over chunks in their order: threads change nothing.
  Vector at(double width, std::span<const double> lambdas, Index pairs);

 private:
  ChunkedSample train_, test_;
  double alpha_;
};

}  // namespace gnomon
