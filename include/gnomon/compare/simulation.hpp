#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gnomon/compare/trial.hpp"
#include "gnomon/compare/world.hpp"
#include "gnomon/select/request.hpp"

namespace gnomon::compare {

/// Data sets on the user's own inputs whose truth is known: fitted functions plus noise of several laws. On each of them every
/// criterion chooses along the path, and its choice is judged by the true error of the fit,
///   (1/n) Σ (f̂(xᵢ) − f(xᵢ))²  at the user's inputs, noise excluded.
/// A learner that is linear in y is decomposed once for all data sets; in spectral coordinates z of y and t of the truth, with
/// the filter h, that error is Σ (h z − t)² + ‖truth outside the span‖² + n (mean y − mean truth)², all over n: O(rank) per λ.
/// Other learners are solved anew on every data set, on the path of the user's data.
class Simulation {
 public:
  /// `request.criteria`: those to compare; "auto" alone: every one that applies and is cheap once the design is prepared.
  Simulation(TrainingData data, SelectionRequest request, const Progress& progress = {});
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  const World& world() const;
  /// What the criteria are called, in the order of the choices of a trial.
  const std::vector<std::string>& criteria() const;
  /// Criteria that apply and were left out because they refit for every fold or bootstrap; empty where they were named.
  const std::vector<std::string>& left_out() const;
  /// The λ at which trials keep curves.
  const std::vector<double>& shown_lambdas() const;

  /// Truth and noise go round with the index: data set i has combination i mod (truths × families).
  Index combinations() const;
  std::string truth_name(Index index) const;
  std::string noise_name(Index index) const;

  /// Data set `index`: a function of seed and index alone, whatever the order and the number of threads.
  Vector targets(Index index) const;
  /// May be asked from several threads at once; the same to the last bit with BLAS at one thread, as in parallel_for.
  Trial trial(Index index) const;
  /// True errors along the whole path of targets y from this truth.
  Vector true_errors(const Vector& y, std::size_t truth) const;
  /// Every λ of the path, of all candidates one after the other.
  std::vector<double> lambdas() const;
  /// Seconds that choosing by each criterion alone takes on the first data set, once the design is prepared.
  Vector seconds() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace gnomon::compare
