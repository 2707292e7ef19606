#include "golden.hpp"

#include <cmath>

namespace gnomon::golden {

const std::map<std::string, Kind>& kinds() {
  static const std::map<std::string, Kind> all{{"kernel_ridge", kernel_ridge},
                                               {"kernel_risk", kernel_risk},
                                               {"linear_ridge", linear_ridge},
                                               {"u_matrix", u_matrix},
                                               {"noise_variance", noise_variance},
                                               {"affine", affine},
                                               {"huber", huber},
                                               {"lasso", lasso},
                                               {"basic", basic_kind},
                                               {"mc_divergence", mc_divergence},
                                               {"density_ratio", density_ratio},
                                               {"iwls", iwls},
                                               {"linear", adaptive_linear},
                                               {"mackay", mackay},
                                               {"argmin", argmin},
                                               {"mlp", mlp}};
  return all;
}

Matrix matrix_of(const Json& rows) {
  const Index n = static_cast<Index>(rows.size());
  if (n == 0 || !rows[0].is_array()) return vector_from_json(rows);
  Matrix m(n, static_cast<Index>(rows[0].size()));
  for (Index i = 0; i < n; ++i) m.row(i) = vector_from_json(rows[static_cast<std::size_t>(i)]).transpose();
  return m;
}

Json rows_of(const Matrix& m) {
  auto json = Json::array();
  for (Index i = 0; i < m.rows(); ++i) json.push_back(vector_to_json(m.row(i).transpose()));
  return json;
}

int argmin_of(const Vector& values) {
  int best = -1;
  for (Index i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i]) && (best < 0 || values[i] < values[best])) best = static_cast<int>(i);
  }
  return best;
}

}  // namespace gnomon::golden
