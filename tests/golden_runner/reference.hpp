#pragma once

// The metric and the reference of the SIC family as the vectors give them: matrices over the parameters.

#include <Eigen/SVD>
#include <algorithm>

#include "golden.hpp"

namespace gnomon::golden {

using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

/// U Φ⁺, which pairs noise with parameters, and the reference Φ⁺y. In extended precision, since the parts of SIC may
/// cancel to a few digits and the vectors ask for what is left.
struct Reference {
  Matrix phi, u, pairing;
  Vector y;
  Wide reference;

  /// Weights of the reference, empty = ones: Φ⁺ becomes (√W Φ)⁺ √W.
  explicit Reference(const Json& input, const Vector& weight = {})
      : phi(matrix_of(input.at("Phi"))), u(matrix_of(input.at("U"))), y(vector_from_json(input.at("y"))) {
    const Wide root =
        weight.size() ? Wide(weight.cast<long double>().cwiseSqrt()) : Wide::Ones(phi.rows(), 1);
    const Wide wide = root.col(0).asDiagonal() * phi.cast<long double>();
    const auto svd = wide.jacobiSvd(Eigen::ComputeThinU | Eigen::ComputeThinV);
    const auto& values = svd.singularValues();
    const long double cut = static_cast<long double>(std::max(phi.rows(), phi.cols())) *
                            2.220446049250313e-16L * (values.size() ? values[0] : 0);
    const Wide inverse = (values.array() > cut).select(values.cwiseInverse(), 0).matrix();
    const Wide pseudo_inverse =
        svd.matrixV() * inverse.col(0).asDiagonal() * svd.matrixU().transpose() * root.col(0).asDiagonal();
    pairing = (u.cast<long double>() * pseudo_inverse).cast<double>();
    reference = pseudo_inverse * y.cast<long double>();
  }
  long double distance(const Vector& a) const {
    const Wide wide = a.cast<long double>();
    return (wide.transpose() * (u.cast<long double>() * (wide - 2 * reference)))(0, 0);
  }
  Pairing pair() const {
    return [this](const Vector& e) { return Vector(pairing * e); };
  }
  /// (U L_u)ᵀ with an empty column for the offset that is not there.
  Matrix trace_matrix() const {
    Matrix m = Matrix::Zero(phi.rows(), phi.cols() + 1);
    m.leftCols(phi.cols()) = pairing.transpose();
    return m;
  }
};

}  // namespace gnomon::golden
