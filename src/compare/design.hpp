#pragma once

#include "select/candidates.hpp"
#include "stage.hpp"

namespace gnomon::compare {

/// Candidates prepared on a stage: once for all data sets where they are linear in y.
class Design {
 public:
  /// `prepared`: the candidates on all of the user's data, whose λ every design takes. The stage must outlive the design.
  Design(const Stage& stage, const SelectionRequest& request, const std::vector<Candidate>& prepared,
         const Progress& progress);
  Design(const Design&) = delete;
  Design& operator=(const Design&) = delete;

  const Stage& stage() const { return stage_; }
  /// The candidates on the stage's data with other targets, which must outlive them.
  std::vector<Candidate> candidates_on(const TrainingData& own, const SelectionRequest& request) const;
  /// True errors at every point of their paths, of truth `which`. O(rank) per λ at the rows learned from: in spectral
  /// coordinates z of y and t of the truth Σ (h z − t)² + ‖truth outside the span‖² + n (mean y − mean truth)²; O(rows·rank) at
  /// the inputs judged by.
  PathErrors errors(const std::vector<Candidate>& own, const TrainingData& data, std::size_t which) const;
  /// ‖f‖² over the rows learned from, less the part of the constant, as the family of SIC leaves it out, plus the error of the
  /// intercept that it leaves out too; over their number.
  double left_out_constant(const TrainingData& data, std::size_t which) const;

 private:
  /// What a prepared smoother knows of the truths.
  struct Known {
    Matrix coordinates;  ///< rank × truths
    Vector outside;      ///< per truth, what lies in none of the directions
    Matrix features;     ///< of the inputs to judge by: rows × rank
  };
  double rows() const;
  double intercept_error(const TrainingData& data, std::size_t which) const;
  void add_spectral(const Candidate& own, const Known& known, const TrainingData& data, std::size_t which,
                    Index first, PathErrors& errors) const;
  void add_fitted(const Candidate& own, std::size_t which, Index first, PathErrors& errors) const;

  const Stage& stage_;
  bool intercept_;
  std::vector<std::vector<double>> lambdas_;
  std::vector<Candidate> candidates_;  // of learners linear in y
  std::vector<Known> known_;           // of every candidate; empty where there are no coordinates
};

}  // namespace gnomon::compare
