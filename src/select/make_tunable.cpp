#include <algorithm>
#include <cmath>

#include "gnomon/adaptive/kernel_widths.hpp"
#include "gnomon/adaptive/mlp_tunable.hpp"
#include "gnomon/adaptive/ridge_groups.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/text.hpp"
#include "gnomon/represent/width.hpp"
#include "gnomon/select/candidates.hpp"
#include "gnomon/select/grid.hpp"
#include "gnomon/select/input_groups.hpp"
#include "gnomon/select/tuned_search.hpp"

namespace gnomon {
namespace {

std::vector<std::string> feature_names(const TrainingData& data) {
  if (!data.feature_names.empty()) return data.feature_names;
  std::vector<std::string> names;
  for (Index j = 0; j < data.x.cols(); ++j) names.push_back(fmt::format("x{}", j + 1));
  return names;
}

InputGroups groups_of(const TrainingData& data, std::string_view text) {
  const auto names = feature_names(data);
  return parse_groups(text, names, data.feature_columns.empty() ? names : data.feature_columns);
}

/// Groups of the columns of a basis. Those of other bases than the linear one mix inputs: only all or each column can be
/// told apart.
InputGroups column_groups(const TrainingData& data, const SelectionRequest& request, const Basis& basis,
                          Index columns) {
  if (basis.kind() == Basis::Kind::linear) return groups_of(data, request.groups);
  require(request.groups.empty() || request.groups == "all" || request.groups == "each",
          "--groups with names needs --basis linear: columns of {} mix inputs; use --groups each",
          basis_of(request));
  std::vector<std::string> names;
  for (Index j = 0; j < columns; ++j) names.push_back(fmt::format("column {}", j + 1));
  return parse_groups(request.groups, names, names);
}

std::unique_ptr<Learner> ridge(const TrainingData& data, const SelectionRequest& request, Index target) {
  Basis basis = Basis::fit(basis_of(request), data.x);
  const Matrix design = basis.design(data.x);
  const InputGroups groups = column_groups(data, request, basis, design.cols());
  return std::make_unique<adaptive::RidgeGroups>(design, data.y.col(target), std::move(basis),
                                                 groups.of_feature, groups.names, request.intercept);
}

std::unique_ptr<Learner> kernel_ridge(const TrainingData& data, const SelectionRequest& request,
                                      Index target) {
  const InputGroups groups = groups_of(data, request.groups.empty() ? "each" : request.groups);
  double width = median_distance(data.x, Vector());
  if (request.width != "median") {
    const auto widths = parse_grid(request.width, "width", "median");
    require(widths.size() == 1, "--search gradient starts from one --width; give median or a number");
    width = widths.front();
  }
  return std::make_unique<adaptive::KernelWidths>(std::make_shared<const Matrix>(data.x), data.y.col(target),
                                                  request.kernel, groups.of_feature, groups.names,
                                                  request.intercept, width);
}

std::unique_ptr<Learner> network(const TrainingData& data, const SelectionRequest& request) {
  adaptive::MlpTunableOptions options;
  options.hidden = parse_hidden(request.hidden);
  options.loss = data.classes.empty() ? MlpLoss::squared : MlpLoss::cross_entropy;
  options.bias = request.intercept;
  options.training.restarts = request.restarts;
  options.training.seed = request.seed;
  if (request.decay_groups == "input") {
    InputGroups groups = groups_of(data, request.groups.empty() ? "each" : request.groups);
    options.group_of_input = std::move(groups.of_feature);
    options.group_names = std::move(groups.names);
  }
  return std::make_unique<adaptive::MlpTunable>(data.x, data.y, std::move(options));
}

}  // namespace

bool is_tuned(const SelectionRequest& request) {
  return request.learner == "mlp" || !request.groups.empty() || request.search == Search::gradient ||
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
  if (request.learner == "ridge") return ridge(data, request, target);
  if (request.learner == "kernel-ridge") return kernel_ridge(data, request, target);
  return network(data, request);
}

}  // namespace gnomon
