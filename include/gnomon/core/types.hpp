#pragma once

#include <Eigen/Core>
#include <limits>

namespace gnomon {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using MatrixView = Eigen::Ref<const Matrix>;
using VectorView = Eigen::Ref<const Vector>;

/// A number that does not exist: never 0 or an accident of rounding. Reports say so in words, JSON says null.
inline constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

/// The distance from 1 to the next number: rounding is half of it, relative.
inline constexpr double machine_epsilon = std::numeric_limits<double>::epsilon();

}  // namespace gnomon
