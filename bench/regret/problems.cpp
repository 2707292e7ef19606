#include "problems.hpp"

#include <cmath>

namespace gnomon::regret {
namespace {

constexpr Index most_test_rows = 1000;

struct Source {
  const char* file;
  bool chooses;
  Index lags = 0;  ///< a series: this many past values predict the next one
};

// Members of a family (bank, kin) are on either side; sizes and noise levels are mixed on both.
const std::vector<Source> sources{{"abalone", true},
                                  {"bank-8fh", false},
                                  {"bank-8fm", true},
                                  {"bank-8nh", true},
                                  {"bank-8nm", false},
                                  {"boston", true},
                                  {"concrete", false},
                                  {"diabetes", true},
                                  {"energy-heating", false},
                                  {"kin-8fh", true},
                                  {"kin-8fm", false},
                                  {"kin-8nh", false},
                                  {"kin-8nm", true},
                                  {"mackey-glass", false},
                                  {"motorcycle", true},
                                  {"prostate", false},
                                  {"santa-fe-laser", false, 6},
                                  {"sunspots-yearly", true, 4},
                                  {"sunspots-monthly", false, 6},
                                  {"wine-quality-red", false},
                                  {"yacht", true}};

Problem embedded(const Source& source, const Vector& series) {
  const Index rows = series.size() - source.lags;
  Problem out{source.file, source.chooses, Matrix(rows, source.lags), series.tail(rows)};
  for (Index l = 0; l < source.lags; ++l) out.x.col(l) = series.segment(source.lags - 1 - l, rows);
  return out;
}

using Truth = double (*)(const Vector&);

double waves(const Vector& x) { return std::sin(2 * x[0]) + std::cos(x[1]) + 0.5 * x[0] * x[1]; }

/// A family: how inputs, truth and noise come about.
Draw made(const std::string& name, Index n, Random& random) {
  const Index all = n + most_test_rows;
  const auto of_catalogue = [&](const char* problem, double noise_to_signal, auto noise_at) {
    const Synthetic s = make_synthetic(problem, all, 0, random);
    const double sd = noise_to_signal * std::sqrt((s.truth.array() - s.truth.mean()).square().mean());
    Vector y = s.truth;
    double square = 0;
    for (Index i = 0; i < n; ++i) {
      const double e = sd * noise_at(i, s.x);
      y[i] += e;
      square += e * e;
    }
    return Draw{s.x.topRows(n), s.x.bottomRows(most_test_rows), y.head(n), y.tail(most_test_rows), sd * sd};
  };
  const auto normal = [&](Index, const Matrix&) { return random.normal(); };
  if (name == "sinc, heavy tails")  // Student's t with three degrees of freedom, variance one
    return of_catalogue("sinc", 0.4, [&](Index, const Matrix&) {
      const double chi2 = random.normal_vector(3).squaredNorm();
      return random.normal() / std::sqrt(chi2);
    });
  if (name == "friedman1, uneven noise")
    return of_catalogue("friedman1", 0.5,
                        [&](Index i, const Matrix& x) { return std::sqrt(3.0) * x(i, 3) * random.normal(); });
  if (name == "doppler") return of_catalogue("doppler", 0.3, normal);
  if (name == "step") return of_catalogue("step", 0.4, normal);
  if (name == "plane") return of_catalogue("linear", 0.7, normal);
  if (name == "additive sines, repeated inputs") {
    Draw d = of_catalogue("additive-sines", 0.5, normal);
    for (Index i = 1; i < n; i += 2) {  // every other row repeats its neighbour's inputs
      const double noise = random.normal() * std::sqrt(d.noise);
      d.x.row(i) = d.x.row(i - 1);
      Vector row = d.x.row(i);
      d.y[i] = true_function("additive-sines", row) + noise;
    }
    return d;
  }
  const bool correlated = name == "waves, correlated inputs";
  const Index columns = correlated ? 6 : 10;
  Matrix x(all, columns);
  for (Index i = 0; i < all; ++i) {
    for (Index j = 0; j < columns; ++j) {
      const double fresh = random.normal();
      x(i, j) = correlated && j > 0 ? 0.95 * x(i, j - 1) + std::sqrt(1 - 0.95 * 0.95) * fresh : fresh;
    }
  }
  Draw d{x.topRows(n), x.bottomRows(most_test_rows), Vector(n), Vector(most_test_rows), 0.16};
  for (Index i = 0; i < all; ++i) {
    const Vector row = x.row(i);
    (i < n ? d.y[i] : d.y_test[i - n]) = waves(row) + (i < n ? 0.4 * random.normal() : 0);
  }
  return d;
}

}  // namespace

std::vector<Problem> real_sets(const std::filesystem::path& folder) {
  std::vector<Problem> out;
  for (const Source& source : sources) {
    const auto path = folder / (std::string(source.file) + ".csv");
    if (!std::filesystem::exists(path)) {
      fmt::print(stderr, "{} is not there and left out\n", path.string());
      continue;
    }
    const Table table = read_table(path.string());
    DatasetOptions options;
    options.targets = {table.columns.back().name};
    Dataset data = make_dataset(table, options);
    if (source.lags > 0)
      out.push_back(embedded(source, data.y.col(0)));
    else
      out.push_back({source.file, source.chooses, std::move(data.x), data.y.col(0)});
  }
  return out;
}

std::vector<Problem> made_families() {
  std::vector<Problem> out;
  for (const char* name :
       {"sinc, heavy tails", "friedman1, uneven noise", "doppler", "step", "plane",
        "additive sines, repeated inputs", "waves, correlated inputs", "waves, useless inputs"})
    out.push_back({name, false, {}, {}});
  return out;
}

bool large_enough(const Problem& problem, Index n) {
  return problem.x.size() == 0 || problem.x.rows() >= n + 60;
}

Draw draw(const Problem& problem, Index n, std::uint64_t stream) {
  Random random(20261116, stream);
  Draw d;
  if (problem.x.size() == 0) {
    d = made(problem.name, n, random);
  } else {
    const std::vector<Index> order = random.permutation(problem.x.rows());
    const Index tested = std::min(problem.x.rows() - n, most_test_rows);
    const std::vector<Index> train(order.begin(), order.begin() + n),
        test(order.begin() + n, order.begin() + n + tested);
    d = {problem.x(train, Eigen::all), problem.x(test, Eigen::all), problem.y(train), problem.y(test)};
  }
  const Scaling scaling = Scaling::fit(d.x, Vector(), Scale::standard);
  scaling.apply(d.x);
  scaling.apply(d.x_test);
  return d;
}

std::vector<DataSet> data_sets(const std::vector<Problem>& problems,
                               const std::vector<std::pair<Index, int>>& sizes, double share,
                               std::uint64_t first_stream) {
  std::vector<DataSet> out;
  std::uint64_t stream = first_stream;
  for (const auto& [n, count] : sizes)
    for (const Problem& p : problems)
      for (int r = 0; r < std::max(1, static_cast<int>(share * count)); ++r, ++stream)
        if (large_enough(p, n)) out.push_back({&p, n, stream});
  return out;
}

}  // namespace gnomon::regret
