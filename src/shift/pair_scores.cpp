// Pairs go in tiles of three vectors of eight. The product with V keeps its sums in registers and ends in clipped
// coefficients that are used at once and never stored.
#include "pair_scores.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "core/lanes.hpp"
#include "decompose/lapack.hpp"
#include "gnomon/core/parallel.hpp"
#include "represent/gram.hpp"

namespace gnomon {
namespace {

constexpr Index kVectors = 3;
constexpr Index kPairs = kLanes * kVectors;
constexpr Index kStrip = 8;  // rows of V multiplied together
constexpr Index kChunk = ChunkedSample::kRows;
constexpr Index kChunkLines = kChunk / kLanes;
static_assert(kChunk % kPairs == 0);
using PairLanes [[gnu::vector_size(kLanes * sizeof(double)), gnu::may_alias]] = double;

inline const PairLanes* lanes_of(const double* aligned) {
  return reinterpret_cast<const PairLanes*>(aligned);
}

GNOMON_HOT void gaussian(const double* squared_distance, Index count, double width, double* value) {
  const Gaussian kernel{width};
  for (Index i = 0; i < count; ++i) value[i] = kernel(squared_distance[i]);
}

/// 24 pairs: arrays are [function or eigendirection][pair], kChunk apart.
struct Tile {
  const double *phi, *psi;                  ///< kernel functions
  const double *phi_rotated, *psi_rotated;  ///< Vᵀφ, Vᵀψ
  Index functions;                          ///< b
};

struct TileMetric {
  const double* packed;   ///< V in strips of kStrip rows, column after column, padded with rows of 0
  const double* inverse;  ///< 1/(d + λ)
  const double* target;   ///< VᵀΣψ/(m − 1)
  double alpha, train_weight, test_weight, test_share;
};

/// score[pair] for one λ; `work` holds 24 b numbers.
template <bool relative>
GNOMON_HOT void score_tile(Tile tile, TileMetric metric, double* work, double* score) {
  const Index b = tile.functions;
  const PairLanes *phi_rotated = lanes_of(tile.phi_rotated), *psi_rotated = lanes_of(tile.psi_rotated);
  // Inner products of φ, ψ and the target under (M + λI)⁻¹.
  PairLanes phi_phi[kVectors] = {}, phi_psi[kVectors] = {}, phi_target[kVectors] = {}, psi_psi[kVectors] = {},
            psi_target[kVectors] = {};
  for (Index k = 0; k < b; ++k) {
#pragma GCC unroll 3
    for (Index v = 0; v < kVectors; ++v) {
      const PairLanes f = phi_rotated[k * kChunkLines + v], g = psi_rotated[k * kChunkLines + v];
      const PairLanes f_scaled = f * metric.inverse[k];
      phi_phi[v] += f * f_scaled, phi_psi[v] += g * f_scaled, phi_target[v] += f_scaled * metric.target[k];
      if constexpr (relative) {
        const PairLanes g_scaled = g * metric.inverse[k];
        psi_psi[v] += g * g_scaled, psi_target[v] += g_scaled * metric.target[k];
      }
    }
  }
  // Woodbury: θ = (M + λI)⁻¹ (target + on_phi φ + on_psi ψ).
  PairLanes on_phi[kVectors], on_psi[kVectors];
  for (Index v = 0; v < kVectors; ++v) {
    const PairLanes from_phi = metric.train_weight * (phi_target[v] - metric.test_share * phi_psi[v]);
    const PairLanes a = 1 - metric.train_weight * phi_phi[v];
    on_phi[v] = from_phi / a, on_psi[v] = PairLanes{} - metric.test_share;
    if constexpr (relative) {
      const PairLanes from_psi = metric.test_weight * (psi_target[v] - metric.test_share * psi_psi[v]);
      const PairLanes d = 1 - metric.test_weight * psi_psi[v];
      const PairLanes det = a * d - metric.train_weight * metric.test_weight * phi_psi[v] * phi_psi[v];
      on_phi[v] = (d * from_phi + metric.train_weight * phi_psi[v] * from_psi) / det;
      on_psi[v] += (a * from_psi + metric.test_weight * phi_psi[v] * from_phi) / det;
    }
  }
  PairLanes* right = reinterpret_cast<PairLanes*>(work);
  for (Index k = 0; k < b; ++k) {
#pragma GCC unroll 3
    for (Index v = 0; v < kVectors; ++v)
      right[k * kVectors + v] = (metric.target[k] + on_phi[v] * phi_rotated[k * kChunkLines + v] +
                                 on_psi[v] * psi_rotated[k * kChunkLines + v]) *
                                metric.inverse[k];
  }
  PairLanes at_train[kVectors] = {}, at_test[kVectors] = {};
  const PairLanes zero{};
  const PairLanes *phi = lanes_of(tile.phi), *psi = lanes_of(tile.psi);
  for (Index j = 0; j < b; j += kStrip) {
    const double* strip = metric.packed + j * b;
    PairLanes theta[kStrip][kVectors] = {};
    for (Index k = 0; k < b; ++k) {
      const PairLanes r0 = right[k * kVectors], r1 = right[k * kVectors + 1], r2 = right[k * kVectors + 2];
#pragma GCC unroll 8
      for (Index row = 0; row < kStrip; ++row) {
        const double v = strip[k * kStrip + row];
        theta[row][0] += v * r0, theta[row][1] += v * r1, theta[row][2] += v * r2;
      }
    }
#pragma GCC unroll 8
    for (Index row = 0; row < kStrip; ++row) {
      const Index at = std::min(j + row, b - 1) * kChunkLines;  // past the end θ is 0, whatever it meets
#pragma GCC unroll 3
      for (Index v = 0; v < kVectors; ++v) {
        const PairLanes clipped = theta[row][v] > zero ? theta[row][v] : zero;
        at_train[v] += clipped * phi[at + v];
        at_test[v] += clipped * psi[at + v];
      }
    }
  }
  for (Index v = 0; v < kVectors; ++v) {
    const PairLanes value = 0.5 * (1 - metric.alpha) * at_train[v] * at_train[v] +
                            0.5 * metric.alpha * at_test[v] * at_test[v] - at_test[v];
    __builtin_memcpy(score + v * kLanes, &value, sizeof value);
  }
}

std::vector<double> pack(const Matrix& vectors) {
  const Index b = vectors.rows();
  std::vector<double> packed(static_cast<std::size_t>(round_up(b, kStrip) * b), 0.0);
  for (Index j = 0; j < b; ++j)
    for (Index k = 0; k < b; ++k)
      packed[static_cast<std::size_t>(j / kStrip * kStrip * b + k * kStrip + j % kStrip)] = vectors(j, k);
  return packed;
}

/// A chunk's rows in the eigenbasis.
void rotate(const double* features, const Matrix& vectors, double* rotated) {
  const int b = static_cast<int>(vectors.rows()), rows = static_cast<int>(kChunk);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, b, b, 1, features, rows, vectors.data(), b, 0,
              rotated, rows);
}

/// Evaluates the kernel functions and returns their sums of outer products (lower triangle) and their
/// sums, each if wanted.
struct Moments {
  Matrix gram;
  Vector sum;
};
Moments moments(ChunkedSample& sample, double width, bool with_gram, bool with_sum) {
  const Index b = sample.functions;
  std::vector<Moments> part(static_cast<std::size_t>(sample.chunks));
  parallel_for(sample.chunks, [&](Index chunk) {
    Moments& mine = part[static_cast<std::size_t>(chunk)];
    double* features = sample.features(chunk);
    gaussian(sample.distances(chunk), b * kChunk, width, features);
    mine.sum = Vector::Zero(b);
    if (with_sum) mine.sum = Eigen::Map<const Matrix>(features, kChunk, b).colwise().sum();
    mine.gram = Matrix::Zero(b, b);
    if (with_gram)
      cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, static_cast<int>(b), static_cast<int>(kChunk), 1,
                  features, static_cast<int>(kChunk), 0, mine.gram.data(), static_cast<int>(b));
  });
  for (std::size_t c = 1; c < part.size(); ++c) {
    part[0].gram += part[c].gram;
    part[0].sum += part[c].sum;
  }
  return std::move(part[0]);
}

}  // namespace

ChunkedSample::ChunkedSample(const MatrixView& x, const MatrixView& centres)
    : rows(x.rows()),
      functions(centres.rows()),
      chunks(round_up(rows, kRows) / kRows),
      lines_(kChunkLines * functions),
      distance_(std::make_unique_for_overwrite<CacheLine[]>(static_cast<std::size_t>(chunks * lines_))),
      feature_(std::make_unique_for_overwrite<CacheLine[]>(static_cast<std::size_t>(chunks * lines_))) {
  constexpr double kOutOfReach = 1e300;  // the kernel functions of a padding row are 0
  for (Index chunk = 0; chunk < chunks; ++chunk) {
    const Index first = chunk * kRows, size = std::min(kRows, rows - first);
    Eigen::Map<Matrix> block(distance_[static_cast<std::size_t>(chunk * lines_)].value, kRows, functions);
    block.bottomRows(kRows - size).setConstant(kOutOfReach);
    block.topRows(size) = squared_distances(x.middleRows(first, size), centres);
  }
}

PairScores::PairScores(const MatrixView& train, const MatrixView& test, const MatrixView& centres,
                       double alpha)
    : train_(train, centres), test_(test, centres), alpha_(alpha) {}

Vector PairScores::at(double width, std::span<const double> lambdas, Index pairs) {
  const BlasThreads one(1);
  const Index b = train_.functions;
  const Index chunks = round_up(pairs, kChunk) / kChunk, count = static_cast<Index>(lambdas.size());
  const double train_share = 1 / static_cast<double>(train_.rows - 1),
               test_share = 1 / static_cast<double>(test_.rows - 1);
  Moments on_train = moments(train_, width, true, false), on_test = moments(test_, width, alpha_ > 0, true);
  const auto eigen = lapack::symmetric_eigen((1 - alpha_) * train_share * on_train.gram +
                                             alpha_ * test_share * on_test.gram);
  const std::vector<double> packed = pack(eigen.vectors);
  const Vector target = eigen.vectors.transpose() * on_test.sum * test_share;
  Matrix inverse(b, count);
  for (Index l = 0; l < count; ++l)
    inverse.col(l) = (eigen.values.array().max(0) + lambdas[static_cast<std::size_t>(l)]).inverse();
  Matrix sums = Matrix::Zero(count, chunks);
  parallel_for(chunks, [&](Index chunk) {
    const auto lines = static_cast<std::size_t>(b * kChunkLines);
    const auto buffer =
        std::make_unique_for_overwrite<CacheLine[]>(2 * lines + static_cast<std::size_t>(b * kVectors));
    double *phi_rotated = buffer[0].value, *psi_rotated = buffer[lines].value,
           *work = buffer[2 * lines].value, score[kPairs];
    const double *phi = train_.features(chunk), *psi = test_.features(chunk);
    rotate(phi, eigen.vectors, phi_rotated);
    rotate(psi, eigen.vectors, psi_rotated);
    const Index size = std::min(kChunk, pairs - chunk * kChunk);
    for (Index first = 0; first < size; first += kPairs)
      for (Index l = 0; l < count; ++l) {
        const Tile tile{phi + first, psi + first, phi_rotated + first, psi_rotated + first, b};
        const TileMetric metric{packed.data(), inverse.col(l).data(),      target.data(),
                                alpha_,        (1 - alpha_) * train_share, alpha_ * test_share,
                                test_share};
        if (alpha_ > 0)
          score_tile<true>(tile, metric, work, score);
        else
          score_tile<false>(tile, metric, work, score);
        for (Index i = 0; i < std::min(kPairs, size - first); ++i) sums(l, chunk) += score[i];
      }
  });
  return sums.rowwise().sum() / static_cast<double>(pairs);
}

}  // namespace gnomon
