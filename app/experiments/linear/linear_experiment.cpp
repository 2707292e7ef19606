#include "linear_experiment.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "decompose/lapack.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"
#include "lane_search.hpp"

namespace gnomon::experiments {
namespace {

constexpr Index m = LaneRidge::inputs;

}  // namespace

Vector true_weights() {
  Vector w = Vector::Zero(m);
  w.head(3).setOnes();
  return w;
}

Matrix mixing(Spread spread) {
  if (spread == Spread::low) return Matrix::Identity(m, m);
  Matrix v(m, m);
  for (Index i = 0; i < m; ++i) {
    const double node = -1 + 2 * static_cast<double>(i) / static_cast<double>(m - 1);
    for (Index j = 0; j < m; ++j) v(i, j) = std::pow(node, static_cast<double>(m - 1 - j));
  }
  if (spread == Spread::highraw) return v;
  const auto svd = lapack::thin_svd(Matrix(v));
  const double power = std::log(100.0) / std::log(svd.s[0] / svd.s[m - 1]);
  return svd.u * svd.s.array().pow(power).matrix().asDiagonal() * svd.v.transpose();
}

namespace {

/// Eight data sets of one condition: draws, decomposes, chooses.
class Batch {
 public:
  Batch(const LinearExperimentOptions& options, Spread spread, double noise_to_signal, const Matrix& a)
      : options_(options), a_(a), noise_variance_(3 * noise_to_signal), ridge_(options.rows) {
    // Streams belong to the condition itself, so that a run of fewer conditions gives the same cells.
    stream_ = (static_cast<std::uint64_t>(spread) + 1) << 52 |
              static_cast<std::uint64_t>(std::llround(noise_to_signal * 1e6)) << 26;
  }

  void draw(Index first) {
    const double sigma = std::sqrt(noise_variance_);
    const Vector w = true_weights();
    for (Index l = 0; l < 8; ++l) {
      const Index set = std::min(first + l, options_.data_sets - 1);
      Random random(options_.seed, stream_ + static_cast<std::uint64_t>(set));
      for (Index k = 0; k < options_.rows; ++k) {
        double z[m], y = 0;
        for (Index j = 0; j < m; ++j) z[j] = random.normal(), y += z[j] * w[j];
        ridge_.y[k][l] = y + sigma * random.normal();
        for (Index i = 0; i < m; ++i) {
          double x = 0;
          for (Index j = 0; j < m; ++j) x += a_(i, j) * z[j];
          ridge_.x[k * m + i][l] = x;
        }
      }
    }
  }

  /// Also T = A'V diag(c/s) and A'ŵ(0) − w° of the true error.
  void decompose() {
    ridge_.decompose();
    const Vector w = true_weights();
    for (int l = 0; l < 8; ++l) {
      double squared = 0;
      for (Index i = 0; i < m; ++i) {
        double sum = -w[i];
        for (Index j = 0; j < m; ++j) {
          double t = 0;
          for (Index b = 0; b < m; ++b) t += a_(b, i) * ridge_.v[j * m + b][l];
          t *= ridge_.c[j][l] * ridge_.scale[j][l];
          ridge_.pull[j * m + i][l] = t;
          sum += t;
        }
        ridge_.unregularized[i][l] = sum;
        squared += sum * sum;
      }
      error_[static_cast<std::size_t>(l)] = noise_variance_ + squared;
    }
  }

  const LaneRidge& ridge() const { return ridge_; }
  /// G(0) of a lane.
  double unregularized_error(Index lane) const { return error_[static_cast<std::size_t>(lane)]; }

 private:
  const LinearExperimentOptions& options_;
  const Matrix& a_;
  double noise_variance_;
  std::uint64_t stream_;
  LaneRidge ridge_;
  std::array<double, 8> error_{};
};

std::array<double, 8> choose(Chooser chooser, const LaneGrid& grid) {
  switch (chooser) {
    case Chooser::optimal:
      return grid.minimise(lane_excess);
    case Chooser::gen:
      return grid.minimise(lane_gen);
    case Chooser::gen_eq14:
      return grid.downhill_zero(lane_gen_eq14);
    case Chooser::loo:
      return grid.minimise(lane_loo);
    case Chooser::evidence:
      return grid.minimise(lane_evidence);
    case Chooser::gcv:
      return grid.minimise(lane_gcv);
    case Chooser::cp:
      return grid.minimise(lane_cp);
    case Chooser::ten_fold:
      return grid.minimise(lane_ten_fold);
    case Chooser::fper:
      return grid.minimise(lane_fper);
  }
  return {};
}

LinearExperimentCell tabulate(Chooser chooser, const VectorView& kappa, const VectorView& gain) {
  LinearExperimentCell cell;
  const double q = static_cast<double>(gain.size());
  cell.chooser = chooser;
  cell.kappa = kappa;
  cell.improved = static_cast<double>((gain.array() > 0).count()) / q;
  cell.improved_se = std::sqrt(std::max(cell.improved * (1 - cell.improved), 1 / q) / q);
  cell.gain = gain.mean();
  cell.gain_se = std::sqrt((gain.array() - cell.gain).square().sum() / std::max(q - 1, 1.0) / q);
  return cell;
}

LinearExperimentCondition run(const LinearExperimentOptions& options, Spread spread, double noise_to_signal) {
  const Matrix a = mixing(spread);
  const Index q = options.data_sets, choosers = static_cast<Index>(options.choosers.size());
  Matrix kappa(q, choosers), gain(q, choosers);
  constexpr Index batches_per_task = 16;
  const Index tasks = (q + 8 * batches_per_task - 1) / (8 * batches_per_task);
  parallel_for(tasks, [&](Index task) {
    Batch batch(options, spread, noise_to_signal, a);
    const Index end = std::min(q, (task + 1) * 8 * batches_per_task);
    for (Index first = task * 8 * batches_per_task; first < end; first += 8) {
      batch.draw(first);
      batch.decompose();
      const LaneGrid grid(batch.ridge());
      for (Index c = 0; c < choosers; ++c) {
        const auto chosen = choose(options.choosers[static_cast<std::size_t>(c)], grid);
        alignas(64) double excess[8];
        lane_excess(batch.ridge(), chosen.data(), 1, excess);
        for (Index l = 0; l < std::min<Index>(8, end - first); ++l) {
          kappa(first + l, c) = chosen[static_cast<std::size_t>(l)];
          gain(first + l, c) = -100 * excess[l] / batch.unregularized_error(l);
        }
      }
    }
  });
  LinearExperimentCondition condition{spread, noise_to_signal, {}};
  for (Index c = 0; c < choosers; ++c) {
    condition.cells.push_back(
        tabulate(options.choosers[static_cast<std::size_t>(c)], kappa.col(c), gain.col(c)));
  }
  return condition;
}

}  // namespace

const char* name_of(Spread spread) {
  constexpr std::array<const char*, 3> names{"low", "high4", "highraw"};
  return names[static_cast<std::size_t>(spread)];
}

const char* name_of(Chooser chooser) {
  constexpr std::array<const char*, chooser_count> names{"optimal", "gen", "gen_eq14", "loo", "evidence",
                                                         "gcv",     "cp",  "10-fold",  "fper"};
  return names[static_cast<std::size_t>(chooser)];
}

std::vector<LinearExperimentCondition> linear_experiment(const LinearExperimentOptions& options) {
  require(options.data_sets > 0 && options.data_sets < (Index{1} << 26),
          "experiment: {} data sets; give at least 1", options.data_sets);
  require(options.rows > m && options.rows % 10 == 0 && options.rows <= 80,
          "experiment: {} rows; a multiple of 10 from 20 to 80 is needed", options.rows);
  std::vector<LinearExperimentCondition> conditions;
  for (const Spread spread : options.spreads) {
    for (const double nsr : options.noise_to_signal) {
      require(nsr > 0 && nsr < 60, "experiment: noise to signal ratio {}; it must be above 0 and below 60",
              nsr);
      conditions.push_back(run(options, spread, nsr));
    }
  }
  return conditions;
}

}  // namespace gnomon::experiments
