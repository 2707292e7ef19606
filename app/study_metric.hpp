#pragma once

#include <optional>
#include <string>

#include "gnomon/criteria/criterion.hpp"
#include "gnomon/data/dataset.hpp"
#include "gnomon/data/scaling.hpp"

namespace gnomon::app {

/// New rows on the way into the learner's input space.
Matrix scaled_inputs(const Table& table, const FeaturePlan& plan, const Scaling& scaling);

/// Whether --metric is the name of a file, and not one of those below.
bool metric_names_a_file(const std::string& text);

/// What --metric names: function-space, train, test, uniform:a:b, normal:mean:sd, or a CSV of inputs.
Metric parse_metric(const std::string& text, const std::optional<Matrix>& test, const FeaturePlan& plan,
                    const Scaling& scaling);

}  // namespace gnomon::app
