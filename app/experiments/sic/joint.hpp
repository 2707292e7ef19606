#pragma once

#include <Eigen/Geometry>
#include <cmath>

namespace gnomon::experiments {

/// A revolute joint and its link in the standard convention of Denavit and Hartenberg (1955): the next frame is reached by a
/// rotation of the joint's angle about z, shifts by `offset` along z and by `length` along x, and a rotation of `twist` about x.
struct Joint {
  double twist, length, offset;

  /// From coordinates of the next frame to those of this one.
  Eigen::Matrix3d rotation(double angle) const {
    const double c = std::cos(angle), s = std::sin(angle), ct = std::cos(twist), st = std::sin(twist);
    Eigen::Matrix3d r;
    r << c, -s * ct, s * st,  //
        s, c * ct, -c * st,   //
        0, st, ct;
    return r;
  }
  /// Origin of the next frame seen from this one, in coordinates of the next frame.
  Eigen::Vector3d step() const { return {length, offset * std::sin(twist), offset * std::cos(twist)}; }
};

}  // namespace gnomon::experiments
