// Does the interval of the error after choosing hold the truth as often as it says? Simulated data with a known truth: the
// expected squared error of the delivered fit on fresh rows, noise included. Beside it how often the criterion's own value
// ± 1.645 standard errors does, and how often a prediction interval of 90 % holds a fresh value.
//
//   study_coverage [share [rows… [name]]]     share of the data sets (1), the sizes (30 100 300), and a part of the name of what is chosen
//                                       (all); prints a Markdown table; seeds are fixed.
//
// The widening in src/select/after_choosing.cpp was set on the truths marked "set"; those marked "confirmed" only judge it.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <mutex>

#include "gnomon/gnomon.hpp"

namespace {

using namespace gnomon;

struct Truth {
  std::string name, part;
  Index inputs;
  double noise;  // standard deviation
  bool heavy;    // Student's t with 5 degrees of freedom instead of Gaussian noise
  double (*value)(const Eigen::RowVectorXd&);
};

using Row = Eigen::RowVectorXd;
const std::vector<Truth> smooth{
    {"sin", "set", 1, 0.3, false, [](const Row& x) { return std::sin(x[0]); }},
    {"sin + square", "confirmed", 2, 0.4, false,
     [](const Row& x) { return std::sin(x[0]) + 0.3 * x[1] * x[1]; }},
    {"product, t5 noise", "confirmed", 2, 0.5, true, [](const Row& x) { return x[0] * x[1] / 3; }}};
const std::vector<Truth> linear{
    {"2 of 8 inputs", "set", 8, 1, false, [](const Row& x) { return x[0] - 0.5 * x[1]; }},
    {"8 small of 15, t5 noise", "confirmed", 15, 1.5, true,
     [](const Row& x) { return 0.3 * x.head(8).sum(); }}};

struct Choice {
  std::string name;
  const std::vector<Truth>& truths;
  void (*set)(SelectionRequest&);
};

const std::vector<Choice> choices{
    {"width and λ, auto", smooth, [](SelectionRequest&) {}},
    {"λ, by loo", smooth, [](SelectionRequest& r) { r.criteria = {"loo"}, r.width = "median"; }},
    {"λ × 11 widths, by loo", smooth,
     [](SelectionRequest& r) { r.criteria = {"loo"}, r.width = "0.3:9:11"; }},
    {"λ × 11 widths, by gcv", smooth,
     [](SelectionRequest& r) { r.criteria = {"gcv"}, r.width = "0.3:9:11"; }},
    {"a width per input, by loo", smooth,
     [](SelectionRequest& r) { r.criteria = {"loo"}, r.search = Search::gradient; }},
    {"ridge, a decay per input, by evidence", linear,
     [](SelectionRequest& r) { r.learner = "ridge", r.groups = "each", r.criteria = {"evidence"}; }},
    {"lasso, by cv", linear, [](SelectionRequest& r) { r.learner = "lasso", r.criteria = {"cv"}; }},
    {"huber, by cv", linear, [](SelectionRequest& r) { r.learner = "huber", r.criteria = {"cv"}; }}};

struct Sample {
  Matrix x;
  Vector y, truth;
};

Sample sample_of(const Truth& truth, Index rows, Random& random) {
  Sample out{Matrix(rows, truth.inputs), Vector(rows), Vector(rows)};
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < truth.inputs; ++j) out.x(i, j) = random.uniform(-3, 3);
    double e = random.normal();
    if (truth.heavy) e *= std::sqrt(3 / random.normal_vector(5).squaredNorm());  // variance 1
    out.truth[i] = truth.value(out.x.row(i));
    out.y[i] = out.truth[i] + truth.noise * e;
  }
  return out;
}

struct Tally {
  std::vector<double> ratio, naive_ratio, width;
  int covered = 0, above = 0, below = 0, naive = 0, with_error = 0, sets = 0;
  double predicted = 0;
};

/// What `gnomon predict --interval 0.9` adds to either side.
double half_width(const ChosenError& error, const Matrix& x) {
  const double own = error.residual.squaredNorm() / static_cast<double>(x.rows());
  const double growth = std::clamp(std::sqrt(error.value / own), 1.0, 2.0);
  return held_out_rows(error.residual * growth, Vector(), x).half_widths(0.9)[0];
}

void run_set(const Choice& choice, const Truth& truth, Index rows, std::uint64_t stream, Tally& tally,
             std::mutex& lock) {
  constexpr Index fresh_rows = 3000;
  Random random(2027, stream);
  const Sample data = sample_of(truth, rows, random), fresh = sample_of(truth, fresh_rows, random);
  SelectionRequest request;
  choice.set(request);
  request.chosen_error = true;
  request.keep_spectrum = false;
  TrainingData training{data.x, data.y, Vector(), {"y"}};
  const Selection selection = select(training, request);
  const TargetSelection& target = selection.targets.front();
  const ChosenError& error = target.error.value();
  const Vector predicted = selection.model.predict(fresh.x).col(0);
  const double true_error =
      truth.noise * truth.noise + (predicted - fresh.truth).squaredNorm() / static_cast<double>(fresh_rows);
  const Selected& own = *target.chosen().selected;
  const double half = half_width(error, data.x);
  const double inside = ((predicted - fresh.y).cwiseAbs().array() <= half).cast<double>().mean();
  const std::lock_guard guard(lock);
  ++tally.sets;
  tally.ratio.push_back(error.value / true_error);
  tally.width.push_back(error.high / error.low);
  tally.covered += error.low <= true_error && true_error <= error.high;
  tally.above += true_error > error.high;
  tally.below += true_error < error.low;
  tally.predicted += inside;
  if (target.chosen().kind != ErrorKind::prediction) return;
  tally.naive_ratio.push_back(own.value / true_error);
  if (!std::isfinite(own.standard_error)) return;
  ++tally.with_error;
  tally.naive += std::abs(own.value - true_error) <= 1.645 * own.standard_error;
}

double median(std::vector<double> values) {
  if (values.empty()) return undefined;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

std::string number(double value, const char* format) {
  return std::isfinite(value) ? fmt::format(fmt::runtime(format), value) : "–";
}

void print(const Choice& choice, const Truth& truth, Index rows, const Tally& t) {
  const double sets = t.sets;
  fmt::print("| {} | {} ({}) | {} | {} | {} / {} | {} / **{:.0f}** | {:.0f} / {:.0f} | {:.2f} | {:.1f} |\n",
             choice.name, truth.name, truth.part, rows, t.sets, number(median(t.naive_ratio), "{:.2f}"),
             number(median(t.ratio), "{:.2f}"),
             number(t.with_error ? 100.0 * t.naive / t.with_error : undefined, "{:.0f}"),
             100 * t.covered / sets, 100 * t.above / sets, 100 * t.below / sets, median(t.width),
             100 * t.predicted / sets);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  const double share = count > 1 ? std::atof(arguments[1]) : 1;
  std::vector<Index> sizes;
  std::string only;
  for (int i = 2; i < count; ++i) {
    const int rows = std::atoi(arguments[i]);
    if (rows > 0)
      sizes.push_back(rows);
    else
      only = arguments[i];
  }
  if (sizes.empty()) sizes = {30, 100, 300};
  fmt::print(
      "| chosen | truth | n | sets | median estimate ÷ truth: criterion / after choosing | 90 % covers, %: ± "
      "s.e. / "
      "interval | truth above / below, % | median high ÷ low | 90 % prediction interval holds, % |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  std::uint64_t stream = 0;
  for (const Choice& choice : choices) {
    for (const Truth& truth : choice.truths) {
      for (const Index rows : sizes) {
        const auto sets = static_cast<Index>(share * (rows <= 30 ? 300 : rows <= 100 ? 200 : 100));
        stream += 1000;
        if (choice.name.find(only) == std::string::npos) continue;
        Tally tally;
        std::mutex lock;
        parallel_for(sets, [&](Index s) {
          run_set(choice, truth, rows, stream + static_cast<std::uint64_t>(s), tally, lock);
        });
        print(choice, truth, rows, tally);
      }
    }
  }
}
