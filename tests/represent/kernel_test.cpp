#include "gnomon/represent/kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "gnomon/core/error.hpp"

namespace gnomon::kernel_test {
namespace {

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no UsageError";
}

TEST(Exponential, IsWithinOneUlpOfTheStandardLibrary) {
  double worst = 0;
  for (int i = 0; i <= 400000; ++i) {
    const double x = -708.0 + i * (720.0 / 400000);
    const double want = std::exp(x), ulp = std::nextafter(want, INFINITY) - want;
    worst = std::max(worst, std::abs(exponential(x) - want) / ulp);
  }
  EXPECT_LE(worst, 1.0);
}

TEST(Exponential, KeepsItsPromisesAtTheEnds) {
  EXPECT_EQ(exponential(0), 1);
  EXPECT_EQ(exponential(-0.0), 1);
  EXPECT_EQ(exponential(-1e-300), 1);
  EXPECT_EQ(exponential(-709), 0);
  EXPECT_EQ(exponential(-1e300), 0);
  EXPECT_EQ(exponential(-INFINITY), 0);
  EXPECT_GT(exponential(-708.3), 0);
  EXPECT_TRUE(std::isnan(exponential(NAN)));
}

TEST(Kernel, ValuesFollowTheFormulas) {
  const double w = 1.7, r = 0.9, r2 = r * r;
  EXPECT_NEAR(Gaussian{w}(r2), std::exp(-r2 / (2 * w * w)), 1e-15);
  EXPECT_NEAR(Laplace{w}(r2), std::exp(-r / w), 1e-15);
  EXPECT_NEAR(Matern32{w}(r2), (1 + std::sqrt(3) * r / w) * std::exp(-std::sqrt(3) * r / w), 1e-15);
  EXPECT_NEAR(Matern52{w}(r2),
              (1 + std::sqrt(5) * r / w + 5 * r2 / (3 * w * w)) * std::exp(-std::sqrt(5) * r / w), 1e-15);
  EXPECT_NEAR((Polynomial{w, 5}(r)), std::pow(1 + r / (w * w), 5), 1e-14);
  EXPECT_EQ(Linear{}(r), r);
}

TEST(Kernel, SlopesAreDerivativesByTheArgument) {
  for (const char* spec : {"gaussian", "laplace", "matern32", "matern52", "polynomial:3", "linear"}) {
    const auto check = [&]<class K>(const K& k) {
      if constexpr (requires { k.slope(1.0); }) {
        for (const double at : {1e-3, 0.3, 2.0, 9.0}) {
          const double step = 1e-4 * at, difference = (k(at + step) - k(at - step)) / (2 * step);
          EXPECT_NEAR(k.slope(at), difference, 1e-7 * std::abs(difference)) << spec << " at " << at;
        }
      } else {
        ADD_FAILURE() << spec << " has no slope";
      }
    };
    std::visit(check, parse_kernel(spec, 1.7));
  }
  EXPECT_EQ(Laplace{1.7}.slope(0), 0);  // no width acts there
}

TEST(Kernel, SpecsAndJsonGoThereAndBack) {
  for (const std::string spec : {"gaussian", "laplace", "matern32", "matern52", "polynomial:3", "linear"}) {
    const Kernel kernel = parse_kernel(spec, 0.1);
    EXPECT_EQ(kernel_spec(kernel), spec);
    const auto json = kernel_to_json(kernel);
    const Kernel back = kernel_from_json(nlohmann::json::parse(json.dump()));
    EXPECT_EQ(back.index(), kernel.index());
    EXPECT_EQ(kernel_to_json(back), json);
    EXPECT_EQ(json.contains("width"), uses_width(spec)) << spec;
  }
  EXPECT_EQ(kernel_to_json(parse_kernel("polynomial:3", 2)),
            (nlohmann::json{{"name", "polynomial"}, {"width", 2.0}, {"degree", 3}}));
  EXPECT_EQ(describe(parse_kernel("gaussian", 1.5)), "gaussian (width 1.5)");
  EXPECT_EQ(describe(parse_kernel("polynomial:3", 2)), "polynomial:3 (width 2)");
  EXPECT_EQ(describe(parse_kernel("linear", 1)), "linear");
}

TEST(Kernel, BadRequestsAreExplained) {
  const auto unknown = message_of([] { parse_kernel("gausian", 1); });
  EXPECT_NE(unknown.find("unknown kernel 'gausian'"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("did you mean 'gaussian'"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("matern32"), std::string::npos) << unknown;
  const auto elsewhere = message_of([] { parse_kernel("rbf", 1); });
  EXPECT_NE(elsewhere.find("here it is gaussian"), std::string::npos) << elsewhere;
  for (const auto* spec :
       {"polynomial", "polynomial:", "polynomial:0", "polynomial:2.5", "polynomial:-1", "polynomial:x"})
    EXPECT_NE(message_of([&] { parse_kernel(spec, 1); }).find("polynomial:3"), std::string::npos) << spec;
  for (const double width : {0.0, -1.0, static_cast<double>(NAN), static_cast<double>(INFINITY)})
    EXPECT_NE(message_of([&] { parse_kernel("laplace", width); }).find("positive and finite"),
              std::string::npos)
        << width;
  EXPECT_NE(message_of([] { parse_kernel("gaussian:2", 1); }).find("unknown kernel"), std::string::npos);
  EXPECT_NO_THROW(parse_kernel("linear", NAN));
  EXPECT_THROW(kernel_from_json(nlohmann::json{{"width", 1}}), Error);
  EXPECT_THROW(kernel_from_json(nlohmann::json{{"name", "gaussian"}}), Error);
}

}  // namespace
}  // namespace gnomon::kernel_test
