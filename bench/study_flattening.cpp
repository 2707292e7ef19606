// Which exponent should importance-weighted least squares take? Known ratios and truths, fixed seeds.
//
//   study_flattening [draws]
//       Squared error at the test inputs, without noise, of the exponent that each rule takes, over the least among 21 exponents:
//       ratio of means over draws, geometric mean over the worlds of each number of rows and each shift, and the worst world.
//       Training inputs N(0, I), test inputs N(m 1/√d, 0.7² I); lines, or parabolas for two of the targets with one input.
//
// Rules: fixed exponents; Ĵ; importance-weighted leave-one-out, 10-fold iwcv and iwaic; and the smallest exponent whose
// importance-weighted leave-one-out error is within c standard errors *of the difference* of the least one.
//
// Prints Markdown tables. study_flattening.md is its output with conclusions.

#include <Eigen/Cholesky>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "gnomon/core/random.hpp"
#include "gnomon/core/types.hpp"

namespace {

using namespace gnomon;

constexpr Index exponents = 21;
constexpr double test_sd = 0.7, noise = 0.4;
double exponent_at(Index k) { return static_cast<double>(k) / (exponents - 1); }

struct World {
  Index n, inputs;
  double shift;
  int target;
  Index degree() const { return inputs == 1 && (target == 1 || target == 2) ? 2 : 1; }
};

double component(int target, double u) {
  const double s = std::numbers::pi * (u + 1);
  switch (target) {
    case 0:
      return u;  // the model is right
    case 1:
      return std::sin(1.5 * u) + 0.3 * u * u;
    case 2:
      return s == 0 ? 1 : std::sin(s) / s;
    case 3:
      return u > 0.3 ? 1 : 0;
    case 4:
      return 0.5 * u * u;
    default:
      return std::exp(0.6 * u);
  }
}

Vector target_at(const Matrix& x, int target) {
  return x.unaryExpr([&](double u) { return component(target, u); }).rowwise().sum();
}

Matrix design_of(const Matrix& x, Index degree) {
  Matrix design = Matrix::Ones(x.rows(), 1 + x.cols() * degree);
  for (Index j = 0; j < x.cols(); ++j)
    for (Index k = 0; k < degree; ++k)
      design.col(1 + j * degree + k) = x.col(j).array().pow(static_cast<double>(k + 1));
  return design;
}

Matrix normal(Random& random, Index rows, Index columns, double mean, double sd) {
  Matrix x(rows, columns);
  for (Index j = 0; j < columns; ++j) x.col(j) = mean + sd * random.normal_vector(rows).array();
  return x;
}

Index least(const Vector& curve) {
  Index at = 0;
  curve.minCoeff(&at);
  return at;
}

/// One data set: the error of every exponent, and what the rules say of them.
class Trial {
 public:
  Trial(const World& world, Random& random) {
    const double mean = world.shift / std::sqrt(static_cast<double>(world.inputs));
    const Matrix x = normal(random, world.n, world.inputs, 0, 1),
                 at = normal(random, 1000, world.inputs, mean, test_sd);
    ratio_ = (0.5 * x.rowwise().squaredNorm().array() -
              0.5 * ((x.array() - mean) / test_sd).square().rowwise().sum())
                 .exp();
    ratio_ /= ratio_.mean();
    const Vector y = target_at(x, world.target) + noise * random.normal_vector(world.n),
                 truth = target_at(at, world.target);
    design_ = design_of(x, world.degree());
    const Matrix test = design_of(at, world.degree());
    // Ĵ sees two hundred of the test inputs.
    const Matrix metric = test.topRows(200).transpose() * test.topRows(200) / 200;
    const Matrix reference = map(design_, 1);
    const double n = static_cast<double>(world.n), p = static_cast<double>(design_.cols());
    const double sigma2 = (y - design_ * (map(design_, 0) * y)).squaredNorm() / (n - p);
    left_out_.resize(world.n, exponents);
    for (Index k = 0; k < exponents; ++k) {
      const Matrix fit = map(design_, exponent_at(k));
      const Vector a = fit * y, e = y - design_ * a, h = (design_ * fit).diagonal();
      error_[k] = (test * a - truth).squaredNorm() / 1000;
      jhat_[k] = a.dot(metric * (a - 2 * (reference * y))) +
                 2 * sigma2 * (metric * fit * reference.transpose()).trace();
      left_out_.col(k) = (e.array() / (1 - h.array())).square();
      loo_[k] = ratio_.dot(left_out_.col(k)) / ratio_.sum();
      iwaic_[k] = (ratio_.array() * e.array().square() * (1 + 2 * h.array())).sum() / ratio_.sum();
      cv_[k] = validated(y, exponent_at(k));
    }
  }

  std::map<std::string, double> errors() const {
    std::map<std::string, double> out{{"least", error_.minCoeff()},
                                      {"0 exponent 0", error_[0]},
                                      {"1 exponent ½", error_[exponents / 2]},
                                      {"2 exponent 1", error_[exponents - 1]},
                                      {"3 Ĵ (sic)", error_[least(jhat_)]},
                                      {"4 iwcv:10", error_[least(cv_)]},
                                      {"5 iwaic", error_[least(iwaic_)]},
                                      {"6 weighted loo", error_[least(loo_)]}};
    for (const double c : {0.2, 0.3, 0.4, 0.5, 1.0}) {
      char name[40];
      std::snprintf(name, sizeof name, "7 within %.1f s.e.", c);
      out[name] = error_[smallest_within(c)];
    }
    return out;
  }

 private:
  Matrix map(const Matrix& design, double exponent) const {
    const Vector v = ratio_.array().pow(exponent);
    const Matrix weighted = design.transpose() * v.asDiagonal();
    return (weighted * design).ldlt().solve(weighted);
  }

  double validated(const Vector& y, double exponent) const {
    double sum = 0;
    for (Index fold = 0; fold < 10; ++fold) {
      Vector v = ratio_.array().pow(exponent);
      for (Index i = fold; i < v.size(); i += 10) v[i] = 0;
      const Matrix weighted = design_.transpose() * v.asDiagonal();
      const Vector a = (weighted * design_).ldlt().solve(weighted * y);
      for (Index i = fold; i < v.size(); i += 10)
        sum += ratio_[i] * std::pow(y[i] - design_.row(i).dot(a), 2);
    }
    return sum / ratio_.sum();
  }

  /// The smallest exponent whose weighted leave-one-out error exceeds the least by at most c standard errors of the difference.
  Index smallest_within(double c) const {
    const Index best = least(loo_);
    for (Index k = 0; k < best; ++k) {
      const double difference = loo_[k] - loo_[best];
      const Vector each =
          ratio_.cwiseProduct(Vector((left_out_.col(k) - left_out_.col(best)).array() - difference));
      if (difference <= c * each.norm() / ratio_.sum()) return k;
    }
    return best;
  }

  Matrix design_, left_out_;
  Vector ratio_;
  Vector error_ = Vector(exponents), jhat_ = Vector(exponents), loo_ = Vector(exponents),
         iwaic_ = Vector(exponents), cv_ = Vector(exponents);
};

}  // namespace

int main(int count, char** arguments) {
  const int draws = count > 1 ? std::atoi(arguments[1]) : 200;
  struct Tally {
    double log_sum = 0, worst = 0;
    int worlds = 0;
  };
  std::map<std::string, std::map<std::string, Tally>> table;  // by rule, by column
  std::vector<std::string> columns;
  for (const double shift : {0.5, 1.2})
    for (const Index n : {Index{50}, Index{150}, Index{400}}) {
      char column[40];
      std::snprintf(column, sizeof column, "shift %.1f, n = %d", shift, static_cast<int>(n));
      columns.emplace_back(column);
      for (const Index inputs : {Index{1}, Index{3}})
        for (int target = 0; target < 6; ++target) {
          const World world{n, inputs, shift, target};
          Random random(31, static_cast<std::uint64_t>(1000 * n + 10 * inputs + target));
          std::map<std::string, double> sums;
          for (int d = 0; d < draws; ++d) {
            for (const auto& [rule, error] : Trial(world, random).errors()) sums[rule] += error;
          }
          for (const auto& [rule, sum] : sums) {
            Tally& tally = table[rule][column];
            tally.log_sum += std::log(sum / sums["least"]);
            tally.worst = std::max(tally.worst, sum / sums["least"]);
            ++tally.worlds;
          }
        }
    }
  std::printf("| rule |");
  for (const auto& column : columns) std::printf(" %s |", column.c_str());
  std::printf(" all | worst world |\n|---|");
  for (std::size_t k = 0; k < columns.size() + 2; ++k) std::printf("---|");
  std::printf("\n");
  for (const auto& [rule, by_column] : table) {
    if (rule == "least") continue;
    std::printf("| %s |", rule.c_str() + 2);
    double log_sum = 0, worst = 0;
    int worlds = 0;
    for (const auto& column : columns) {
      const Tally& tally = by_column.at(column);
      std::printf(" %.3f |", std::exp(tally.log_sum / tally.worlds));
      log_sum += tally.log_sum, worlds += tally.worlds, worst = std::max(worst, tally.worst);
    }
    std::printf(" %.3f | %.2f |\n", std::exp(log_sum / worlds), worst);
  }
}
