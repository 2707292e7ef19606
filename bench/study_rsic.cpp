// Which degree γ should the reference of the regularized SIC have? sin(x)/x and sin(πx)/(πx) at 50 points in (−π, π), a Gaussian
// kernel of width 1, λ from 10⁻⁸ to 10⁴; fixed seed.
//
//   study_rsic [draws]
//       True squared error at the λ that is chosen, over the least on the path, mean over draws: SIC itself, SIC against a pilot
//       fit, and the regularized SIC with γ of least estimated squared error at each λ, summed over the path, of the differences
//       to the λ with the least GCV, and at that λ.
//
// Prints a Markdown table; docs/theory/regularized-sic.md quotes it.

#include <Eigen/Eigenvalues>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numbers>

#include "gnomon/core/random.hpp"
#include "learn/regularized_sic.hpp"

namespace {

using namespace gnomon;

constexpr Index n = 50;

struct Setting {
  bool coefficients, at_training_inputs, fast;  ///< penalty, metric, target
  double sigma2;
  bool estimated;  ///< σ² from the residuals where GCV is least
};

std::vector<double> lambda_grid() {
  std::vector<double> grid;
  for (int k = -20; k <= 10; ++k) grid.push_back(std::pow(10, 0.4 * k));
  return grid;
}

/// One data set in the eigenbasis of its Gram matrix.
struct World {
  Vector d, mean, z2;
  double norm;  ///< of the target in the function space

  World(const Setting& setting, Random& random) {
    const Vector x = random.uniform_vector(n, -std::numbers::pi, std::numbers::pi);
    const Vector at = setting.fast ? Vector(std::numbers::pi * x) : x;
    Matrix gram(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) gram(i, j) = std::exp(-(x[i] - x[j]) * (x[i] - x[j]) / 2);
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(gram);
    d = eigen.eigenvalues().reverse().cwiseMax(0);
    mean = eigen.eigenvectors().rowwise().reverse().transpose() * (at.array().sin() / at.array()).matrix();
    z2 = (mean + std::sqrt(setting.sigma2) * random.normal_vector(n)).cwiseAbs2();
    norm = setting.fast ? 6.518415 : 1.497657;
  }
};

/// Curves of the candidates along λ.
class Trial {
 public:
  Trial(const Setting& setting, Random& random) : world_(setting, random), lambdas_(lambda_grid()) {
    const Index m = static_cast<Index>(lambdas_.size());
    const Vector& d = world_.d;
    const bool coefficients = setting.coefficients;
    gain_.resize(n, m);
    left_.resize(n, m);
    for (Index k = 0; k < m; ++k) {
      const double lambda = lambdas_[static_cast<std::size_t>(k)];
      for (Index i = 0; i < n; ++i) {
        const bool range = coefficients || d[i] > n * 2.2e-16 * d[0];
        const double bottom = coefficients ? d[i] * d[i] + lambda : d[i] + lambda;
        gain_(i, k) = range ? (coefficients ? d[i] : 1) / bottom : 0;
        left_(i, k) = range ? lambda / bottom : 1;
      }
    }
    const Vector gcv = (left_.cwiseAbs2().transpose() * world_.z2).array() /
                       left_.colwise().sum().transpose().array().square();
    gcv.minCoeff(&pilot_);
    sigma2_ = setting.estimated ? left_.col(pilot_).cwiseAbs2().dot(world_.z2) / left_.col(pilot_).sum()
                                : setting.sigma2;
    per_d_ = setting.at_training_inputs ? Vector(d / static_cast<double>(n)) : Vector::Ones(n);
    const Vector mu2 = world_.mean.cwiseAbs2();
    truth_ = own().transpose() * (mu2.array() + setting.sigma2).matrix() -
             2 * (per_d_.asDiagonal() * gain_).transpose() * mu2;
    truth_.array() += setting.at_training_inputs ? mu2.sum() / static_cast<double>(n) : world_.norm;
  }

  /// True errors of the choices, the least error first.
  std::map<std::string, double> errors() const {
    const auto degrees = reference_degrees(world_.d[0]);
    const Index m = gain_.cols(), g = static_cast<Index>(degrees.size());
    Matrix value(m, g), error(m, g), of_differences(m, g);
    for (Index q = 0; q < g; ++q) {
      const double gamma = degrees[static_cast<std::size_t>(q)];
      const Vector reference =
          gamma > 0 ? Vector(world_.d.array() / (world_.d.array() + gamma)) : Vector::Ones(n);
      const Vector off = gamma > 0 ? Vector(gamma / (world_.d.array() + gamma)) : Vector::Zero(n);
      const Matrix b = own() - 2 * cross(reference), c = 2 * cross(off);
      value.col(q) = curve(reference);
      for (Index k = 0; k < m; ++k) {
        error(k, q) = estimated_squared_error(Vector(b.col(k)), Vector(c.col(k)), world_.z2, sigma2_);
        of_differences(k, q) = estimated_squared_error(Vector(b.col(k) - b.col(pilot_)),
                                                       Vector(c.col(k) - c.col(pilot_)), world_.z2, sigma2_);
      }
    }
    const auto least = [](const Vector& v) {
      Index at = 0;
      v.minCoeff(&at);
      return at;
    };
    const auto chosen = [&](const Vector& v) { return truth_[least(v)]; };
    Vector at_each(m);
    for (Index k = 0; k < m; ++k) at_each[k] = value(k, least(error.row(k).transpose()));
    const Vector fitted = world_.d.cwiseProduct(gain_.col(pilot_));
    return {{"0 least", truth_.minCoeff()},
            {"1 sic", chosen(value.col(0))},
            {"2 sic-pilot", chosen(curve(fitted))},
            {"3 at each λ", chosen(at_each)},
            {"4 summed", chosen(value.col(least(error.colwise().sum().transpose())))},
            {"5 differences", chosen(value.col(least(of_differences.colwise().sum().transpose())))},
            {"6 at the pilot λ", chosen(value.col(least(error.row(pilot_).transpose())))}};
  }

 private:
  /// Weights of z²: m x², and m x r with d r given; m/d = 1 in function space, d/n at the training inputs.
  Matrix own() const { return per_d_.cwiseProduct(world_.d).asDiagonal() * gain_.cwiseAbs2(); }
  Matrix cross(const Vector& fitted) const { return per_d_.cwiseProduct(fitted).asDiagonal() * gain_; }
  Vector curve(const Vector& fitted) const {
    return own().transpose() * world_.z2 -
           2 * cross(fitted).transpose() * (world_.z2.array() - sigma2_).matrix();
  }

  World world_;
  std::vector<double> lambdas_;
  Matrix gain_, left_;
  Vector per_d_, truth_;
  Index pilot_ = 0;
  double sigma2_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
  const int draws = count > 1 ? std::atoi(arguments[1]) : 1000;
  bool first = true;
  for (const bool at_training_inputs : {false, true})
    for (const bool fast : {false, true})
      for (const double sigma2 : {0.01, 0.09})
        for (const bool estimated : {false, true}) {
          const Setting setting{true, at_training_inputs, fast, sigma2, estimated};
          std::map<std::string, double> sums;
          Random random(7);
          for (int t = 0; t < draws; ++t) {
            for (const auto& [name, error] : Trial(setting, random).errors()) sums[name] += error;
          }
          if (first) {
            std::printf("| metric, target, σ² |");
            for (const auto& [name, sum] : sums)
              if (name[0] != '0') std::printf(" %s |", name.c_str() + 2);
            std::printf("\n|---|---|---|---|---|---|---|\n");
            first = false;
          }
          std::printf("| %s, %s, %.2f %s |", at_training_inputs ? "train" : "function space",
                      fast ? "sin(πx)/(πx)" : "sin(x)/x", sigma2, estimated ? "estimated" : "known");
          for (const auto& [name, sum] : sums)
            if (name[0] != '0') std::printf(" %.3g |", sum / sums["0 least"]);
          std::printf("\n");
        }
}
