#pragma once

#include "criteria_list.hpp"
#include "gnomon/select/selection.hpp"

namespace gnomon {

/// Where criteria look for their least values, target by target: along paths of one λ, or over several parameters at once.
class Searcher {
 public:
  virtual ~Searcher() = default;

  /// The learner that criteria are checked against; candidates are alike.
  virtual const Learner& learner() const = 0;
  /// How the criteria see the candidates.
  virtual Comparison comparison() const { return {}; }
  virtual Index targets() const = 0;
  /// Every criterion for one target; the first one chooses.
  virtual TargetSelection search(Index target, const std::vector<AskedCriterion>& criteria) = 0;
  /// The model, and fitted values of every target.
  virtual void fit(Selection& selection) = 0;
};

}  // namespace gnomon
