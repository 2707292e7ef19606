#include "gnomon/learn/kernel_widths.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "complement.hpp"
#include "decompose/lapack.hpp"
#include "decompose/positive_definite.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/decompose/spectrum.hpp"
#include "represent/gram.hpp"

namespace gnomon {
namespace {

// λ, in units of the mean eigenvalue of CKC at the start widths. Rounding of the Gram matrix is about ε times its largest
// eigenvalue, at most nε units: 1e-10 stays above it up to 1e5 rows. At 1e4·n the fit has at most tr(CKC)/λ = 1e-4 degrees of
// freedom beside the constant.
constexpr double lowest_lambda = 1e-10, highest_lambda_per_row = 1e4;

// Widths, in units of the start width. At 1e-3 two rows a typical distance apart have nothing in common along the input, which
// takes more than a thousand rows to be of use. At 1e4 smooth kernels change by 1e-8, and the bound itself means ∞.
constexpr double narrowest = 1e-3, widest = 1e4;

/// Stands for ∞, which a model file cannot hold: squares and products of inputs divided by it are 0.
constexpr double without_measure = 1e300;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// One column of pairs (i, j), i in a run of rows, j fixed; z is the input of row j.
GNOMON_HOT void add_squared_differences(const double* x, double z, Index rows, double* sum) {
  for (Index i = 0; i < rows; ++i) sum[i] += (x[i] - z) * (x[i] - z);
}
GNOMON_HOT void add_products(const double* x, double z, Index rows, double* sum) {
  for (Index i = 0; i < rows; ++i) sum[i] += x[i] * z;
}
template <class K>
GNOMON_HOT void times_slope(K kernel, const double* argument, Index rows, double* weight) {
  for (Index i = 0; i < rows; ++i) weight[i] *= kernel.slope(argument[i]);
}
GNOMON_HOT void add_weighted_squared_differences(const double* x, double z, const double* weight, Index rows,
                                                 double* sum) {
  for (Index i = 0; i < rows; ++i) sum[i] += weight[i] * ((x[i] - z) * (x[i] - z));
}
GNOMON_HOT void add_weighted_products(const double* x, double z, const double* weight, Index rows,
                                      double* sum) {
  for (Index i = 0; i < rows; ++i) sum[i] += weight[i] * (x[i] * z);
}

/// Σ_ij W_ij ∂K_ij/∂log ℓ_d for every input d, from the lower triangle of W and the scaled inputs:
///   ∂K_ij/∂log ℓ_d = −2 k'(s)(x_id − x_jd)²,  s = ‖x_i − x_j‖²,   or   −2 k'(p) x_id x_jd,  p = ⟨x_i, x_j⟩.
/// Sums of differences, never ‖x‖² expanded: that cancels for inputs far from the origin.
template <class K>
Vector width_slopes(const K& kernel, const Matrix& scaled, const Matrix& w) {
  constexpr Index run = 128, columns_per_task = 32;
  const Index n = scaled.rows(), d = scaled.cols(), tasks = (n + columns_per_task - 1) / columns_per_task;
  Matrix of_task(d, tasks);  // added up in the order of the tasks, whatever the threads
  parallel_for(tasks, [&](Index task) {
    Matrix sums = Matrix::Zero(run, d);
    double argument[run], weight[run];
    for (Index j = task * columns_per_task; j < std::min(n, (task + 1) * columns_per_task); ++j) {
      for (Index first = j; first < n; first += run) {
        const Index rows = std::min(run, n - first);
        std::fill_n(argument, rows, 0.0);
        std::copy_n(w.data() + j * n + first, rows, weight);
        if (first == j) weight[0] *= 0.5;  // the diagonal counts once, all else twice
        for (Index k = 0; k < d; ++k) {
          const double* x = scaled.data() + k * n;
          if constexpr (takes_inner_product<K>)
            add_products(x + first, x[j], rows, argument);
          else
            add_squared_differences(x + first, x[j], rows, argument);
        }
        times_slope(kernel, argument, rows, weight);
        for (Index k = 0; k < d; ++k) {
          const double* x = scaled.data() + k * n;
          if constexpr (takes_inner_product<K>)
            add_weighted_products(x + first, x[j], weight, rows, sums.col(k).data());
          else
            add_weighted_squared_differences(x + first, x[j], weight, rows, sums.col(k).data());
        }
      }
    }
    of_task.col(task) = sums.colwise().sum().transpose();
  });
  Vector total = Vector::Zero(d);
  for (Index task = 0; task < tasks; ++task) total += of_task.col(task);
  return -4 * total;
}

/// The n − 1 dimensions that a constant leaves, in the basis Z of one Householder reflection: with s = 1/√n, β = s²/(1 + s),
///   Z = [−s1' ; I − β11'],   Z'1 = 0,   Z'Z = I,   C = ZZ'.
/// There the complement of an interpolating fit is a matrix of small numbers, not a difference of large ones. Without an
/// intercept Z = I.
class Frame {
 public:
  Frame(Index rows, bool intercept) : intercept_(intercept), s_(1 / std::sqrt(static_cast<double>(rows))) {}

  Vector compress(const Vector& y) const {
    if (!intercept_) return y;
    const auto tail = y.tail(y.size() - 1);
    return tail.array() - (s_ * y[0] + beta_ * tail.sum());
  }
  Vector expand(const Vector& z) const {
    if (!intercept_) return z;
    Vector y(z.size() + 1);
    const double sum = z.sum();
    y << -s_ * sum, (z.array() - beta_ * sum).matrix();
    return y;
  }
  /// Z'KZ, entry (i, j) = K_ij − w_i − w_j.
  Matrix compress_symmetric(Matrix&& k) const {
    if (!intercept_) return std::move(k);
    const Index m = k.rows() - 1;
    const auto block = k.bottomRightCorner(m, m);
    const Vector edge = k.col(0).tail(m), sums = block.colwise().sum().transpose();
    const double corner = s_ * s_ * k(0, 0) + beta_ * (2 * s_ * edge.sum() + beta_ * sums.sum());
    const Vector w = (s_ * edge + beta_ * sums).array() - corner / 2;
    Matrix out(m, m);
    for (Index j = 0; j < m; ++j) out.col(j) = block.col(j).array() - (w.array() + w[j]);
    return out;
  }
  /// ZAZ' for symmetric A, exactly symmetric.
  Matrix expand_symmetric(Matrix&& a) const {
    if (!intercept_) return std::move(a);
    const Index m = a.rows();
    const Vector sums = a.colwise().sum().transpose();
    const double total = sums.sum();
    const Vector w = beta_ * (sums.array() - beta_ * total / 2);
    Matrix out(m + 1, m + 1);
    out(0, 0) = s_ * s_ * total;
    for (Index j = 0; j < m; ++j) {
      out(0, j + 1) = out(j + 1, 0) = -s_ * (sums[j] - beta_ * total);
      out.col(j + 1).tail(m) = a.col(j).array() - (w.array() + w[j]);
    }
    return out;
  }

 private:
  bool intercept_;
  double s_, beta_ = s_ * s_ / (1 + s_);
};

Matrix weighted_outer(const Matrix& vectors, const Vector& weights) {
  const Matrix scaled = vectors * weights.cwiseSqrt().asDiagonal();
  return lapack::product(scaled, false, scaled, true);
}

}  // namespace

/// What is left of the targets at one point, and the coefficients of the fit.
struct KernelWidths::Solved {
  Complement complement;
  Vector coefficients;  ///< f = Σ_j coefficient_j k(x_j, ·)
  std::string warning;
  bool defined = true;
};

KernelWidths::KernelWidths(std::shared_ptr<const Matrix> x, Vector y, const std::string& kernel_spec,
                           std::vector<int> group_of_input, std::vector<std::string> group_names,
                           bool intercept, double start_width)
    : x_(std::move(x)),
      y_(std::move(y)),
      kernel_(parse_kernel(kernel_spec, 1)),
      group_of_input_(std::move(group_of_input)),
      intercept_(intercept) {
  require(x_->rows() == y_.size(), "kernel widths: {} rows of inputs and {} targets; they must agree",
          x_->rows(), y_.size());
  require(x_->rows() >= 2 && x_->cols() >= 1, "kernel widths: {} rows and {} inputs; give at least 2 and 1",
          x_->rows(), x_->cols());
  require(x_->allFinite() && y_.allFinite(),
          "kernel widths: a value is not finite; drop or impute missing values first");
  require(start_width > 0 && std::isfinite(start_width),
          "kernel widths: the start width is {}; give a positive number, such as the median distance",
          start_width);
  require(static_cast<Index>(group_of_input_.size()) == x_->cols(),
          "kernel widths: groups are named for {} inputs, but there are {}", group_of_input_.size(),
          x_->cols());
  const int groups = static_cast<int>(group_names.size());
  for (const int g : group_of_input_)
    require(g >= 0 && g < groups, "kernel widths: an input is in group {}, but there are {} groups", g,
            groups);
  const double n = static_cast<double>(x_->rows());
  parameters_.push_back({Parameter::Kind::decay, "lambda", x_->rows(), 1, 1, 1});
  for (int g = 0; g < groups; ++g) {
    const auto& name = group_names[static_cast<std::size_t>(g)];
    require(std::count(group_of_input_.begin(), group_of_input_.end(), g) > 0,
            "kernel widths: group '{}' has no inputs", name);
    parameters_.push_back({Parameter::Kind::width, groups == 1 ? "width" : "width[" + name + "]", 0,
                           start_width, narrowest * start_width, widest * start_width});
  }
  const Matrix k = gram(kernel_, *x_ / start_width);
  require(k.allFinite(),
          "kernel widths: the kernel matrix overflows; use a larger start width or scaled inputs");
  const double total = k.trace(), centred = intercept ? total - k.sum() / n : total;
  const double unit = centred > 10 * epsilon * total ? centred / n : (total > 0 ? total / n : 1);
  parameters_.front().unit = unit;
  parameters_.front().lower = lowest_lambda * unit;
  parameters_.front().upper = highest_lambda_per_row * n * unit;
}

double KernelWidths::total(Index) const {
  return intercept_ ? (y_.array() - y_.mean()).square().sum() : y_.squaredNorm();
}

void KernelWidths::check(const Vector& point) const {
  const bool usable = point.size() == static_cast<Index>(parameters_.size()) && point.allFinite() &&
                      (point.array() > 0).all();
  require(usable, "kernel widths: {} parameters where {} positive ones are needed (lambda, then the widths)",
          point.size(), parameters_.size());
}

Vector KernelWidths::input_widths(const Vector& point) const {
  check(point);
  constexpr double rounding = 1e-12;  // of exp and log on the way to the bound
  Vector widths(x_->cols());
  for (Index j = 0; j < widths.size(); ++j) {
    const std::size_t p = static_cast<std::size_t>(group_of_input_[static_cast<std::size_t>(j)]) + 1;
    const double width = point[static_cast<Index>(p)];
    widths[j] = width >= parameters_[p].upper * (1 - rounding) ? without_measure : width;
  }
  return widths;
}

Matrix KernelWidths::scaled_inputs(const Vector& widths) const {
  return x_->array().rowwise() / widths.transpose().array();
}

KernelWidths::Solved KernelWidths::solve(const Matrix& scaled, double lambda, bool matrix) const {
  Solved out;
  Matrix k = gram(kernel_, scaled);
  const double largest = k.diagonal().maxCoeff(), total = k.trace();
  if (!k.allFinite() || !std::isfinite(largest / lambda) || !std::isfinite(lambda)) {
    out.defined = false;
    out.warning =
        "the kernel matrix or lambda overflows or vanishes at these parameters; keep them nearer their units";
    return out;
  }
  const Index n = k.rows();
  const Frame frame(n, intercept_);
  Complement& c = out.complement;
  c.intercept = intercept_;
  c.y = intercept_ ? Vector(y_.array() - y_.mean()) : y_;
  const Vector z = frame.compress(c.y);
  k = frame.compress_symmetric(std::move(k));
  k /= lambda;
  k.diagonal().array() += 1;
  const double norm = symmetric_norm1(k);
  const auto factor = PositiveDefinite::factorise(std::move(k));
  // A factor whose smallest eigenvalue is rounding may exist by luck, but says nothing.
  const bool usable =
      factor && factor->reciprocal_condition(norm) * norm > 10 * epsilon * std::max(norm, largest / lambda);
  if (usable) {
    c.residual = frame.expand(factor->solve(z));
    c.log_determinant = factor->log_determinant();
    if (matrix) c.q = frame.expand_symmetric(factor->inverse());
    out.coefficients = c.residual / lambda;
    return out;
  }
  // As along a path of λ: directions that rounding hides are not fitted at all.
  out.warning =
      "lambda is below the rounding of the kernel matrix: directions lost in it are not fitted, and "
      "gradients hold "
      "them";
  const lapack::SymmetricEigen eigen =
      lapack::symmetric_eigen(frame.compress_symmetric(gram(kernel_, scaled)));
  // Taking the constant out of a kernel that hardly varies leaves nothing but rounding.
  const double floor =
      std::max(default_range_tolerance(n) * std::max(eigen.values[0], largest), 10 * epsilon * total);
  Vector complement(z.size()), inside(z.size());
  c.log_determinant = 0;
  for (Index i = 0; i < z.size(); ++i) {
    const double d = eigen.values[i];
    inside[i] = d > floor ? lambda / (d + lambda) : 0;
    complement[i] = d > floor ? inside[i] : 1;
    if (d > floor) c.log_determinant += log_one_plus_ratio(d, lambda);
  }
  const Vector along = eigen.vectors.transpose() * z;
  c.residual = frame.expand(eigen.vectors * complement.cwiseProduct(along));
  out.coefficients = frame.expand(eigen.vectors * (inside / lambda).cwiseProduct(along));
  if (matrix) {
    c.q = frame.expand_symmetric(weighted_outer(eigen.vectors, complement));
    c.in_range = frame.expand_symmetric(weighted_outer(eigen.vectors, inside));
  }
  return out;
}

/// The slope of a criterion in Q, taken back to λ and to every width.
Vector KernelWidths::gradient(const Complement& complement, const ComplementSlope& slope, Vector widths,
                              double lambda) const {
  const ComplementDerivative derivative = pull_back(complement, slope);
  Vector out = Vector::Zero(static_cast<Index>(parameters_.size()));
  out[0] = derivative.log_lambda;
  // At the bound, the slope of the last width that still measures: its sign tells what letting the input in would do.
  for (Index j = 0; j < widths.size(); ++j) {
    const auto p = static_cast<std::size_t>(group_of_input_[static_cast<std::size_t>(j)]) + 1;
    widths[j] = std::min(widths[j], parameters_[p].upper);
  }
  const Matrix scaled = scaled_inputs(widths);
  const Vector slopes = std::visit(
      [&]<class K>(const K& k) -> Vector {
        if constexpr (requires { k.slope(1.0); })
          return width_slopes(k, scaled, derivative.gram);
        else
          fail("kernel '{}' has no derivative, which widths per input need", kernel_spec(kernel_));
      },
      kernel_);
  for (Index j = 0; j < slopes.size(); ++j)
    out[group_of_input_[static_cast<std::size_t>(j)] + 1] += slopes[j] / lambda;
  return out;
}

std::string KernelWidths::lacks(Account account, const Metric& metric) const {
  if (account == Account::resampled)
    return "a search over several parameters has no bootstrap; use sic or cv";
  if (account == Account::sic && metric.kind != Metric::Kind::train)
    return "a search over several parameters measures at the training inputs; use `metric` train";
  return "";
}

template <class AccountType, class Keep>
std::vector<AccountType> KernelWidths::accounts(const Points& points, bool slopes, bool matrix,
                                                const Keep& keep) const {
  std::vector<AccountType> out;
  for (const auto& point : points.colwise()) {
    const Vector widths = input_widths(point);
    const double lambda = point[0];
    auto solved = std::make_shared<const Solved>(solve(scaled_inputs(widths), lambda, matrix || slopes));
    if (!solved->defined) {
      out.emplace_back();
      out.back().trouble = solved->warning;
      continue;
    }
    ComplementAccount<AccountType> made = keep(solved->complement);
    const std::string both = made.account.trouble.empty() || solved->warning.empty() ? "" : "; ";
    made.account.trouble = solved->warning + both + made.account.trouble;
    if (slopes && !made.of_field.empty())
      made.account.slopes = [this, solved, widths, lambda,
                             of_field = std::move(made.of_field)](std::span<const double> by_field) {
        return gradient(solved->complement, combined(by_field, of_field), widths, lambda);
      };
    out.push_back(std::move(made.account));
  }
  return out;
}

std::vector<Counts> KernelWidths::counts(const Points& points, Index, bool squares, bool slopes) const {
  return accounts<Counts>(points, slopes, true,
                          [&](const Complement& c) { return complement::counts(c, squares); });
}
std::vector<Scores> KernelWidths::scores(const Points& points, Index, Index lags, bool slopes) const {
  return accounts<Scores>(points, slopes, true,
                          [&](const Complement& c) { return complement::scores(c, lags); });
}
std::vector<LeftOut> KernelWidths::left_out(const Points& points, Index, bool slopes, const Progress&) const {
  return accounts<LeftOut>(points, slopes, true, complement::left_out);
}
std::vector<HeldOut> KernelWidths::held_out(const Points& points, Index, const Folds& folds, bool slopes,
                                            const Progress&) const {
  return accounts<HeldOut>(points, slopes, true,
                           [&](const Complement& c) { return complement::held_out(c, folds); });
}
std::vector<EvidenceParts> KernelWidths::evidence(const Points& points, Index, bool slopes) const {
  return accounts<EvidenceParts>(points, slopes, false, complement::evidence);
}
SicAccount KernelWidths::sic(const Points& points, Index, const SicQuestion&, bool slopes) const {
  return {accounts<SicParts>(points, slopes, true, complement::sic)};
}

Fit KernelWidths::fit_at(const Points& points) const {
  const Vector point = points.col(0), widths = input_widths(point);
  const double lambda = point[0], n = static_cast<double>(y_.size());
  Matrix centres = scaled_inputs(widths);
  const Solved solved = solve(centres, lambda, true);
  require(solved.defined, "kernel widths: {}", solved.warning);
  const Complement& c = solved.complement;
  Fit fit;
  fit.fitted = y_ - c.residual;
  fit.training_error = c.residual.squaredNorm() / n;
  fit.df = n - c.q.trace();
  fit.gamma = Vector::Constant(point.size(), undefined);
  fit.gamma[0] = fit.df - (intercept_ ? 1 : 0);
  LinearModel model{kernel_, std::move(centres), solved.coefficients, Vector::Zero(1), widths};
  // The constant is what the expansion lacks at the training rows, the same at each but for rounding.
  if (intercept_) {
    const Matrix k = gram(kernel_, model.centres);
    model.offset[0] = (fit.fitted.col(0) - k * solved.coefficients).mean();
  }
  fit.model = std::move(model);
  return fit;
}

}  // namespace gnomon
