#include "gaussian_mixture_ratio.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"
#include "represent/gram.hpp"

namespace gnomon {

Matrix gaussian_features(const MatrixView& x, const MatrixView& centres, double width) {
  require(std::isfinite(width) && width > 0, "the kernel width is {}: it must be positive and finite", width);
  return cross_gram(Gaussian{width}, x, centres);
}

Vector GaussianMixtureRatio::at(const MatrixView& x) const {
  constexpr Index kRows = 4096;
  Vector w(x.rows());
  for (Index begin = 0; begin < x.rows(); begin += kRows) {
    const Index size = std::min(kRows, x.rows() - begin);
    const Matrix features = gaussian_features(x.middleRows(begin, size), centres, width);
    // Column by column, so that a row's answer does not depend on the rows beside it.
    auto part = w.segment(begin, size);
    part.setZero();
    for (Index k = 0; k < theta.size(); ++k)
      if (theta[k] != 0) part += theta[k] * features.col(k);
  }
  return w;
}

}  // namespace gnomon
