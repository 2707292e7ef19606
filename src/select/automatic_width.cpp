#include "automatic_width.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "candidates.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/random.hpp"
#include "gnomon/criteria/judge.hpp"
#include "gnomon/learn/filters.hpp"
#include "grid.hpp"
#include "represent/width.hpp"
#include "training_rows.hpp"

namespace gnomon {
namespace {

constexpr Index screened_rows = 500, judged_rows = 2000, rows_to_choose_by = 8;
constexpr int narrowest = -2, widest = 3, furthest = 6;  // powers of two of the median distance
constexpr double prior_centre = 0.25, prior_weight = 1;
constexpr Index most_repeated_rows = 300;

/// −2 log of the prior of a width of 2^power × the median.
double prior_of(double power) { return prior_weight * (power - prior_centre) * (power - prior_centre); }

/// The path of a width on these rows.
std::unique_ptr<const Smoother> smoother_of(const SelectionRequest& request, const Matrix& x, const Matrix& y,
                                            double width, const Filter& filter) {
  return std::make_unique<const Smoother>(
      x, y, Vector(),
      SmootherOptions{.representation = request.kernel.of_width(width),
                      .filter = filter,
                      .intercept = request.intercept,
                      .needs = {.leave_one_out = true, .vectors = y.cols() > 1}});
}

/// One of every set of rows that agree in inputs and targets, in the order of the data: copies say nothing of the noise, and
/// the evidence of fits through them grows without bound. O(n log n) comparisons.
std::vector<Index> distinct_rows(const TrainingData& data) {
  std::vector<Index> order;
  for (Index i = 0; i < data.x.rows(); ++i)
    if (data.weight.size() == 0 || data.weight[i] > 0) order.push_back(i);
  const auto compare = [&](Index a, Index b) {
    for (const Matrix* m : {&data.x, &data.y}) {
      for (Index j = 0; j < m->cols(); ++j)
        if ((*m)(a, j) != (*m)(b, j)) return (*m)(a, j) < (*m)(b, j) ? -1 : 1;
    }
    return 0;
  };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    const int sign = compare(a, b);
    return sign != 0 ? sign < 0 : a < b;
  });
  order.erase(std::unique(order.begin(), order.end(), [&](Index a, Index b) { return compare(a, b) == 0; }),
              order.end());
  std::sort(order.begin(), order.end());
  return order;
}

/// The rows to look at, and the targets there.
struct Sample {
  Matrix x, y;
};

/// So many of the rows, drawn by the seed.
Sample sampled(const Sample& all, Index rows, std::uint64_t seed) {
  if (rows >= all.x.rows()) return all;
  constexpr std::uint64_t stream = 0x7769647468;
  auto order = Random(seed, stream).permutation(all.x.rows());
  order.resize(static_cast<std::size_t>(rows));
  std::sort(order.begin(), order.end());
  return {all.x(order, Eigen::all), all.y(order, Eigen::all)};
}

/// Kernel ridge under the request's penalty where that has both parts of the blend, else under the function's norm.
Filter judged_filter(const SelectionRequest& request) {
  if (!request.learner->linear()) return tikhonov;
  const Filter filter = request.learner->filter(request.penalty).filter;
  return filter.closed_form_deletion && filter.log_prior_ratio ? filter : tikhonov;
}

class Widths {
 public:
  Widths(const SelectionRequest& request, const Sample& all, double median)
      : request_(request), all_(all), median_(median) {}

  double width(int power) const { return median_ * std::exp2(power); }

  /// The least blend along λ of every width on so many rows; infinite where it is nowhere defined.
  std::map<int, double> values(const std::vector<int>& powers, Index rows) const {
    const Sample sample = sampled(all_, rows, request_.seed);
    const BlasThreads serial(1);  // so that bits do not depend on the number of threads
    std::vector<double> found(powers.size());
    parallel_for(static_cast<Index>(powers.size()), [&](Index i) {
      const auto at = static_cast<std::size_t>(i);
      found[at] = value(powers[at], sample);
    });
    std::map<int, double> out;
    for (std::size_t i = 0; i < powers.size(); ++i) out[powers[i]] = found[i];
    return out;
  }

 private:
  double value(int power, const Sample& sample) const {
    const auto smoother = smoother_of(request_, sample.x, sample.y, width(power), judged_filter(request_));
    const std::vector<double> lambdas = automatic_grid(*smoother);
    double sum = prior_of(power);
    for (Index t = 0; t < sample.y.cols(); ++t) {
      const auto least =
          select_on_grid(lambdas, judge(*smoother, blend, lambdas, {.target = t}), Rule::minimum);
      sum += least ? least->value : HUGE_VAL;
    }
    return sum;
  }

  const SelectionRequest& request_;
  const Sample& all_;
  double median_;
};

int best_of(const std::map<int, double>& values) {
  return std::min_element(values.begin(), values.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

/// Further widths beyond an end that is best, one at a time.
void widen(const Widths& widths, std::map<int, double>& values, Index rows) {
  for (;;) {
    const int best = best_of(values), lowest = values.begin()->first, highest = values.rbegin()->first;
    if (best != lowest && best != highest) return;
    const int next = best == lowest ? lowest - 1 : highest + 1;
    if (std::abs(next) > furthest) return;
    values.merge(widths.values({next}, rows));
  }
}

}  // namespace

bool chooses_width(const SelectionRequest& request, const TrainingData& data) {
  return uses_kernel(request) && request.kernel.takes_width() && request.width.text() == "auto" &&
         !request.kernel.own_width() && data.importance.size() == 0;
}

WidthSearch choose_width(const SelectionRequest& request, const TrainingData& data,
                         const Progress& progress) {
  const std::vector<Index> distinct = distinct_rows(data);
  const Sample all{data.x(distinct, Eigen::all), data.y(distinct, Eigen::all)};
  const Index n = all.x.rows();
  const double median = median_distance(all.x, Vector());
  if (n < rows_to_choose_by) return {.median = median, .chosen = median, .rows = n};
  const Widths widths(request, all, median);
  progress("choosing the width", 0);
  std::vector<int> range;
  for (int power = narrowest; power <= widest; ++power) range.push_back(power);
  std::map<int, double> values = widths.values(range, std::min(n, screened_rows));
  if (n > screened_rows && std::isfinite(values[best_of(values)])) {
    const int best = best_of(values);
    progress("choosing the width", 0.5);
    values = widths.values({best - 1, best, best + 1}, std::min(n, judged_rows));
  }
  widen(widths, values, std::min(n, n > screened_rows ? judged_rows : screened_rows));
  WidthSearch out{.median = median, .rows = std::min(n, judged_rows)};
  for (const auto& [power, value] : values) {
    out.width.push_back(widths.width(power));
    out.value.push_back(std::isfinite(value) ? value : undefined);
  }
  const int best = best_of(values);
  out.chosen = std::isfinite(values[best]) ? widths.width(best) : median;
  return out;
}

std::vector<JudgedWidth> widths_not_chosen(const SelectionRequest& request, const TrainingData& data,
                                           const WidthSearch& search) {
  const Index n = data.x.rows();
  if (search.rows != n || n > most_repeated_rows || data.y.cols() > 1 || has_weights(data) ||
      search.width.size() < 2 || !request.learner->linear() || !request.lambda.automatic() ||
      request.rule != Rule::minimum)
    return {};
  const Filter own = request.learner->filter(request.penalty).filter;
  if (!own.closed_form_deletion || !own.log_prior_ratio) return {};
  std::vector<JudgedWidth> out;
  for (const double width : search.width)
    if (width != search.chosen) out.push_back({width, nullptr, {}});
  parallel_for(static_cast<Index>(out.size()), [&](Index i) {
    JudgedWidth& each = out[static_cast<std::size_t>(i)];
    each.smoother = smoother_of(request, data.x, data.y, each.width, own);
    each.lambdas = automatic_grid(*each.smoother);
  });
  return out;
}

Vector judged_width_values(const Smoother& smoother, const std::vector<double>& lambdas, double width,
                           const WidthSearch& search) {
  return judge(smoother, blend, lambdas, {.target = 0}).value.array() + prior_of_width(width, search);
}

double prior_of_width(double width, const WidthSearch& search) {
  return prior_of(std::log2(width / search.median));
}

}  // namespace gnomon
