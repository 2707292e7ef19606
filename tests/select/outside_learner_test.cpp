// A learner from outside the library, through public headers alone: its entry is handed to select() in the request.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include <cmath>

#include "../report/studies.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/learn/path_solver.hpp"
#include "gnomon/report/writers.hpp"
#include "gnomon/select/selection.hpp"

namespace gnomon::outside_learner_test {
namespace {

/// minimise Σ (y − b − φᵀa)² + λ Σ_j j^power a_j²: later columns are penalised more.
class Tapered final : public PathSolver {
 public:
  Tapered(const SolverDesign& design, double power) : design_(design), power_(power) {}

  std::string_view name() const override { return "tapered"; }
  Dependence dependence() const override { return Dependence::continuous; }
  std::vector<PathFit> path(const VectorView& y, std::span<const double> lambdas) const override {
    std::vector<PathFit> fits;
    for (const double lambda : lambdas) fits.push_back(refit(y, lambda, {}));
    return fits;
  }
  PathFit refit(const VectorView& y, double lambda, const PathFit&) const override {
    const Matrix& phi = *design_.features;
    const Vector w = design_.weight.size() ? design_.weight : Vector::Ones(phi.rows());
    const Vector mean = phi.transpose() * w / w.sum();
    const double level = w.dot(Vector(y)) / w.sum();
    const Matrix centred = phi.rowwise() - mean.transpose();
    Matrix normal = centred.transpose() * w.asDiagonal() * centred;
    for (Index j = 0; j < normal.cols(); ++j)
      normal(j, j) += lambda * std::pow(static_cast<double>(j + 1), power_);
    const Vector deviation = y.array() - level;
    PathFit fit;
    fit.lambda = lambda;
    fit.coefficients = normal.ldlt().solve(centred.transpose() * w.cwiseProduct(deviation));
    fit.offset = level - mean.dot(fit.coefficients);
    fit.gap = 0;
    fit.rss = w.dot((Vector(y) - phi * fit.coefficients).array().operator-(fit.offset).square().matrix());
    return fit;
  }
  double trace(const PathFit&, const MatrixView&) const override { return undefined; }
  std::vector<double> automatic_grid(const MatrixView&) const override { return {0.01, 0.1, 1, 10}; }

 private:
  SolverDesign design_;
  double power_;
};

LearnerEntry tapered() {
  return {.name = "tapered",
          .inputs = Inputs::basis,
          .solver = [](const SolverSetting& setting) -> SolverFactory {
            return [power = setting.tuning](const SolverDesign& design, const CentredGram*) {
              return std::make_unique<Tapered>(design, power);
            };
          },
          .tuning = TuningParameter{.name = "power", .automatic = [](const TuningContext&) {
                                      return std::vector<double>{0, 2, 4};
                                    }}};
}

SelectionRequest asking_tapered() {
  SelectionRequest request = testing::asking_for({"cv:5"});
  request.learner = tapered();
  request.basis = "polynomial:5";
  return request;
}

TEST(OutsideLearner, ChoosesItsOwnTuningParameter) {
  const Study study = testing::small_study(asking_tapered());
  const SelectionPath& t = *study.selection.targets.front().path();
  EXPECT_EQ(t.tuning_name, "power");
  EXPECT_EQ(t.lambda.size(), 12u);  // three powers, four λ
  EXPECT_EQ(study.selection.model.linear()->coefficients.col(0), t.solution->coefficients);
  SelectionRequest request = asking_tapered();
  request.tuning = {1, 3};
  request.lambda = {0.5, 5};
  EXPECT_EQ(testing::small_study(request).selection.targets.front().path()->tuning,
            (std::vector<double>{1, 1, 3, 3}));
}

TEST(OutsideLearner, IsCalledByItsNameInEveryReport) {
  const Study study = testing::small_study(asking_tapered());
  EXPECT_NE(text_report(study, false).find("tapered"), std::string::npos);
  EXPECT_NE(html_report(study).find("tapered"), std::string::npos);
  const auto json = json_report(study);
  EXPECT_EQ(json["learner"]["name"], "tapered");
  EXPECT_TRUE(json["learner"]["power"].is_number());
  EXPECT_EQ(json["path"]["power"].size(), 12u);
  EXPECT_EQ(json["settings"]["asked"]["power"], "auto");
  EXPECT_EQ(json["settings"]["used"]["power"], json["learner"]["power"]);
  EXPECT_EQ(json["settings"]["used"]["learner"], "tapered");
}

TEST(OutsideLearner, EqualsRidgeWhereItIsRidge) {
  SelectionRequest request = asking_tapered();
  request.tuning = 0;
  request.lambda = {0.1, 1, 10};
  SelectionRequest ridge = request;
  ridge.learner = "ridge";
  ridge.search = Search::grid;
  const Study own = testing::small_study(request), known = testing::small_study(ridge);
  const Vector difference = own.selection.targets[0].fitted - known.selection.targets[0].fitted;
  EXPECT_LT(difference.norm(), 1e-8);
}

/// A criterion of its own beside it: half of the way between GCV and the training error, for the sake of having one.
inline constexpr Criterion halfway{.name = "halfway",
                                   .words = "the mean of gcv and the training error",
                                   .estimates = "nothing in particular",
                                   .formula = CountsFormula([](auto a, const Given&) {
                                     return 0.5 * (a.n * a.rss / (a.left * a.left) + a.rss / a.n);
                                   })};

TEST(OutsideCriterion, ChoosesAndShowsUpLikeOurs) {
  SelectionRequest request = testing::asking_for({});
  request.learner = "ridge";
  request.own_criteria = {halfway};
  const Study study = testing::small_study(request);
  const SelectionPath& t = *study.selection.targets.front().path();
  EXPECT_EQ(t.chosen().label, "halfway");
  request.own_criteria = {};
  request.criteria = {"gcv"};
  const Vector by_gcv = testing::small_study(request).selection.targets.front().chosen().curve.value;
  EXPECT_LE((t.chosen().curve.value - 0.5 * (by_gcv + t.train_error)).norm(), 1e-12 * by_gcv.norm());
  EXPECT_NE(text_report(study, false).find("halfway"), std::string::npos);
  EXPECT_NE(html_report(study).find("the mean of gcv and the training error"), std::string::npos);
  EXPECT_TRUE(json_report(study)["path"]["criteria"].contains("halfway"));
}

TEST(OutsideCriterion, HasAGradientOfItsOwn) {
  SelectionRequest request = testing::asking_for({});
  request.learner = "ridge";
  request.groups = "each";
  request.own_criteria = {halfway};
  const Study study = testing::small_study(request);
  EXPECT_EQ(study.selection.targets.front().chosen().label, "halfway");
  EXPECT_TRUE(std::isfinite(study.selection.targets.front().chosen().selected->value));
}

}  // namespace
}  // namespace gnomon::outside_learner_test
