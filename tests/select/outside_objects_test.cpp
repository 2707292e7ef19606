// Kernels, bases and noise methods from outside the library, handed to select() as objects.

#include <gtest/gtest.h>

#include <cmath>

#include "../report/studies.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/learn/model_file.hpp"
#include "gnomon/noise/noise.hpp"
#include "gnomon/report/writers.hpp"
#include "gnomon/select/selection.hpp"

namespace gnomon::outside_objects_test {
namespace {

/// Ours under another name.
struct Bell {
  double width = 1;
  static constexpr std::string_view name = "bell";
  double operator()(double squared_distance) const {
    return exponential(squared_distance * (-0.5 / (width * width)));
  }
};

/// Not positive semidefinite.
struct Parabola {
  static constexpr std::string_view name = "parabola";
  double operator()(double squared_distance) const { return std::max(0.0, 1 - squared_distance); }
};

std::string complaint(const SelectionRequest& request) {
  try {
    testing::small_study(request);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

double difference(const Vector& a, const Vector& b) { return (a - b).norm() / b.norm(); }

const TargetSelection& target_of(const Study& study) { return study.selection.targets.front(); }
const SelectionPath& path_of(const Study& study) { return *target_of(study).path(); }

TEST(OutsideKernel, GivesTheNumbersOfOursWhereItIsOurs) {
  struct Case {
    std::string learner, penalty, strategy;
    std::vector<std::string> criteria;
  };
  const std::vector<Case> cases{
      {"kernel-ridge", "function", "auto", {"loo", "gcv", "sic", "cv:5", "evidence"}},
      {"kernel-ridge", "function", "tridiagonal", {"gcv", "sic"}},
      {"kernel-ridge", "function", "pivoted-cholesky", {"gcv", "sic"}},
      {"kernel-ridge", "coefficients", "full", {"loo", "gcv"}},
      {"spectral-cutoff", "function", "auto", {"cv:5", "gcv"}},
      {"landweber", "function", "auto", {"cv:5", "gcv"}},
      {"svr", "function", "auto", {"cv:5"}}};
  for (const Case& c : cases) {
    SelectionRequest request = testing::asking_for(c.criteria);
    request.learner = c.learner;
    request.penalty = c.penalty;
    request.strategy = c.strategy;
    request.width = {0.3, 0.6, 1.2};
    // Well above the rounding of a matrix of 30 rows: kernels differ in the last digit, by the instructions they run on.
    request.lambda = {0.1, 1, 10};
    request.search = Search::grid;
    const Study known = testing::small_study(request);
    request.kernel = Bell{};
    const Study own = testing::small_study(request);
    EXPECT_EQ(path_of(own).chosen().width, path_of(known).chosen().width) << c.learner;
    EXPECT_EQ(path_of(own).chosen().lambda, path_of(known).chosen().lambda) << c.learner;
    EXPECT_LE(difference(target_of(own).fitted, target_of(known).fitted), 1e-12) << c.learner;
    for (std::size_t k = 0; k < c.criteria.size(); ++k)
      EXPECT_LE(difference(path_of(own).criteria[k].curve.value, path_of(known).criteria[k].curve.value),
                1e-12)
          << c.learner << " " << c.criteria[k];
    // Away from the rows large coefficients cancel.
    const Matrix x = Vector::LinSpaced(9, -2, 2);
    EXPECT_LE(difference(own.selection.model.predict(x), known.selection.model.predict(x)), 1e-9)
        << c.learner;
  }
}

TEST(OutsideKernel, BringsItsWidthUnlessOthersAreNamed) {
  SelectionRequest request = testing::asking_for({"gcv"});
  request.kernel = Bell{0.7};
  EXPECT_EQ(path_of(testing::small_study(request)).chosen().width, 0.7);
  request.width = 0.4;
  EXPECT_EQ(path_of(testing::small_study(request)).chosen().width, 0.4);
  EXPECT_THROW(KernelChoice(Bell{-1}), Error);
  EXPECT_FALSE(KernelChoice(Gaussian{2}).is_own());
  EXPECT_TRUE(KernelChoice(Bell{2}).is_own());
}

TEST(OutsideKernel, IsCalledByItsNameInEveryReport) {
  SelectionRequest request = testing::asking_for({"gcv"});
  request.kernel = Bell{0.7};
  const Study study = testing::small_study(request);
  EXPECT_NE(text_report(study, false).find("bell kernel of width 0.7"), std::string::npos);
  EXPECT_NE(html_report(study).find("bell kernel of width 0.7"), std::string::npos);
  const auto json = json_report(study);
  EXPECT_EQ(json["learner"]["kernel"], "bell");
  EXPECT_EQ(json["settings"]["asked"]["kernel"], "bell");
  EXPECT_EQ(json["settings"]["used"]["kernel"], "bell kernel of width 0.7");
  EXPECT_EQ(json["settings"]["used"]["width"], 0.7);
}

TEST(OutsideKernel, RefusesWhatItCannotGive) {
  SelectionRequest request = testing::asking_for({"gcv"});
  request.kernel = Bell{};
  request.search = Search::gradient;
  EXPECT_NE(complaint(request).find("needs the derivative of the kernel, which 'bell' does not have"),
            std::string::npos);
  request.search = Search::refine;
  const SavedModel saved{{}, {}, testing::small_study(request).selection.model, {"y"}, ""};
  try {
    encode_model(saved);
    FAIL() << "was saved";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("kernel 'bell' cannot be saved to a file"), std::string::npos);
  }
  request.kernel = Parabola{};
  for (const char* learner : {"kernel-ridge", "spectral-cutoff", "svr"}) {
    request.learner = learner;
    EXPECT_NE(complaint(request).find("kernel 'parabola' is not positive semidefinite"), std::string::npos)
        << learner;
  }
}

NoiseMethod halves() {
  return {.name = "halves", .words = "half of the target's variance", .estimate = [](const NoiseContext& c) {
            return one_variance((c.y.array() - c.y.mean()).square().mean() / 2);
          }};
}

TEST(OutsideNoiseMethod, IsUsedAndNamedInEveryReport) {
  SelectionRequest request = testing::asking_for({"cp"});
  request.noise = halves();
  const Study study = testing::small_study(request);
  const double half = (study.y.array() - study.y.mean()).square().mean() / 2;
  EXPECT_NEAR(target_of(study).noise.at(0), half, 1e-14);
  const auto json = json_report(study);
  EXPECT_EQ(json["noise_variance"]["method"], "halves");
  EXPECT_EQ(json["noise_variance"]["reason"], "half of the target's variance");
  EXPECT_EQ(json["settings"]["asked"]["noise"], "halves");
  EXPECT_EQ(json["settings"]["used"]["noise"], "halves");
  EXPECT_NE(html_report(study).find("halves"), std::string::npos);
  EXPECT_NE(text_report(study, false).find("halves"), std::string::npos);
  request.noise = half;
  EXPECT_LE(
      (path_of(testing::small_study(request)).chosen().curve.value - path_of(study).chosen().curve.value)
          .norm(),
      1e-12);
}

TEST(OutsideNoiseMethod, SaysWhatItLacksAndWhereItDoesNotBelong) {
  SelectionRequest request = testing::asking_for({"cp"});
  NoiseMethod picky = halves();
  picky.lacks = [](const NoiseContext&) { return "needs better data"; };
  request.noise = picky;
  EXPECT_EQ(complaint(request), "noise method 'halves' needs better data");
  NoiseMethod moving = halves();
  moving.follows_path = true;
  request.noise = moving;
  request.learner = "ridge";
  request.groups = "each";
  EXPECT_NE(complaint(request).find("`noise` halves follows a path of one lambda"), std::string::npos);
  EXPECT_THROW(NoiseChoice(NoiseMethod{.name = "empty", .words = "", .estimate = {}}), Error);
}

/// Hinges at −1/2, 0 and 1/2, beside the line.
OwnBasis hinges() {
  return {.name = "hinges",
          .functions = {"line", "hinge at -0.5", "hinge at 0", "hinge at 0.5"},
          .design = [](const MatrixView& x) {
            Matrix phi(x.rows(), 4);
            phi << x.col(0), (x.col(0).array() + 0.5).max(0), x.col(0).array().max(0),
                (x.col(0).array() - 0.5).max(0);
            return phi;
          }};
}

TEST(OutsideBasis, ServesEveryLearnerOnABasis) {
  for (const char* learner : {"ridge", "lasso", "huber"}) {
    SelectionRequest request = testing::asking_for({"cv:5"});
    request.learner = learner;
    request.basis = hinges();
    const Study study = testing::small_study(request);
    EXPECT_EQ(study.selection.model.linear()->coefficients.rows(), 4);
    EXPECT_NE(text_report(study, false).find("hinges basis"), std::string::npos);
    EXPECT_EQ(json_report(study)["learner"]["basis"], "hinges");
  }
}

TEST(OutsideBasis, RefusesWhatItCannotGive) {
  SelectionRequest request = testing::asking_for({"gcv"});
  request.learner = "ridge";
  OwnBasis wrong = hinges();
  wrong.functions.pop_back();
  request.basis = wrong;
  EXPECT_NE(complaint(request).find("basis 'hinges' made a design of 30 rows and 4 columns"),
            std::string::npos);
  wrong = hinges();
  wrong.design = [](const MatrixView& x) { return Matrix::Constant(x.rows(), 4, NAN); };
  request.basis = wrong;
  EXPECT_EQ(complaint(request), "basis 'hinges' is infinite or not a number for some row");
  EXPECT_THROW(Basis::of({}), Error);
  EXPECT_THROW(Basis::of(hinges()).to_json(), Error);
}

}  // namespace
}  // namespace gnomon::outside_objects_test
