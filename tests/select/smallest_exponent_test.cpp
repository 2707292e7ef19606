// Importance-weighted leave-one-out, its choice of the exponent, and the errors of differences between exponents, against refits
// and matrices written out.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/select/selection.hpp"

namespace gnomon::smallest_exponent_test {
namespace {

constexpr Index exponents = 11;

/// A parabola, which a line cannot follow; test inputs lie to the right.
struct Shifted {
  TrainingData data;
  Matrix design;  ///< with a column of ones

  explicit Shifted(Index n, std::uint64_t stream = 0) {
    Random random(61, stream);
    Matrix x = random.normal_vector(n);
    const Vector y = 0.4 * x.col(0).array().square() + 0.6 * random.normal_vector(n).array();
    Vector ratio(n);
    for (Index i = 0; i < n; ++i)
      ratio[i] = std::exp(0.5 * x(i, 0) * x(i, 0) - 0.5 * std::pow((x(i, 0) - 0.5) / 0.8, 2));
    design = Matrix::Ones(n, 2);
    design.col(0) = x.col(0);
    data = TrainingData{std::move(x), y, Vector(), {"y"}};
    data.importance = ratio;
  }

  Vector weight(Index k) const {
    return data.importance.array().pow(static_cast<double>(k) / (exponents - 1));
  }
  /// Coefficients from y under an exponent, a row left out where it is named.
  Matrix map(Index k, Index without = -1) const {
    Vector v = weight(k);
    if (without >= 0) v[without] = 0;
    const Matrix weighted = design.transpose() * v.asDiagonal();
    return (weighted * design).ldlt().solve(weighted);
  }
  Vector left_out_squares(Index k) const {
    Vector out(design.rows());
    for (Index i = 0; i < out.size(); ++i)
      out[i] = std::pow(data.y(i, 0) - design.row(i).dot(map(k, i) * data.y.col(0)), 2);
    return out;
  }
};

SelectionRequest request_for(const char* criterion) {
  SelectionRequest request;
  request.learner = "iwls";
  request.flattening = "0:1:11";
  request.criteria = {criterion};
  return request;
}

double mean_of(const Vector& values, const Vector& ratio) { return ratio.dot(values) / ratio.sum(); }

double error_of_mean(const Vector& values, const Vector& ratio) {
  const double n = static_cast<double>(values.size());
  const Vector each = ratio.array() * (values.array() - mean_of(values, ratio));
  return each.norm() / ratio.sum() * std::sqrt(n / (n - 1));
}

TEST(SmallestExponent, ImportanceWeightedLeaveOneOutIsThatOfRefits) {
  const Shifted s(30);
  const Selection selection = select(s.data, request_for("iwloo"));
  const CriterionCurve& curve = selection.targets[0].chosen().curve;
  ASSERT_EQ(curve.value.size(), exponents);
  Index least = 0;
  curve.value.minCoeff(&least);
  const Vector best = s.left_out_squares(least);
  for (Index k = 0; k < exponents; ++k) {
    const Vector squares = s.left_out_squares(k);
    const double wanted = mean_of(squares, s.data.importance);
    EXPECT_NEAR(curve.value[k], wanted, 1e-9 * wanted) << k;
    EXPECT_NEAR(curve.standard_error[k], error_of_mean(squares, s.data.importance), 1e-9 * wanted) << k;
    EXPECT_NEAR(curve.difference_error[k], error_of_mean(squares - best, s.data.importance), 1e-9 * wanted)
        << k;
  }
}

TEST(SmallestExponent, IsTakenWithinAThirdOfAStandardErrorOfTheDifference) {
  int moved = 0;
  for (std::uint64_t stream = 0; stream < 20; ++stream) {
    const Shifted s(40, stream);
    const Selection selection = select(s.data, request_for("iwloo"));
    const PathOutcome& chosen = selection.targets[0].path()->chosen();
    const CriterionCurve& curve = chosen.curve;
    Index least = 0;
    curve.value.minCoeff(&least);
    Index wanted = 0;
    while (wanted < least && curve.value[wanted] - curve.value[least] > 0.3 * curve.difference_error[wanted])
      ++wanted;
    EXPECT_DOUBLE_EQ(chosen.tuning, static_cast<double>(wanted) / (exponents - 1)) << stream;
    EXPECT_EQ(chosen.selected->value, curve.value[wanted]) << stream;
    moved += wanted < least;
  }
  EXPECT_GT(moved, 3);
}

TEST(SmallestExponent, OneExponentLeavesNothingToChoose) {
  const Shifted s(30);
  SelectionRequest request = request_for("iwloo");
  request.flattening = 0.5;
  const Selection selection = select(s.data, request);
  EXPECT_EQ(selection.targets[0].path()->chosen().tuning, 0.5);
  EXPECT_EQ(selection.targets[0].chosen().curve.difference_error[0], 0);
}

TEST(SmallestExponent, NeedsImportanceWeights) {
  Shifted s(30);
  s.data.importance = Vector();
  SelectionRequest request = request_for("iwloo");
  request.learner = "ridge";
  request.flattening = {};
  EXPECT_THROW(select(s.data, request), Error);
}

TEST(SmallestExponent, ErrorsOfDifferencesOfJhatAreThoseOfTheirQuadraticForm) {
  const Shifted s(25);
  constexpr double sigma2 = 0.36;
  const Matrix points = Vector::LinSpaced(7, -0.5, 1.5);
  const Vector omega = Vector::LinSpaced(7, 1, 2) / 10.5;
  SelectionRequest request = request_for("sic");
  request.noise = sigma2;
  request.metric = Metric{Metric::Kind::points, {points, omega}, "test"};
  const Selection selection = select(s.data, request);
  const CriterionCurve& curve = selection.targets[0].chosen().curve;
  ASSERT_EQ(curve.difference_error.size(), exponents);
  Matrix at = Matrix::Ones(7, 2);
  at.col(0) = points.col(0);
  const Matrix u = omega.asDiagonal();
  const Matrix reference = at * s.map(exponents - 1);
  const auto form = [&](Index k) -> Matrix {
    const Matrix l = at * s.map(k), cross = l.transpose() * u * reference;
    return l.transpose() * u * l - cross - cross.transpose();
  };
  Index least = 0;
  curve.value.minCoeff(&least);
  const Matrix best = form(least);
  for (Index k = 0; k < exponents; ++k) {
    const Matrix b = form(k) - best;
    const double variance =
        4 * sigma2 * (b * s.data.y.col(0)).squaredNorm() - 2 * sigma2 * sigma2 * b.squaredNorm();
    EXPECT_NEAR(curve.difference_error[k], std::sqrt(std::max(0.0, variance)), 1e-7) << k;
    // What the two have in common drops out.
    if (std::abs(k - least) == 1) {
      EXPECT_LT(curve.difference_error[k], 0.5 * curve.standard_error[k]) << k;
    }
  }
}

}  // namespace
}  // namespace gnomon::smallest_exponent_test
