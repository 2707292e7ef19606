#include "make_tunable.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon {

bool is_tuned(const SelectionRequest& request) {
  const auto& many = request.learner->many;
  return (many && many->always) || !request.groups.empty() || request.search == Search::gradient ||
         request.search == Search::mackay;
}

std::unique_ptr<Learner> make_tunable(const TrainingData& data, const SelectionRequest& request,
                                      Index target) {
  const auto& many = request.learner->many;
  require(many.has_value(), "{} has no search over several parameters", request.learner);
  return many->make(data, request, target);
}

}  // namespace gnomon
