#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gnomon/compare/ranking.hpp"
#include "gnomon/select/request.hpp"

namespace gnomon::compare {

class Contest;

/// A function taken as the truth: a fit of the learner to the user's own y.
struct Truth {
  std::string name;           ///< fit, smoother, rougher
  double lambda = undefined;  ///< of several decays their geometric mean
  double width = undefined, tuning = undefined;
  double df = undefined;  ///< NaN where the learner cannot tell
  Vector values;          ///< at the user's inputs
  Vector at_test;         ///< at the test inputs; empty without any
};

/// What a simulation takes for granted.
struct World {
  std::vector<Truth> truths;  ///< the first one is the fit
  double sigma2 = undefined;  ///< variance of the noise, the same on average over the rows in every family
  std::string sigma2_method;
  Vector residuals;  ///< of the fit, times √count of the row; centred, scaled to mean square σ²
};

/// True errors of the fits along a path: mean squared distance of fit and truth, noise excluded.
struct PathErrors {
  Vector at_new;       ///< at inputs that were not learned from
  Vector at_training;  ///< at those that were
};

/// Data sets on the user's own inputs whose truth is known: fitted functions plus noise of several laws, of variance σ²/w for a row
/// counted w times. On each of them every criterion chooses from four fifths of the rows, and its choice is judged by the true
/// error of the fit at the inputs of the others, noise excluded: errors at the rows learned from would hardly punish fits that
/// go astray between them. Where the data have test inputs, all rows are learned from and fits are judged there; importance weights
/// without test inputs weigh the errors of the rows left out.
///
/// A learner that is linear in y is decomposed once per fifth left out, not per data set (two fifths beyond 1500 rows, where
/// vectors take memory). Other learners are solved anew on every data set, on the path of the user's data. Searches over several
/// parameters have no path: regret is then the error over the least among the choices of all criteria.
class Simulation {
 public:
  /// One target. `request.criteria`: those to compare; "auto" alone: every one that applies and is cheap once the design is
  /// prepared.
  Simulation(TrainingData data, SelectionRequest request, const Progress& progress = {});
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  const World& world() const;
  /// What the criteria are called, in the order of the choices of a trial.
  const std::vector<std::string>& criteria() const;
  /// Criteria that apply and were left out because they refit for every fold or bootstrap; empty where they were named.
  const std::vector<std::string>& left_out() const;
  /// Several parameters are searched at once; there is no path.
  bool searches() const;
  /// The λ at which trials keep curves; none in a search.
  const std::vector<double>& shown_lambdas() const;

  /// Truth and noise go round with the index: data set i has combination i mod (truths × families).
  Index combinations() const;
  std::string truth_name(Index index) const;
  std::string noise_name(Index index) const;

  /// Targets of all rows in data set `index`: a function of seed and index alone, whatever the order and the number of threads.
  Vector targets(Index index) const;
  /// May be asked from several threads at once; the same to the last bit with BLAS at one thread, as in parallel_for.
  Trial trial(Index index) const;
  /// The rows that data set `index` judges fits by; none where test inputs are there.
  const std::vector<Index>& test_rows(Index index) const;
  /// The true errors along the whole path, and its every λ, of all candidates one after the other; not for searches.
  PathErrors true_errors(Index index) const;
  std::vector<double> lambdas() const;
  /// Seconds that choosing by each criterion alone takes on the first data set, once the design is prepared.
  Vector seconds() const;

 private:
  std::unique_ptr<const Contest> contest_;
};

}  // namespace gnomon::compare
