#include <cmath>

#include "learners.hpp"

namespace gnomon::learners {

double target_deviation(const TrainingData& data) {
  const Vector w = data.weight.size() ? data.weight : Vector::Ones(data.y.rows());
  const double mean = data.y.col(0).dot(w) / w.sum();
  return std::sqrt(w.dot((data.y.col(0).array() - mean).square().matrix()) / w.sum());
}

}  // namespace gnomon::learners
