// Which criterion should choose λ (and mix, tau, the exponent) of the learners beside kernel ridge? Test error of the chosen fit
// over the least on the path, by number of rows: real sets in two halves, one to choose on and one to confirm, and families made
// on the spot. Kernel ridge itself has study_kernel_ridge.
//
//   study_learners FOLDER [share [name [most rows]]] > learners.csv
//       one line per learner, problem, n and criterion; `name`: those learners only whose name begins so; learners.py makes the
//       tables and the plot of learners.md from it
//
// Networks have no path: there the least is over the choices of all criteria and six fixed decays. Where the test error cannot be told
// from zero on both sides (a ratio of two fits that are all but exact) the ratio is counted like any other.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <mutex>

#include "problems.hpp"

namespace {

using namespace gnomon;
using namespace gnomon::regret;

enum class Design { plain, shift, series };

struct Contender {
  std::string name;
  Design design;
  double share;  ///< of the data sets: costly learners get fewer
  Index most_rows;
  std::vector<std::string> criteria;
  void (*set)(SelectionRequest&);
  Index horizon = 1;
};

const std::vector<std::string> of_smoothers{"loo", "cv", "blend", "evidence", "gcv", "aicc", "sic", "bic"};
const std::vector<std::string> of_solved{"cv", "cv:5", "sic", "gcv", "aicc", "bic"};
/// Errors of a forecast H steps ahead depend on each other over H − 1 rows.
std::vector<std::string> of_series(Index horizon) {
  return {"cv-blocked:5", "cv-blocked:10", "cv", "loo", fmt::format("gen:{}", horizon - 1),
          "blend",        "evidence"};
}
const std::vector<Contender> contenders{
    {"ridge", Design::plain, 1, 800, of_smoothers, [](SelectionRequest& r) { r.learner = "ridge"; }},
    {"ridge on polynomial:2", Design::plain, 1, 400, of_smoothers,
     [](SelectionRequest& r) { r.learner = "ridge", r.basis = "polynomial:2"; }},
    {"ridge on gaussian:20", Design::plain, 1, 800, of_smoothers,
     [](SelectionRequest& r) { r.learner = "ridge", r.basis = "gaussian:20"; }},
    {"lasso", Design::plain, 1, 800, of_solved, [](SelectionRequest& r) { r.learner = "lasso"; }},
    {"elastic net", Design::plain, 1, 800, of_solved, [](SelectionRequest& r) { r.learner = "elastic-net"; }},
    {"huber",
     Design::plain,
     1,
     800,
     {"cv", "cv:5", "sic", "evidence"},
     [](SelectionRequest& r) { r.learner = "huber"; }},
    {"svr", Design::plain, 0.25, 400, {"cv", "cv:5", "sic"}, [](SelectionRequest& r) { r.learner = "svr"; }},
    {"iwls",
     Design::shift,
     1,
     800,
     {"iwloo", "sic", "iwcv", "iwaic", "cv", "loo"},
     [](SelectionRequest& r) { r.learner = "iwls"; }},
    {"series: ridge", Design::series, 2, 400, of_series(1), [](SelectionRequest& r) { r.learner = "ridge"; }},
    {"series: ridge, 6 ahead", Design::series, 2, 400, of_series(6),
     [](SelectionRequest& r) { r.learner = "ridge"; }, 6},
    {"series: kernel ridge", Design::series, 1, 400, of_series(1), [](SelectionRequest&) {}},
    {"series: kernel ridge, 6 ahead", Design::series, 1, 400, of_series(6), [](SelectionRequest&) {}, 6},
    {"mlp", Design::plain, 0.01, 100, {"evidence", "cv:5", "gpe", "gcv"}, [](SelectionRequest& r) {
       r.learner = "mlp", r.hidden = "3", r.restarts = 2;
     }}};
const std::vector<std::pair<Index, int>> sizes{{25, 60}, {50, 60}, {100, 40}, {200, 24}, {400, 12}, {800, 6}};
const std::vector<double> fixed_decays{1e-3, 1e-2, 1e-1, 1, 10, 100};

/// Test errors of the choice of every criterion, and the least that was to be had.
struct Judged {
  std::map<std::string, double> error;
  double least = HUGE_VAL;
};

double error_of(const Draw& d, const Vector& prediction) {
  return (prediction - d.y_test).squaredNorm() / static_cast<double>(d.y_test.size()) + d.noise;
}

/// Along the path.
Vector path_errors(const Draw& d, const Selection& s) {
  const SelectionPath& path = *s.targets[0].path();
  if (path.test_error.size()) return path.test_error.array() + d.noise;
  const Smoother smoother(d.x, d.y, Vector(),
                          {.representation = s.model.linear()->representation, .filter = s.filter});
  Vector out(static_cast<Index>(path.lambda.size()));
  for (Index k = 0; k < out.size(); ++k) {
    const Matrix f = smoother.fit({&path.lambda[static_cast<std::size_t>(k)], 1}).predict(d.x_test);
    out[k] = error_of(d, f.col(0));
  }
  return out;
}

/// The point of the path that a criterion chose; −1 if it chose nothing.
Index place_of(const PathOutcome& c, const SelectionPath& path) {
  for (std::size_t k = 0; k < path.lambda.size() && c.selected; ++k)
    if (path.lambda[k] == c.lambda && (path.tuning.empty() || path.tuning[k] == c.tuning))
      return static_cast<Index>(k);
  return -1;
}

Judged judged_path(const Draw& d, const TrainingData& data, const SelectionRequest& request) {
  const Selection s = select(data, request);
  const Vector error = path_errors(d, s);
  Judged out;
  out.least = error.minCoeff();
  for (const PathOutcome& c : s.targets[0].path()->criteria)
    if (const Index at = place_of(c, *s.targets[0].path()); at >= 0) out.error[c.label] = error[at];
  return out;
}

Judged judged_networks(const Draw& d, const TrainingData& data, SelectionRequest request,
                       const std::vector<std::string>& criteria) {
  Judged out;
  const auto error = [&] { return error_of(d, select(data, request).model.predict(d.x_test).col(0)); };
  for (const std::string& name : criteria) {
    request.criteria = {name};
    out.error[name] = error();
    out.least = std::min(out.least, out.error[name]);
  }
  request.criteria = {"evidence"};
  request.search = Search::grid;
  for (const double decay : fixed_decays) {
    request.lambda = decay;
    const double fixed = error();
    out.error[fmt::format("decay {}", decay)] = fixed;
    out.least = std::min(out.least, fixed);
  }
  return out;
}

struct Task {
  const Contender* contender;
  const Problem* problem;
  Index n;
  std::uint64_t stream;
};

std::optional<Draw> drawn(const Task& t) {
  switch (t.contender->design) {
    case Design::shift:
      return draw_shifted(*t.problem, t.n, t.stream);
    case Design::series:
      return draw_series(*t.problem, t.n, t.contender->horizon, t.stream);
    default:
      if (!large_enough(*t.problem, t.n)) return std::nullopt;
      return draw(*t.problem, t.n, t.stream);
  }
}

std::optional<Judged> judged(const Task& t) {
  const std::optional<Draw> d = drawn(t);
  if (!d) return std::nullopt;
  SelectionRequest request;
  t.contender->set(request);
  request.criteria = t.contender->criteria;
  request.search = Search::grid;
  request.series = d->dependence > 0;
  request.seed = t.stream;
  request.keep_spectrum = false;
  TrainingData data{d->x, d->y, Vector(), {"y"}};
  data.importance = d->importance;
  data.dependence = d->dependence;
  if (request.learner.name() == "mlp") {
    request.search = Search::refine;
    return judged_networks(*d, data, request, t.contender->criteria);
  }
  data.test_x = d->x_test;
  data.test_y = d->y_test;
  return judged_path(*d, data, request);
}

std::vector<Task> tasks_of(const std::vector<Contender>& all, double share, const std::string& name,
                           Index most_rows, const std::vector<Problem>& problems,
                           const std::vector<Problem>& series) {
  std::vector<Task> out;
  for (const Contender& contender : all) {
    if (!contender.name.starts_with(name)) continue;
    for (const auto& [n, sets] : sizes) {
      if (n > std::min(contender.most_rows, most_rows)) continue;
      if (contender.design == Design::shift && n < 50) continue;  // as many columns as rows that count
      const int count = std::max(1, static_cast<int>(share * contender.share * sets));
      std::uint64_t stream = 0;  // the same data sets for every learner
      for (const Problem& p : contender.design == Design::series ? series : problems) {
        ++stream;
        for (int r = 0; r < count; ++r)
          out.push_back({&contender, &p, n, 1000 * stream + static_cast<std::uint64_t>(r)});
      }
    }
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "../shared/data";
  const double share = argc > 2 ? std::atof(argv[2]) : 1;
  const std::string name = argc > 3 ? argv[3] : "";
  const Index most_rows = argc > 4 ? std::atol(argv[4]) : 400;
  std::vector<Problem> problems = real_sets(folder), series = real_series(folder);
  std::map<std::string, const char*> group;
  for (const auto* list : {&problems, &series})
    for (const Problem& p : *list) group[p.name] = p.chooses ? "choose" : "confirm";
  for (Problem& made : made_families()) problems.push_back(std::move(made));
  for (Problem& made : made_series()) series.push_back(std::move(made));
  const std::vector<Task> tasks = tasks_of(contenders, share, name, most_rows, problems, series);
  std::map<std::tuple<std::string, std::string, Index, std::string>, std::vector<double>> ratios;
  std::mutex lock;
  parallel_for(static_cast<Index>(tasks.size()), [&](Index i) {
    const Task& t = tasks[static_cast<std::size_t>(i)];
    try {
      const auto found = judged(t);
      if (!found) return;
      const std::lock_guard guard(lock);
      for (const auto& [label, error] : found->error)
        ratios[{t.contender->name, t.problem->name, t.n, label}].push_back(error / found->least);
    } catch (const Error& e) {
      fmt::print(stderr, "{} on {} with {} rows: {}\n", t.contender->name, t.problem->name, t.n, e.what());
    }
  });
  fmt::print("learner;problem;group;n;rule;mean;tail;count\n");
  for (auto& [key, v] : ratios) {
    const auto& [learner, problem, n, label] = key;
    std::sort(v.begin(), v.end());
    double sum = 0;
    for (const double x : v) sum += x;
    const auto known = group.find(problem);
    fmt::print("{};{};{};{};{};{:.5g};{:.5g};{}\n", learner, problem,
               known == group.end() ? "made" : known->second, n, label, sum / static_cast<double>(v.size()),
               v[static_cast<std::size_t>(0.95 * static_cast<double>(v.size() - 1) + 0.5)], v.size());
  }
}
