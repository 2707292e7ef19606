// Do fits that blow up just outside the data show it? Every training row is pushed outwards, away from the mean of the rows, by 2, 5 or
// 10 % of its distance; the reach is the largest change of the prediction on the way over the range of y. Beside it what matters: the
// test error of the fit over the upper end of its interval.
//
//   study_outside FOLDER [share] > outside.csv     one line per data set and learner

#include <cmath>
#include <cstdlib>
#include <mutex>

#include "problems.hpp"

namespace {

using namespace gnomon;
using namespace gnomon::regret;

struct Way {
  const char* name;
  void (*set)(SelectionRequest&);
};

const std::vector<Way> ways{
    {"kernel ridge", [](SelectionRequest&) {}},
    {"kernel ridge, median width, loo",
     [](SelectionRequest& r) { r.width = "median", r.criteria = {"loo"}; }},
    {"kernel ridge, 8 widths, loo", [](SelectionRequest& r) { r.width = "0.3:10:8", r.criteria = {"loo"}; }},
    {"kernel ridge, 8 widths, gcv", [](SelectionRequest& r) { r.width = "0.3:10:8", r.criteria = {"gcv"}; }},
    {"ridge", [](SelectionRequest& r) { r.learner = "ridge"; }},
    {"ridge on gaussian:20", [](SelectionRequest& r) { r.learner = "ridge", r.basis = "gaussian:20"; }},
    {"ridge on gaussian:20, loo",
     [](SelectionRequest& r) { r.learner = "ridge", r.basis = "gaussian:20", r.criteria = {"loo"}; }},
    {"ridge on polynomial:2", [](SelectionRequest& r) { r.learner = "ridge", r.basis = "polynomial:2"; }},
    {"ridge on polynomial:2, loo",
     [](SelectionRequest& r) { r.learner = "ridge", r.basis = "polynomial:2", r.criteria = {"loo"}; }},
    {"lasso", [](SelectionRequest& r) { r.learner = "lasso"; }}};

const std::vector<std::pair<Index, int>> sizes{{25, 40}, {50, 40}, {100, 20}, {200, 10}};

double reach(const Model& model, const Matrix& x, double by, double spread) {
  const Eigen::RowVectorXd centre = x.colwise().mean();
  const Matrix out = x + by * (x.rowwise() - centre);
  return (model.predict(out) - model.predict(x)).cwiseAbs().maxCoeff() / spread;
}

/// Squared error at the test rows outside the range of some training column over that of the constant there; undefined without any.
double outside(const Draw& d, const Vector& predicted) {
  const Eigen::RowVectorXd low = d.x.colwise().minCoeff(), high = d.x.colwise().maxCoeff();
  double own = 0, constant = 0;
  for (Index i = 0; i < d.x_test.rows(); ++i) {
    const auto row = d.x_test.row(i).array();
    if (!(row < low.array()).any() && !(row > high.array()).any()) continue;
    own += std::pow(predicted[i] - d.y_test[i], 2) + d.noise;
    constant += std::pow(d.y.mean() - d.y_test[i], 2) + d.noise;
  }
  return constant > 0 ? own / constant : undefined;
}

}  // namespace

int main(int argc, char** argv) {
  const double share = argc > 2 ? std::atof(argv[2]) : 1;
  std::vector<Problem> problems = real_sets(argc > 1 ? argv[1] : "../shared/data");
  for (Problem& made : made_families()) problems.push_back(std::move(made));
  const std::vector<DataSet> tasks = data_sets(problems, sizes, share, 500000);
  std::mutex lock;
  fmt::print("problem;n;way;over;outside;reach2;reach5;reach10\n");
  parallel_for(static_cast<Index>(tasks.size()), [&](Index i) {
    const DataSet& t = tasks[static_cast<std::size_t>(i)];
    const Draw d = draw(*t.problem, t.n, t.stream);
    for (const Way& way : ways) {
      SelectionRequest request;
      way.set(request);
      request.chosen_error = true;
      request.seed = t.stream;
      try {
        const Selection s = select({d.x, d.y, Vector(), {"y"}}, request);
        const Vector predicted = s.model.predict(d.x_test).col(0);
        const double error =
            (predicted - d.y_test).squaredNorm() / static_cast<double>(d.y_test.size()) + d.noise;
        const double spread = d.y.maxCoeff() - d.y.minCoeff();
        const std::lock_guard guard(lock);
        fmt::print("{};{};{};{:.4g};{:.4g};{:.4g};{:.4g};{:.4g}\n", t.problem->name, t.n, way.name,
                   error / s.targets[0].error->high, outside(d, predicted), reach(s.model, d.x, 0.02, spread),
                   reach(s.model, d.x, 0.05, spread), reach(s.model, d.x, 0.1, spread));
      } catch (const Error&) {  // gaussian:20 on too few distinct rows, gcv that may not choose
      }
    }
  });
}
