#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "gnomon/adaptive/grouped_ridge.hpp"
#include "gnomon/adaptive/ridge_folds.hpp"
#include "gnomon/adaptive/tunable.hpp"

namespace gnomon::adaptive {

/// Ridge regression with one λ per group of columns, Σ(y − b − φᵀa)² + Σ_g λ_g‖a_g‖², as a function of all λ_g. One target.
class RidgeGroups final : public Tunable {
 public:
  /// group_of_column[j] in 0 … names.size()−1, every group with a column. `basis` made the design and goes into the model.
  RidgeGroups(const Matrix& design, const VectorView& y, Basis basis, const std::vector<int>& group_of_column,
              const std::vector<std::string>& names, bool intercept);

  const std::vector<TunedParameter>& parameters() const override { return parameters_; }
  std::string undefined_for(std::string_view criterion) const override;
  HyperEstimate evaluate(const HyperCriterion&, const Vector& theta, bool gradient) const override;
  TunedFit fit(const Vector& theta) const override;
  EvidenceParts evidence_parts(const Vector& theta) const override;

 private:
  Vector kappa(const Vector& theta) const;
  const RidgeFolds& folds(const Folds&) const;

  Basis basis_;
  std::vector<int> group_of_column_;
  bool intercept_;
  Vector units_;        // of λ_g
  GroupedRidge ridge_;  // on columns divided by √(unit/n) of their group
  std::vector<TunedParameter> parameters_;
  mutable std::mutex lock_;
  mutable std::map<std::vector<int>, std::unique_ptr<const RidgeFolds>> folds_;  // compressed once
};

}  // namespace gnomon::adaptive
