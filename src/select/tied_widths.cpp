#include "tied_widths.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "make_tunable.hpp"

namespace gnomon {
namespace {

constexpr double price = 3;

Index widths_of(const TunedSearch& search) {
  return std::count_if(search.parameters.begin(), search.parameters.end(),
                       [](const Parameter& p) { return p.kind == Parameter::Kind::width; });
}

/// Several widths were searched by what gnomon took for a criterion.
bool may_be_tied(const Selection& found, const SelectionRequest& request) {
  if (!is_tuned(request) || request.criteria != std::vector<std::string>{"auto"} ||
      !request.own_criteria.empty() || !request.start.empty())
    return false;
  const TunedSearch* search = found.targets.front().search();
  return search && search->searched && widths_of(*search) > 1 && found.targets.front().chosen().selected &&
         found.targets.front().chosen().kind == ErrorKind::log_evidence;
}

}  // namespace

Selection with_widths_that_pay(Selection found, const TrainingData& data, const SelectionRequest& request,
                               const Progress& progress) {
  if (!may_be_tied(found, request)) return found;
  SelectionRequest tied = request;
  tied.groups = "all";
  tied.chosen_error = false;
  Selection one = select(data, tied, progress);
  TargetSelection& plain = one.targets.front();
  if (!plain.chosen().selected) return found;
  const double gain = plain.chosen().selected->value - found.targets.front().chosen().selected->value;
  const Index further = widths_of(*found.targets.front().search()) - 1;
  if (!(gain < price * static_cast<double>(further))) return found;
  plain.warnings.push_back(
      fmt::format("{} would raise twice the log evidence by {} only, less than {} for each: one width for "
                  "all inputs is taken; name the criterion to have them all the same.",
                  counted(further, "more width"), pretty(std::max(gain, 0.0), 2), price));
  return one;
}

}  // namespace gnomon
