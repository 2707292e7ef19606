#pragma once

#include <functional>

#include "gnomon/core/error.hpp"
#include "gnomon/learn/path_learner.hpp"

namespace gnomon {

/// Any learner at all, as a function of y and λ that returns fitted values at the training rows. It gets BASIC, and
/// Monte-Carlo SURE, SIC, GCV and the like where it is continuous in y, through the interface of every other learner:
///   BlackBox box([&](const Vector& y, double lambda) { return my_fit(y, lambda); });
///   PathLearner learner(std::make_unique<BlackBox>(box), y, Vector(), {});
/// The function is called from several threads at once; it must not change anything it shares.
class BlackBox final : public PathSolver {
 public:
  using Function = std::function<Vector(const Vector& y, double lambda)>;

  explicit BlackBox(Function fit, Dependence dependence = Dependence::continuous)
      : fit_(std::move(fit)), dependence_(dependence) {
    require(dependence == Dependence::continuous || dependence == Dependence::discontinuous,
            "a black box has no formula for its derivative; call it continuous or discontinuous");
  }

  std::string_view name() const override { return "black box"; }
  Dependence dependence() const override { return dependence_; }

  std::vector<PathFit> path(const VectorView& y, std::span<const double> lambdas) const override {
    std::vector<PathFit> fits;
    for (const double lambda : lambdas) fits.push_back(refit(y, lambda, {}));
    return fits;
  }
  PathFit refit(const VectorView& y, double lambda, const PathFit&) const override {
    PathFit fit;
    fit.lambda = lambda;
    fit.coefficients = fit_(y, lambda);
    require(fit.coefficients.size() == y.size(), "the black box returned {} fitted values for {} rows",
            fit.coefficients.size(), y.size());
    fit.rss = (y - fit.coefficients).squaredNorm();
    return fit;
  }
  double trace(const PathFit&, const MatrixView&) const override { return undefined; }
  std::vector<double> automatic_grid(const MatrixView&) const override {
    fail("a black box has no automatic grid; name the values of λ");
  }

 private:
  Function fit_;
  Dependence dependence_;
};

}  // namespace gnomon
