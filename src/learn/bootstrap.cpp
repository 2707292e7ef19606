#include "gnomon/learn/bootstrap.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"

namespace gnomon {

Resampling random_resampling(std::uint64_t seed, const VectorView& weight) {
  std::vector<double> cumulative;  // empty for equal weights
  const bool equal = weight.size() == 0 || (weight.array() == weight[0]).all();
  if (!equal)
    for (const double w : weight) cumulative.push_back((cumulative.empty() ? 0 : cumulative.back()) + w);
  return [seed, cumulative](Index replicate, std::vector<Index>& rows) {
    Random random(seed, static_cast<std::uint64_t>(replicate));
    for (auto& row : rows) {
      if (cumulative.empty()) {
        row = static_cast<Index>(random.below(rows.size()));
        continue;
      }
      const double at = random.uniform() * cumulative.back();
      const auto found = std::upper_bound(cumulative.begin(), cumulative.end() - 1, at);
      row = static_cast<Index>(found - cumulative.begin());
    }
  };
}

namespace {

/// θ and U L_u e of one replicate at every place.
struct Replicate {
  std::vector<Vector> theta, paired;
};

Replicate replicate_of(const BootstrapPath& p, const std::vector<Index>& rows, const Vector& root) {
  const std::size_t places = p.fitted.size();
  Replicate out{std::vector<Vector>(places), std::vector<Vector>(places)};
  const auto walk = p.start();
  for (std::size_t k = places; k-- > 0;) {
    if (!p.residual[k].allFinite()) continue;
    Vector e = Vector(p.residual[k](rows)).cwiseQuotient(root);
    out.theta[k] = walk(k, p.fitted[k] + e);
    if (p.intercept) e.array() -= p.weight.size() ? e.dot(p.weight) / p.weight.sum() : e.mean();
    out.paired[k] = p.pairing(e);
  }
  return out;
}

}  // namespace

Vector bootstrap_covariance(const BootstrapPath& p, const Resampling& resampling, int replications,
                            const Progress& progress) {
  constexpr Index batch = 16;
  const std::size_t places = p.fitted.size();
  if (places == 0) return {};
  const Index n = p.fitted.front().size();
  // A weight counts copies of a row: a mean of w of them has noise smaller by √w.
  const Vector root = p.weight.size() ? Vector(p.weight.cwiseSqrt()) : Vector::Ones(n);
  Vector products = Vector::Zero(static_cast<Index>(places));
  std::vector<Vector> theta(places), paired(places);  // their sums
  for (Index first = 0; first < replications; first += batch) {
    progress("bootstrapping", static_cast<double>(first) / replications);
    std::vector<Replicate> some(static_cast<std::size_t>(std::min<Index>(batch, replications - first)));
    parallel_for(static_cast<Index>(some.size()), [&](Index i) {
      std::vector<Index> rows(static_cast<std::size_t>(n));
      resampling(first + i, rows);
      some[static_cast<std::size_t>(i)] = replicate_of(p, rows, root);
    });
    for (const Replicate& one : some) {
      for (std::size_t k = 0; k < places; ++k) {
        if (one.theta[k].size() == 0) continue;
        products[static_cast<Index>(k)] += one.theta[k].dot(one.paired[k]);
        theta[k] = theta[k].size() ? Vector(theta[k] + one.theta[k]) : one.theta[k];
        paired[k] = paired[k].size() ? Vector(paired[k] + one.paired[k]) : one.paired[k];
      }
    }
  }
  Vector covariance(static_cast<Index>(places));
  const double count = replications;
  for (std::size_t k = 0; k < places; ++k) {
    const double product = products[static_cast<Index>(k)];
    double value = product / count;
    if (theta[k].size() == 0)
      value = undefined;
    else if (p.intercept && replications > 1)
      value = (product - theta[k].dot(paired[k]) / count) / (count - 1);
    covariance[static_cast<Index>(k)] = value;
  }
  return covariance;
}

double bootstrap_covariance(const BootstrapProblem& p, const Resampling& resampling, int replications) {
  const BootstrapPath one{.start = [&] { return [&](std::size_t, const Vector& y) { return p.learner(y); }; },
                          .pairing = p.pairing,
                          .fitted = {p.fitted},
                          .residual = {p.residual},
                          .weight = p.weight,
                          .intercept = p.intercept};
  return bootstrap_covariance(one, resampling, replications)[0];
}

Vector treated_residuals(Vector residual, const VectorView& weight, double df,
                         const BootstrapOptions& options) {
  const double n = weight.size() ? weight.sum() : static_cast<double>(residual.size());
  if (options.centred) residual.array() -= weight.size() ? residual.dot(weight) / n : residual.mean();
  if (options.rescaled) residual *= df < n ? std::sqrt(n / (n - df)) : undefined;
  return residual;
}

}  // namespace gnomon
