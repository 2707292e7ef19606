// Choosing the λ of a lasso by SIC, with the error measured at inputs of our own choice, beside BASIC and
// cross-validation; and the path itself, for those who want more than the answer.

#include <fmt/format.h>
#include <gnomon/gnomon.hpp>

using namespace gnomon;

int main() {
  Random random(7);
  const Synthetic train = make_synthetic("linear:20", 80, 1.0, random);
  const Synthetic test = make_synthetic("linear:20", 500, 0.0, random);
  const TrainingData data{.x = train.x, .y = train.y, .weight = {}, .target_names = {"y"}};
  const auto true_error = [&](const Selection& s) {
    return (s.model.predict(test.x).col(0) - test.truth).squaredNorm() / 500;
  };

  SelectionRequest request{.learner = "lasso", .criteria = {"sic", "basic", "cv"}};
  request.metric = Metric{Metric::Kind::points, {test.x, Vector::Constant(500, 1.0 / 500)}, "test"};
  const Selection result = select(data, request);
  const TargetSelection& y = result.targets.front();
  const SelectionPath& found = *y.path();
  fmt::print("sic takes the {}; noise variance {:.3f} by {}\n", y.chosen().curve.covariance, y.noise.at(0),
             y.noise.method);
  for (const PathOutcome& c : found.criteria)
    fmt::print("{:6} would choose lambda = {:.4g}\n", c.label, c.lambda);
  fmt::print("chosen by sic: {} of {} coefficients, duality gap {:.1e}, true error {:.4f}\n",
             found.solution->active.size(), train.x.cols(), found.solution->gap, true_error(result));
  for (const auto& warning : y.warnings) fmt::print("warning: {}\n", warning);

  // The solver alone. λ multiplies the penalty against the sum of squares, so at λ_max = 2·max|Φᵀ(y − ȳ)| all is zero.
  const ElasticNet lasso({.features = std::make_shared<const Matrix>(train.x)});
  const std::vector<double> grid = lasso.automatic_grid(train.y);
  const std::vector<PathFit> path = lasso.path(train.y, grid);
  for (std::size_t k = 0; k < path.size(); k += 20)
    fmt::print("lambda {:8.3g}: {:2} columns, df {:4.1f}, objective {:8.3f}\n", path[k].lambda,
               path[k].active.size(), path[k].df, path[k].objective);

  const double null_error = (test.truth.array() - train.y.mean()).square().mean();
  return path.back().active.empty() && true_error(result) < 0.25 * null_error ? 0 : 1;
}
