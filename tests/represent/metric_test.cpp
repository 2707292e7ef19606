#include "reference/metric.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"

namespace gnomon::reference::metric_test {
namespace {

Matrix to_matrix(const nlohmann::json& rows) {
  Matrix result(static_cast<Index>(rows.size()), static_cast<Index>(rows[0].size()));
  for (Index i = 0; i < result.rows(); ++i)
    for (Index j = 0; j < result.cols(); ++j)
      result(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return result;
}

BasisFunctions golden_basis(const nlohmann::json& spec) {
  if (spec["type"] == "polynomial")
    return [degree = spec["degree"].get<Index>()](VectorView x) { return polynomial_functions(x, degree); };
  if (spec["type"] == "trigonometric")
    return [order = spec["order"].get<Index>()](VectorView x) { return trigonometric_functions(x, order); };
  const auto centres = spec["centres"].get<std::vector<double>>();
  const Vector c = Eigen::Map<const Vector>(centres.data(), static_cast<Index>(centres.size()));
  return [c, width = spec["width"].get<double>()](VectorView x) { return gaussian_functions(x, c, width); };
}

Density golden_density(const nlohmann::json& spec) {
  if (spec["type"] == "uniform") return UniformDensity{spec["a"], spec["b"]};
  return NormalDensity{spec["mean"], spec["sd"]};
}

TEST(Metric, GoldenVectors) {
#ifdef GNOMON_GOLDEN_DIR
  int cases = 0;
  if (std::filesystem::is_directory(GNOMON_GOLDEN_DIR))
    for (const auto& entry : std::filesystem::directory_iterator(GNOMON_GOLDEN_DIR)) {
      if (!entry.path().filename().string().starts_with("u_matrix-")) continue;
      ++cases;
      const auto golden = nlohmann::json::parse(std::ifstream(entry.path()));
      const auto& params = golden["params"];
      const Matrix want = to_matrix(golden["expect"]["U"]);
      const Matrix got = params.contains("source") ? metric_from_sample(to_matrix(golden["input"]["Phi_u"]))
                                                   : metric_from_density(golden_basis(params["basis"]),
                                                                         golden_density(params["density"]));
      const double rtol = golden["tol"]["U"]["rtol"], atol = golden["tol"]["U"]["atol"];
      ASSERT_EQ(got.rows(), want.rows());
      EXPECT_TRUE(((got - want).cwiseAbs().array() <= atol + rtol * want.cwiseAbs().array()).all())
          << golden["id"];
    }
  if (cases > 0) return;
#endif
  GTEST_SKIP() << "the golden vectors are not here";
}

TEST(Metric, SampleEqualsTheDefinition) {
  Random random(1);
  Matrix phi(23, 4);
  for (Index j = 0; j < 4; ++j) phi.col(j) = random.normal_vector(23);
  const Matrix u = metric_from_sample(phi);
  EXPECT_EQ(u, u.transpose());
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 4; ++j) EXPECT_NEAR(u(i, j), phi.col(i).dot(phi.col(j)) / 23, 1e-15);
  EXPECT_THROW(metric_from_sample(Matrix(0, 3)), Error);
}

TEST(Metric, NarrowGaussiansUnderANormalDensityMatchTheClosedForm) {
  // E exp(−(x−c)²/w²) for x ~ N(m, s²) is √(w²/(w²+2s²)) exp(−(m−c)²/(w²+2s²)).
  const double m = 0.3, s = 1.5, w = 0.6;
  const Vector centres = Vector::LinSpaced(3, -1, 1);
  const Matrix u = metric_from_density([&](VectorView x) { return gaussian_functions(x, centres, w); },
                                       NormalDensity{m, s});
  for (Index j = 0; j < 3; ++j) {
    const double scale = w * w + 2 * s * s;
    EXPECT_NEAR(u(j, j), std::sqrt(w * w / scale) * std::exp(-(m - centres[j]) * (m - centres[j]) / scale),
                1e-12);
  }
}

const std::vector<Density>& wide_densities() {
  static const std::vector<Density> all{NormalDensity{0.4, 0.9}, NormalDensity{-1.2, 0.3},
                                        UniformDensity{-1, 2.5}, UniformDensity{0.5, 1.5}};
  return all;
}

TEST(Metric, ClosedFormsAreQuadratureWhereThatConverges) {
  const Vector centres = Vector::LinSpaced(4, -1, 2);
  for (const Density& density : wide_densities()) {
    const auto expect_equal = [](const Matrix& got, const Matrix& want) {
      EXPECT_LE((got - want).cwiseAbs().maxCoeff(), 1e-12 * want.cwiseAbs().maxCoeff());
    };
    expect_equal(polynomial_metric(6, density),
                 metric_from_density([](VectorView x) { return polynomial_functions(x, 6); }, density));
    expect_equal(trigonometric_metric(4, density),
                 metric_from_density([](VectorView x) { return trigonometric_functions(x, 4); }, density));
    expect_equal(
        gaussian_metric(centres, 0.8, density),
        metric_from_density([&](VectorView x) { return gaussian_functions(x, centres, 0.8); }, density));
  }
}

/// E φφᵀ by the trapezoidal rule in steps of h over lower … upper, which converges faster than any power of h for functions that
/// vanish at both ends.
Matrix by_trapezoids(const BasisFunctions& basis, const NormalDensity& density, double lower, double upper,
                     Index steps) {
  const Vector x = Vector::LinSpaced(steps + 1, lower, upper);
  const Vector away = (x.array() - density.mean) / density.sd;
  const Vector weight = (-0.5 * away.array().square()).exp() * (upper - lower) / static_cast<double>(steps) /
                        (density.sd * std::sqrt(2 * M_PI));
  const Matrix phi = basis(x);
  return phi.transpose() * weight.asDiagonal() * phi;
}

TEST(Metric, BasesFinerThanAnyQuadratureHaveTheirMetric) {
  const NormalDensity normal{0.2, 1};
  for (const double width : {0.2, 0.005, 1e-5}) {
    const Vector centres{{0.1, 0.1 + width}};
    const Matrix want = by_trapezoids([&](VectorView x) { return gaussian_functions(x, centres, width); },
                                      normal, 0.1 - 12 * width, 0.1 + 13 * width, 400);
    EXPECT_LE((gaussian_metric(centres, width, normal) - want).norm(), 1e-12 * want.norm()) << width;
    // Within a uniform density that is as good as the whole line, ∫φ_iφ_j = √π w exp(−(c_i − c_j)²/4w²).
    const Matrix flat = gaussian_metric(centres, width, UniformDensity{-3, 3});
    const double whole = std::sqrt(M_PI) * width / 6;
    EXPECT_NEAR(flat(0, 0), whole, 1e-13 * whole) << width;
    EXPECT_NEAR(flat(0, 1), whole * std::exp(-0.25), 1e-9 * whole) << width;
  }
  const NormalDensity wide{0.3, 6};
  const Matrix want =
      by_trapezoids([](VectorView x) { return trigonometric_functions(x, 12); }, wide, -60, 60, 20000);
  EXPECT_LE((trigonometric_metric(12, wide) - want).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(Metric, OddMomentsOfASymmetricDensityAreZero) {
  for (const Density& density : {Density(NormalDensity{0, 1}), Density(UniformDensity{-2, 2})}) {
    const Matrix u = polynomial_metric(12, density);
    for (Index i = 0; i < u.rows(); ++i) {
      for (Index j = 0; j < u.cols(); ++j) EXPECT_EQ(u(i, j) == 0, (i + j) % 2 == 1);
    }
  }
  EXPECT_EQ(polynomial_metric(5, NormalDensity{0, 1})(5, 5), 945);  // 9!!
}

TEST(Metric, TailsOfAGaussianKeepTheirDigits) {
  // ∫ exp(−(x−c)²/w²) over [a, b] far from c, about w²/2d exp(−d²/w²) (1 − w²/2d² + 3w⁴/4d⁴ − …), d = a − c.
  const double w = 0.5, d = 10;
  const Vector c = Vector::Zero(1);
  const double r = w * w / (2 * d * d);
  const double want = w * w / (2 * d) * std::exp(-d * d / (w * w)) *
                      (1 - r + 3 * r * r - 15 * r * r * r + 105 * r * r * r * r);
  EXPECT_NEAR(gaussian_metric(c, w, UniformDensity{d, d + 1})(0, 0), want, 1e-11 * want);
  EXPECT_NEAR(gaussian_metric(c, w, UniformDensity{-d - 1, -d})(0, 0), want, 1e-11 * want);
}

TEST(Metric, SampleMetricTendsToTheDensityMetric) {
  Random random(2);
  const Vector x = random.uniform_vector(200000, -1, 2);
  const Matrix u =
      metric_from_density([](VectorView t) { return polynomial_functions(t, 2); }, UniformDensity{-1, 2});
  EXPECT_LT((metric_from_sample(polynomial_functions(x, 2)) - u).cwiseAbs().maxCoeff(), 0.03);
}

TEST(Metric, RoughFunctionsAreRefused) {
  const auto step = [](VectorView x) { return Matrix((x.array() > 0.123).cast<double>()); };
  try {
    metric_from_density(step, UniformDensity{-1, 1});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did not converge"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace gnomon::reference::metric_test
