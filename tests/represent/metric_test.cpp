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
