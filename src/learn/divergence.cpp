#include "gnomon/learn/divergence.hpp"

#include <cmath>

#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"

namespace gnomon {

Matrix random_probes(Index rows, int probes, std::uint64_t seed) {
  Matrix b(rows, probes);
  for (int j = 0; j < probes; ++j) {
    Random random(seed, static_cast<std::uint64_t>(j));
    for (Index i = 0; i < rows; ++i) b(i, j) = random.below(2) ? 1 : -1;
  }
  return b;
}

double monte_carlo_divergence(const FitFunction& learner, const Pairing& pairing, const VectorView& y,
                              const VectorView& weight, const MatrixView& probes, double step, bool central) {
  Vector terms(probes.cols());
  const Vector base = central ? Vector() : learner(y);
  parallel_for(probes.cols(), [&](Index j) {
    Vector b = probes.col(j);
    if (weight.size()) b.array() /= weight.array().sqrt();
    const Vector up = learner(y + step * b);
    const Vector change =
        central ? Vector((up - learner(y - step * b)) / (2 * step)) : Vector((up - base) / step);
    terms[j] = pairing(b).dot(change);
  });
  return terms.mean();
}

double divergence_step(const VectorView& y) {
  const double deviation = std::sqrt((y.array() - y.mean()).square().mean());
  return 1e-3 * (deviation > 0 ? deviation : 1);
}

}  // namespace gnomon
