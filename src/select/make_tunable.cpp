#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"
#include "gnomon/core/text.hpp"
#include "gnomon/select/tuned_search.hpp"

namespace gnomon {

bool is_tuned(const SelectionRequest& request) {
  const auto& many = find_learner(request.learner).many;
  return (many && many->always) || !request.groups.empty() || request.search == Search::gradient ||
         request.search == Search::mackay;
}

std::vector<Index> parse_hidden(const std::string& text) {
  std::vector<Index> layers;
  for (const auto& part : split(text, ',')) {
    const auto units = parse_number(part);
    if (!units || *units < 0 || *units > 10000 || *units != std::floor(*units))
      throw UsageError(fmt::format(
          "--hidden '{}' is not understood; give up to 10000 units, or a,b for two layers", text));
    layers.push_back(static_cast<Index>(*units));
  }
  if (layers == std::vector<Index>{0}) return {};  // no hidden layer
  if (layers.empty() || std::find(layers.begin(), layers.end(), 0) != layers.end())
    throw UsageError(
        fmt::format("--hidden '{}' has a layer without units; give 0 alone for no hidden layer", text));
  return layers;
}

std::unique_ptr<Learner> make_tunable(const TrainingData& data, const SelectionRequest& request,
                                                Index target) {
  const auto& many = find_learner(request.learner).many;
  require(many.has_value(), "{} has no search over several parameters", request.learner);
  return many->make(data, request, target);
}

}  // namespace gnomon
