#pragma once

#include <nlohmann/json.hpp>

#include "gnomon/core/types.hpp"

namespace gnomon {

/// Numbers in JSON: a value that is not finite has no JSON form and becomes null (undefined).
nlohmann::json number_to_json(double value);
nlohmann::json vector_to_json(const VectorView& v);
/// null becomes NaN.
Vector vector_from_json(const nlohmann::json&);
/// A whole number; a fraction, or one that no Index can hold, is refused.
Index whole_from_json(const nlohmann::json&);
/// {"rows": n, "cols": p, "values": [column by column]}
nlohmann::json matrix_to_json(const MatrixView& m);
Matrix matrix_from_json(const nlohmann::json&);

}  // namespace gnomon
