#include "gnomon/data/weights.hpp"

#include <cmath>

#include "gnomon/core/error.hpp"

namespace gnomon {

void check_weights(const VectorView& w) {
  for (Index i = 0; i < w.size(); ++i)
    require(std::isfinite(w[i]) && w[i] >= 0, "weight {} is {}: weights must be finite and 0 or more", i + 1,
            w[i]);
  require(w.size() > 0 && w.maxCoeff() > 0,
          "no row has a positive weight: the test inputs lie where there are no training rows");
}

double effective_sample_size(const VectorView& w) {
  const double top = w.size() > 0 ? w.maxCoeff() : 0;
  if (!(top > 0)) return undefined;
  const Vector scaled = w / top;  // squares of the largest weights must not overflow
  const double sum = scaled.sum();
  return sum * sum / scaled.squaredNorm();
}

Vector flattened(const VectorView& w, double exponent) {
  require(std::isfinite(exponent) && exponent >= 0,
          "the flattening exponent is {}: give a number of 0 or more (1 = full weights)", exponent);
  if (exponent == 0) return Vector::Ones(w.size());
  if (exponent == 1) return w;
  return w.unaryExpr([exponent](double v) { return v > 0 ? std::pow(v, exponent) : 0.0; });
}

}  // namespace gnomon
