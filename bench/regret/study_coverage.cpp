// Does the interval of the error after choosing hold the truth as often as it says? Simulated data with a known truth: the
// expected squared error of the delivered fit on fresh rows, noise included. Beside it how often the criterion's own value
// ± 1.645 standard errors does, and how often a prediction interval of 90 % holds a fresh value.
//
//   study_coverage [share [rows… [name [inside]]]]     share of the data sets (1), the sizes (30 100 300), and a part of the name of what is
//                                       chosen (all); prints a Markdown table; seeds are fixed. inside: the truth is that of fresh rows
//                                       within the range of every training column.
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
/// The next value of a series from the last four, the newest first.
const std::vector<Truth> series{
    {"pushed cycle", "confirmed", 4, 1, false, [](const Row& x) { return 1.5 * x[0] - 0.8 * x[1]; }},
    {"two regimes, t5 noise", "confirmed", 4, 0.5, true,
     [](const Row& x) { return (x[0] > 0 ? -0.7 : 0.8) * x[0] + 0.5; }}};

enum class Rows { alike, shifted, windows };

struct Choice {
  std::string name;
  const std::vector<Truth>& truths;
  void (*set)(SelectionRequest&);
  Rows rows = Rows::alike;
};

const std::vector<Choice> choices{
    {"width and λ, auto", smooth, [](SelectionRequest&) {}},
    {"average of widths and λ", smooth, [](SelectionRequest& r) { r.combine = Combine::average; }},
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
    {"huber, by cv", linear, [](SelectionRequest& r) { r.learner = "huber", r.criteria = {"cv"}; }},
    {"mlp, 3 units, by evidence", smooth,
     [](SelectionRequest& r) { r.learner = "mlp", r.hidden = "3", r.restarts = 2; }},
    {"iwls, by iwloo", smooth, [](SelectionRequest& r) { r.learner = "iwls", r.criteria = {"iwloo"}; },
     Rows::shifted},
    {"iwls, by sic", smooth, [](SelectionRequest& r) { r.learner = "iwls", r.criteria = {"sic"}; },
     Rows::shifted},
    {"series: ridge, auto", series, [](SelectionRequest& r) { r.learner = "ridge"; }, Rows::windows},
    {"series: kernel ridge, auto", series, [](SelectionRequest&) {}, Rows::windows}};

struct Sample {
  Matrix x;
  Vector y, truth;
};

double noise_of(const Truth& truth, Random& random) {
  double e = random.normal();
  if (truth.heavy) e *= std::sqrt(3 / random.normal_vector(5).squaredNorm());  // variance 1
  return truth.noise * e;
}

Sample independent_rows(const Truth& truth, Index rows, Random& random) {
  Sample out{Matrix(rows, truth.inputs), Vector(rows), Vector(rows)};
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < truth.inputs; ++j) out.x(i, j) = random.uniform(-3, 3);
    out.truth[i] = truth.value(out.x.row(i));
    out.y[i] = out.truth[i] + noise_of(truth, random);
  }
  return out;
}

/// Windows that follow each other, once the series has forgotten its start.
Sample windows(const Truth& truth, Index rows, Random& random) {
  constexpr Index warm_up = 60;
  Sample out{Matrix(rows, truth.inputs), Vector(rows), Vector(rows)};
  Row last = Row::Zero(truth.inputs);
  for (Index t = -warm_up; t < rows; ++t) {
    const double mean = truth.value(last), next = mean + noise_of(truth, random);
    if (t >= 0) out.x.row(t) = last, out.truth[t] = mean, out.y[t] = next;
    for (Index j = truth.inputs - 1; j > 0; --j) last[j] = last[j - 1];
    last[0] = next;
  }
  return out;
}

/// p_test/p_train, with the mean 1 over the rows.
Vector ratio_at(const Matrix& x) {
  const Vector ratio = (0.5 * x.col(0).array()).exp();
  return ratio / ratio.mean();
}

/// 1 for rows within the range of every training column, else 0.
Vector within(const Matrix& x, const Matrix& training) {
  const Row low = training.colwise().minCoeff(), high = training.colwise().maxCoeff();
  Vector out(x.rows());
  for (Index i = 0; i < x.rows(); ++i)
    out[i] = (x.row(i).array() >= low.array() && x.row(i).array() <= high.array()).all() ? 1 : 0;
  return out;
}

struct Tally {
  std::vector<double> ratio, naive_ratio, width;
  int covered = 0, above = 0, below = 0, naive = 0, with_error = 0, sets = 0;
  double predicted = 0;
};

/// What `gnomon predict --interval 0.9` adds to either side.
double half_width(const ChosenError& error, const Matrix& x, const Vector& weight) {
  const double own = error.residual.cwiseAbs2().dot(weight) / weight.sum();
  const double growth = std::clamp(std::sqrt(error.value / own), 1.0, 2.0);
  return held_out_rows(error.residual * growth, weight, x).half_widths(0.9)[0];
}

void run_set(const Choice& choice, const Truth& truth, Index rows, bool inside_only, std::uint64_t stream,
             Tally& tally, std::mutex& lock) {
  constexpr Index fresh_rows = 3000;
  Random random(2027, stream);
  const auto sample = choice.rows == Rows::windows ? windows : independent_rows;
  const Sample data = sample(truth, rows, random), fresh = sample(truth, fresh_rows, random);
  const bool shifted = choice.rows == Rows::shifted;
  SelectionRequest request;
  choice.set(request);
  request.chosen_error = true;
  request.keep_spectrum = false;
  TrainingData training{data.x, data.y, Vector(), {"y"}};
  if (shifted) training.importance = ratio_at(data.x);
  if (choice.rows == Rows::windows) {
    request.series = true;
    training.dependence = truth.inputs;
  }
  const Selection selection = select(training, request);
  const TargetSelection& target = selection.targets.front();
  const ChosenError& error = target.error.value();
  const Vector predicted = selection.model.predict(fresh.x).col(0);
  Vector share = shifted ? ratio_at(fresh.x) : Vector::Ones(fresh_rows);
  if (inside_only) share = share.cwiseProduct(within(fresh.x, data.x));
  const double true_error =
      truth.noise * truth.noise + (predicted - fresh.truth).cwiseAbs2().dot(share) / share.sum();
  const Selected& own = *target.chosen().selected;
  const double half = half_width(error, data.x, shifted ? training.importance : Vector::Ones(rows));
  const Vector held = ((predicted - fresh.y).cwiseAbs().array() <= half).cast<double>();
  const double inside = held.dot(share) / share.sum();
  const std::lock_guard guard(lock);
  ++tally.sets;
  tally.ratio.push_back(error.value / true_error);
  tally.width.push_back(error.high / error.low);
  tally.covered += error.low <= true_error && true_error <= error.high;
  tally.above += true_error > error.high;
  tally.below += true_error < error.low;
  tally.predicted += inside;
  const Target& what = target.chosen().criterion.target;
  if (target.chosen().kind != ErrorKind::prediction || what.noise == Target::Noise::excluded) return;
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
  bool inside_only = false;
  for (int i = 2; i < count; ++i) {
    const int rows = std::atoi(arguments[i]);
    if (rows > 0)
      sizes.push_back(rows);
    else if (std::string(arguments[i]) == "inside")
      inside_only = true;
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
          run_set(choice, truth, rows, inside_only, stream + static_cast<std::uint64_t>(s), tally, lock);
        });
        print(choice, truth, rows, tally);
      }
    }
  }
}
