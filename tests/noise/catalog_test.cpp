// Every method that has a name, and methods that have none.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/learn/filters.hpp"
#include "gnomon/noise/local.hpp"
#include "gnomon/noise/noise.hpp"

namespace gnomon::catalog_test {
namespace {

/// Ridge on columns of which the first matters, noise of variance 0.04.
struct Prepared {
  Matrix x;
  Vector y;
  Smoother learner;
  std::vector<double> lambdas{0.01, 1, 100};
  std::vector<Counts> counts;

  explicit Prepared(Index columns, bool intercept = true, const Filter& filter = tikhonov)
      : x(normal(80, columns, 5)),
        y(x.col(0) + 0.2 * normal(80, 1, 6).col(0)),
        learner(x, y, Vector(),
                {.representation = Basis::fit("linear", x), .filter = filter, .intercept = intercept}) {
    counts = learner.counts(points_of(lambdas), 0, false, false);
  }

  NoiseContext context() const { return {learner, lambdas, counts, 0, x, y, Vector()}; }

  static Matrix normal(Index rows, Index columns, std::uint64_t seed) {
    Random random(seed);
    Matrix values(rows, columns);
    for (Index j = 0; j < columns; ++j)
      for (Index i = 0; i < rows; ++i) values(i, j) = random.normal();
    return values;
  }
};

template <class Call>
std::string message(const Call& call) {
  try {
    call();
  } catch (const Error& problem) {
    return problem.what();
  }
  return "";
}

TEST(NoiseCatalog, EveryMethodAnswersOrSaysWhatItLacks) {
  const Prepared one(1), three(3);
  for (const auto& method : noise_catalog()) {
    for (const Prepared* data : {&one, &three}) {
      const std::string missing = method.lacks ? method.lacks(data->context()) : "";
      if (!missing.empty()) {
        EXPECT_EQ(message([&] { estimate_noise(method.name, data->context()); }),
                  "noise method '" + method.name + "' " + missing);
        continue;
      }
      const NoiseVariance noise = estimate_noise(method.name, data->context());
      EXPECT_FALSE(noise.method.empty() || noise.reason.empty()) << method.name;
      EXPECT_EQ(noise.value.size(), method.follows_path ? 3 : 1) << method.name;
      EXPECT_EQ(noise.at_point != nullptr, method.follows_path) << method.name;
      EXPECT_TRUE(noise.wanted) << method.name;
      if (method.name == "pure-error") {
        EXPECT_TRUE(std::isnan(noise.at(0)));  // no row is repeated
      } else if (data == &one) {
        EXPECT_NEAR(noise.at(0), 0.04, 0.03) << method.name;
      }
    }
  }
}

TEST(NoiseCatalog, NamesThatStandForOthersSayWhichTheyTook) {
  const Prepared one(1), three(3);
  EXPECT_EQ(estimate_noise("difference", one.context()).method, "gsj");
  EXPECT_EQ(estimate_noise("difference", three.context()).method, "nearest");
  EXPECT_EQ(estimate_noise("difference", three.context()).at(0), *nearest(three.x, three.y));
  EXPECT_EQ(estimate_noise("auto", three.context()).method, "ols");
  EXPECT_EQ(estimate_noise("0.5", three.context()).method, "given");
  EXPECT_EQ(estimate_noise("0.5", three.context()).at(0), 0.5);
}

TEST(NoiseCatalog, SaysWhereItWasTaken) {
  const Prepared data(3);
  EXPECT_TRUE(estimate_noise("gcv", data.context()).at_gcv_minimum);
  for (const char* name : {"auto", "residual", "cv", "ml", "nearest", "1"})
    EXPECT_FALSE(estimate_noise(name, data.context()).at_gcv_minimum) << name;
}

TEST(NoiseCatalog, OnlyWhatFollowsThePathMovesAlongIt) {
  const Prepared data(3);
  const std::vector<Counts> elsewhere =
      data.learner.counts(points_of(std::vector<double>{5, 7}), 0, false, false);
  const NoiseVariance moved = estimate_noise("residual", data.context()).along(elsewhere);
  ASSERT_EQ(moved.value.size(), 2);
  for (const Index k : {0, 1})
    EXPECT_EQ(moved.at(k), residual_variance(elsewhere[static_cast<std::size_t>(k)]));
  const NoiseVariance still = estimate_noise("gcv", data.context());
  EXPECT_EQ(still.along(elsewhere).value, still.value);
}

TEST(NoiseCatalog, NeedsAreSaid) {
  const Prepared plain(3, false), iterated(3, true, landweber);
  EXPECT_EQ(message([&] { estimate_noise("reml", plain.context()); }),
            "noise method 'reml' needs an intercept; use ml");
  EXPECT_EQ(message([&] { estimate_noise("ml", iterated.context()); }),
            "noise method 'ml' needs a learner with a Gaussian prior: ridge or kernel-ridge");
  EXPECT_EQ(message([&] { estimate_noise("rice", plain.context()); }),
            "noise method 'rice' needs one input column, not 3; use nearest or gcv");
}

TEST(NoiseCatalog, AnUnknownNameIsAnError) {
  const Prepared data(1);
  for (const char* name : {"nearset", "", "Auto", "given", "none", "gsj "}) {
    EXPECT_THROW(find_noise_method(name), UsageError) << name;
    EXPECT_THROW(estimate_noise(name, data.context()), UsageError) << name;
  }
  EXPECT_NE(message([] { find_noise_method("nearset"); }).find("nearest"), std::string::npos);
  EXPECT_THROW(find_noise_method("-1"), Error);
}

TEST(NoiseCatalog, TakesAMethodOfYourOwn) {
  const Prepared data(2);
  const NoiseMethod mine{
      .name = "mine",
      .words = "the mean square of the target",
      .estimate = [](const NoiseContext& c) { return one_variance(c.y.squaredNorm()); },
      .lacks = [](const NoiseContext& c) { return c.x.cols() == 2 ? "" : "needs two inputs"; }};
  const NoiseVariance noise = estimate_noise(mine, data.context());
  EXPECT_EQ(noise.method, "mine");
  EXPECT_EQ(noise.reason, "the mean square of the target");
  EXPECT_EQ(noise.at(0), data.y.squaredNorm());
  EXPECT_EQ(message([&] { estimate_noise(mine, Prepared(1).context()); }),
            "noise method 'mine' needs two inputs");
}

}  // namespace
}  // namespace gnomon::catalog_test
