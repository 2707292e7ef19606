#pragma once

#include "gnomon/compare/simulation.hpp"
#include "select/candidates.hpp"

namespace gnomon::compare {

/// Four fifths of the user's inputs to learn from, the others to judge fits by: the truth is known at all of them. Learners that
/// are linear in y are prepared on it once, for all data sets.
class Design {
 public:
  /// `prepared`: the candidates on all of the user's data, whose λ every design takes.
  Design(const TrainingData& data, std::vector<Index> test, const SelectionRequest& request,
         const Metric& metric, const std::vector<Candidate>& prepared, const World& world,
         const Progress& progress);
  Design(const Design&) = delete;
  Design& operator=(const Design&) = delete;

  const std::vector<Index>& test_rows() const { return test_; }
  /// The rows to learn from with targets y of all rows; the truth at the others as labelled test rows.
  TrainingData data_with(const Vector& y, const Vector& truth) const;
  /// The candidates on such data, which must outlive them.
  std::vector<Candidate> candidates_on(const TrainingData& own, const SelectionRequest& request,
                                       const Metric& metric) const;
  /// True errors at every point of their paths. O(rank) per λ at the rows learned from: in spectral coordinates z of y and t of
  /// the truth Σ (h z − t)² + ‖truth outside the span‖² + n (mean y − mean truth)²; O(rows·rank) at the others.
  PathErrors errors(const std::vector<Candidate>& own, const TrainingData& data, const Vector& truth,
                    std::size_t which) const;
  /// ‖f‖² over the rows learned from, less the part of the constant, as the family of SIC leaves it out, plus the error of the
  /// intercept that it leaves out too; over their number.
  double left_out_constant(const TrainingData& data, const Vector& truth) const;

 private:
  /// What a prepared smoother knows of the truths.
  struct Known {
    Matrix coordinates;  ///< rank × truths
    Vector outside;      ///< per truth, what lies in none of the directions
    Matrix features;     ///< of the rows to judge by: rows × rank
  };
  double intercept_error(const Vector& y, const Vector& truth) const;
  void add_spectral(const Candidate& own, const Known& known, const TrainingData& data, const Vector& truth,
                    std::size_t which, Index first, PathErrors& errors) const;
  void add_fitted(const Candidate& own, const TrainingData& data, const Vector& truth, Index first,
                  PathErrors& errors) const;

  bool intercept_;
  std::vector<Index> train_, test_;
  TrainingData data_;
  std::vector<std::vector<double>> lambdas_;
  std::vector<Candidate> candidates_;  // of learners linear in y
  std::vector<Known> known_;           // of every candidate; empty where there are no coordinates
};

}  // namespace gnomon::compare
