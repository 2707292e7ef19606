#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "gnomon/learn/learner.hpp"

namespace gnomon {

class GroupedRidge;
class RidgeFolds;

/// Ridge regression with one λ per group of columns, Σ(y − b − φᵀa)² + Σ_g λ_g‖a_g‖², as a function of all λ_g. One target.
class RidgeGroups final : public Learner {
 public:
  /// group_of_column[j] in 0 … names.size()−1, every group with a column. `basis` made the design and goes into the model.
  RidgeGroups(const Matrix& design, const VectorView& y, Basis basis, const std::vector<int>& group_of_column,
              const std::vector<std::string>& names, bool intercept);
  ~RidgeGroups() override;

  const std::vector<Parameter>& parameters() const override { return parameters_; }
  Index rows() const override { return rows_; }
  Index targets() const override { return 1; }
  double count() const override { return static_cast<double>(rows_); }
  bool intercept() const override { return intercept_; }
  bool is_kernel() const override { return false; }
  Index columns() const override { return static_cast<Index>(group_of_column_.size()); }
  double total(Index target) const override;

  std::string lacks(Account account, const Metric& metric) const override;
  std::vector<Counts> counts(const Points& points, Index target, bool squares, bool slopes) const override;
  std::vector<Scores> scores(const Points& points, Index target, Index lags, bool slopes) const override;
  std::vector<LeftOut> left_out(const Points& points, Index target, bool slopes,
                                const Progress& progress) const override;
  std::vector<HeldOut> held_out(const Points& points, Index target, const Folds& folds, bool slopes,
                                const Progress& progress) const override;
  std::vector<EvidenceParts> evidence(const Points& points, Index target, bool slopes) const override;
  DecayEvidence decays(const Vector& point) const override;
  SicAccount sic(const Points& points, Index target, const SicQuestion& question, bool slopes) const override;
  Fit fit_at(const Points& points) const override;

 private:
  Vector kappa(const Vector& point) const;
  const RidgeFolds& folds(const Folds&) const;

  Index rows_;
  Basis basis_;
  std::vector<int> group_of_column_;
  bool intercept_;
  Vector units_;                               // of λ_g
  std::unique_ptr<const GroupedRidge> ridge_;  // on columns divided by √(unit/n) of their group
  std::vector<Parameter> parameters_;
  mutable std::mutex lock_;
  mutable std::map<std::vector<int>, std::unique_ptr<const RidgeFolds>> folds_;  // compressed once
};

}  // namespace gnomon
