#pragma once

#include <deque>
#include <utility>
#include <vector>

#include "gnomon/core/types.hpp"

namespace gnomon::mlp {

/// The last steps s and changes of the gradient y of a descent, and what they say about the inverse Hessian
/// (L-BFGS, two loops; Nocedal 1980).
class LimitedMemory {
 public:
  explicit LimitedMemory(std::size_t most) : most_(most) {}

  bool empty() const { return pairs_.empty(); }
  void clear() { pairs_.clear(); }

  /// Pairs without curvature are left out: the inverse stays positive definite.
  void add(Vector s, Vector y) {
    if (!(s.dot(y) > 1e-10 * s.norm() * y.norm())) return;
    pairs_.emplace_back(std::move(s), std::move(y));
    if (pairs_.size() > most_) pairs_.pop_front();
  }

  /// sᵀy/yᵀy of the last pair: the usual first guess of the inverse; 1 without pairs.
  double scale() const {
    return pairs_.empty()
               ? 1
               : pairs_.back().first.dot(pairs_.back().second) / pairs_.back().second.squaredNorm();
  }

  /// The inverse Hessian times g, `guess` being what it is before any pair is known.
  template <class Guess>
  Vector apply(Vector g, Guess guess) const {
    std::vector<double> along(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      along[i] = pairs_[i].first.dot(g) / pairs_[i].first.dot(pairs_[i].second);
      g -= along[i] * pairs_[i].second;
    }
    g = guess(std::move(g));
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double back = pairs_[i].second.dot(g) / pairs_[i].first.dot(pairs_[i].second);
      g += (along[i] - back) * pairs_[i].first;
    }
    return g;
  }

 private:
  std::size_t most_;
  std::deque<std::pair<Vector, Vector>> pairs_;
};

}  // namespace gnomon::mlp
