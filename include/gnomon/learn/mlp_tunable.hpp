#pragma once

#include <deque>
#include <memory>
#include <mutex>

#include "gnomon/learn/learner.hpp"
#include "gnomon/learn/mlp_train.hpp"

namespace gnomon {

class MlpCost;

struct MlpTunableOptions {
  std::vector<Index> hidden{8};  ///< tanh units of each hidden layer; empty = a linear model
  MlpLoss loss = MlpLoss::squared;
  bool bias = true;
  /// Inputs that share a decay and the names of these groups; empty = one decay per layer instead.
  std::vector<int> group_of_input{};
  std::vector<std::string> group_names{};
  MlpTrainOptions training{};
};

/// A network as a function of its weight decays, Σ_k l_k + Σ_g λ_g|w_g|² (κ = λ/N against the mean).
///
/// Decays: "lambda[layer 1]", "lambda[layer 2]", … for all weights into a layer, or "lambda[age]" for the weights that leave an
/// input and "lambda[rest]" for the others. Hidden biases go with their layer (or the rest); output biases are free, as
/// the intercept of every learner here.
///
/// Targets of a regression are standardised inside, so that starts, decays and tolerances have one scale: λ refers to them. Values
/// are given back in the units of the target; for several outputs they are means over the outputs of errors relative to
/// the variance of each. Evidence is −2 log p of the targets as they are.
///
/// GEN and NIC use the exact Hessian. The evidence and all effective numbers of parameters use that of Gauss and Newton, which is
/// positive definite everywhere: where two minima of the cost merge, the exact determinant vanishes and Laplace's method
/// would praise that point without bound. All gradients are exact. Leave-one-out has no closed form here: use cv.
///
/// The first point is trained from random starts; every other from the nearest point that was trained before, so that a search
/// follows one minimum. Random starts are tried again, and the lower cost kept, where that ends in no minimum, where units were switched
/// off at the nearest point, and where it is farther than a factor of 100 away. The same calls in the same order give the same bits.
class MlpTunable final : public Learner {
 public:
  /// y: rows × outputs, or indicators of the classes with MlpLoss::cross_entropy.
  MlpTunable(const MatrixView& x, const MatrixView& y, MlpTunableOptions options);
  ~MlpTunable() override;

  const std::vector<Parameter>& parameters() const override { return parameters_; }
  Index rows() const override { return rows_; }
  Index targets() const override { return shape_.outputs; }
  double count() const override { return static_cast<double>(rows_); }
  bool intercept() const override { return shape_.bias; }
  bool is_kernel() const override { return false; }
  Index columns() const override { return shape_.weights(); }
  double total(Index target) const override;
  bool iterative() const override { return true; }

  std::string lacks(Account account, const Metric& metric) const override;
  std::vector<Counts> counts(const Points& points, Index target, bool squares, bool slopes) const override;
  std::vector<Scores> scores(const Points& points, Index target, Index lags, bool slopes) const override;
  std::vector<HeldOut> held_out(const Points& points, Index target, const Folds& folds, bool slopes,
                                const Progress& progress) const override;
  std::vector<EvidenceParts> evidence(const Points& points, Index target, bool slopes) const override;
  DecayEvidence decays(const Vector& point) const override;
  Fit fit_at(const Points& points) const override;

  /// The cost at a point on the standardised targets, and the weights trained there.
  MlpCost cost_at(const Vector& point) const;
  MlpFit trained_at(const Vector& point) const;

 private:
  struct Trained {
    Vector logarithms;  // of the point
    MlpFit fit;
  };
  bool squared() const { return options_.loss == MlpLoss::squared; }
  double unit_of_error() const;
  HeldOut held_out_at(const Vector& point, const Folds& folds, bool slopes) const;
  /// An account made at trained weights, with what training had to say about them.
  template <class AccountType, class Keep>
  std::vector<AccountType> accounts(const Points& points, const Keep& keep) const;
  Mlp in_units_of_target(Mlp model) const;

  MlpTunableOptions options_;
  MlpShape shape_;
  Index rows_;
  Vector mean_, deviation_;  // of the outputs of a regression
  std::vector<Parameter> parameters_;
  std::unique_ptr<const MlpCost> cost_;
  mutable std::mutex lock_;
  mutable std::deque<Trained> known_;
};

}  // namespace gnomon
