#pragma once

#include "paths.hpp"
#include "stage.hpp"

namespace gnomon::compare {

/// How criteria compete on simulated targets: along a path of one λ, or in a search over several parameters.
class Contest {
 public:
  virtual ~Contest() = default;
  Contest(const Contest&) = delete;
  Contest& operator=(const Contest&) = delete;

  const World& world() const { return world_; }
  const std::vector<std::string>& criteria() const { return labels_; }
  const std::vector<std::string>& left_out() const { return dropped_; }
  const SelectionRequest& request() const { return request_; }
  const TrainingData& data() const { return data_; }
  const std::vector<Stage>& stages() const { return stages_; }

  virtual bool searches() const = 0;
  virtual const std::vector<double>& shown_lambdas() const { return shown_lambdas_; }
  /// One data set: y at all rows, made from truth `which`. `asking` is the request with the seed of this data set.
  virtual Trial trial(std::size_t stage, const Vector& y, std::size_t which,
                      const SelectionRequest& asking) const = 0;
  /// Lets one criterion choose, all else being there.
  virtual void choose_by(std::size_t criterion, std::size_t stage, const Vector& y) const = 0;
  virtual PathErrors true_errors(std::size_t stage, const Vector& y, std::size_t which) const;
  virtual std::vector<double> lambdas() const { return {}; }

 protected:
  Contest(TrainingData data, SelectionRequest request);

  bool compares_every_cheap() const;
  /// The criteria asked for, or every one that applies and is cheap.
  void choose_criteria(const Learner& learner, const Comparison& comparison);
  /// What criterion c estimates, in what it is an estimate of, from the true errors of a fit; NaN where it estimates no error or
  /// what is not known here. `left_out_constant`: of the family of SIC at the training inputs; NaN where it is not known.
  double wanted(std::size_t c, double at_new, double at_training, double left_out_constant) const;

  TrainingData data_;
  SelectionRequest request_;
  Metric metric_;
  std::vector<AskedCriterion> asked_;
  std::vector<std::string> labels_, dropped_;
  bool other_loss_ = false;  // the learner has a loss of its own
  World world_;
  std::vector<Stage> stages_;
  std::vector<double> shown_lambdas_;
};

std::unique_ptr<const Contest> contest_of_paths(TrainingData data, SelectionRequest request,
                                                const Progress& progress);
std::unique_ptr<const Contest> contest_of_searches(TrainingData data, SelectionRequest request,
                                                   const Progress& progress);

}  // namespace gnomon::compare
