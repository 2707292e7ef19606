#pragma once

// The golden runner: every vector is a JSON file with inputs, parameters and expected numbers; a kind is a
// function from (input, params) to the numbers gnomon computes. To add a kind, write such a function and list
// it in kinds.cpp.

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/json.hpp"
#include "gnomon/gnomon.hpp"

namespace gnomon::golden {

using Json = nlohmann::json;
/// Computes what it can; names in `expect` that are missing from the answer fail.
using Kind = std::function<Json(const Json& input, const Json& params)>;

const std::map<std::string, Kind>& kinds();

/// Nested lists as a matrix; a flat list is one column.
Matrix matrix_of(const Json& rows);
Json rows_of(const Matrix& m);
/// Index of the least finite entry.
int argmin_of(const Vector& values);

Json kernel_ridge(const Json& input, const Json& params);
Json kernel_risk(const Json& input, const Json& params);
Json linear_ridge(const Json& input, const Json& params);
Json u_matrix(const Json& input, const Json& params);
Json noise_variance(const Json& input, const Json& params);
Json affine(const Json& input, const Json& params);
Json huber(const Json& input, const Json& params);
Json lasso(const Json& input, const Json& params);
Json basic_kind(const Json& input, const Json& params);
Json mc_divergence(const Json& input, const Json& params);
Json density_ratio(const Json& input, const Json& params);
Json iwls(const Json& input, const Json& params);
Json adaptive_linear(const Json& input, const Json& params);
Json mackay(const Json& input, const Json& params);
Json argmin(const Json& input, const Json& params);
Json mlp(const Json& input, const Json& params);

/// A vector of the adaptive schema, which has its inputs at the top level.
bool run_adaptive(const Json& vector, std::string& report);

}  // namespace gnomon::golden
