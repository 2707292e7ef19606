#include "json.hpp"

#include <cmath>
#include <limits>

#include "gnomon/core/error.hpp"

namespace gnomon {

nlohmann::json number_to_json(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

nlohmann::json vector_to_json(const VectorView& v) {
  auto json = nlohmann::json::array();
  for (const double value : v) json.push_back(number_to_json(value));
  return json;
}

Vector vector_from_json(const nlohmann::json& json) {
  require(json.is_array(), "a list of numbers is stored as {}", json.type_name());
  Vector v(static_cast<Index>(json.size()));
  Index i = 0;
  for (const auto& value : json)
    v[i++] = value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
  return v;
}

Index whole_from_json(const nlohmann::json& json) {
  require(json.is_number(), "a whole number is stored as {}", json.type_name());
  constexpr double most = 9007199254740992;  // 2^53: beyond it doubles skip whole numbers
  const double value = json.get<double>();
  require(std::abs(value) <= most && std::trunc(value) == value, "{} is stored where a whole number is meant",
          value);
  return static_cast<Index>(value);
}

nlohmann::json matrix_to_json(const MatrixView& m) {
  auto values = nlohmann::json::array();
  for (Index j = 0; j < m.cols(); ++j) {
    for (Index i = 0; i < m.rows(); ++i) values.push_back(number_to_json(m(i, j)));
  }
  return {{"rows", m.rows()}, {"cols", m.cols()}, {"values", std::move(values)}};
}

Matrix matrix_from_json(const nlohmann::json& json) {
  const Index rows = whole_from_json(json.at("rows")), cols = whole_from_json(json.at("cols"));
  const Vector values = vector_from_json(json.at("values"));
  // By division, since the product of two numbers out of a file may be too large for any integer.
  const bool fits = rows > 0 && cols > 0 ? values.size() % cols == 0 && values.size() / cols == rows
                                         : rows >= 0 && cols >= 0 && values.size() == 0;
  require(fits, "a {}×{} matrix is stored with {} values", rows, cols, values.size());
  return Eigen::Map<const Matrix>(values.data(), rows, cols);
}

}  // namespace gnomon
