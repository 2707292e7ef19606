#pragma once

#include "gnomon/select/selection.hpp"

namespace gnomon {

/// In what candidates differ, so that some criteria cannot compare them.
struct Comparison {
  bool several_kernels = false;  ///< every kernel has its own norm
  bool several_losses = false;   ///< every loss has its own unit
};

struct AskedCriterion {
  CriterionRequest request;
  bool optional = false;  ///< came with `all` in a search: left out where it is undefined on these data

  const Criterion& criterion() const { return request.criterion; }
};

/// What a name in a list of criteria stands for: one of them, what `auto` takes, or `all`.
enum class CriterionWord { one, automatic, all };
CriterionWord criterion_word(std::string_view name);
inline bool names_several(std::string_view name) { return criterion_word(name) != CriterionWord::one; }

/// The criteria that a request asks for, in order, without repeats: the first one chooses. `auto` and `all` are expanded here, and
/// what does not apply is refused with its reason. `default_reason` says why `auto` took what it took.
std::vector<AskedCriterion> asked_criteria(const SelectionRequest& request, const Learner& learner,
                                           const Metric& metric, const Comparison& comparison,
                                           std::string& default_reason);

}  // namespace gnomon
