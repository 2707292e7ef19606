// Every derivative of the network's cost against central differences of the one below it.

#include <gtest/gtest.h>

#include <cmath>

#include "gnomon/core/error.hpp"
#include "gnomon/core/random.hpp"
#include "learn/mlp/cost.hpp"
#include "reference/scores_along.hpp"

namespace gnomon::mlp_derivatives_test {
namespace {

using reference::scores_along;

struct Case {
  const char* name;
  MlpShape shape;
  MlpLoss loss;
};

MlpCost cost_of(const Case& c, Index rows, std::uint64_t seed) {
  Random random(seed);
  Matrix x(rows, c.shape.inputs), y(rows, c.shape.outputs);
  for (auto& v : x.reshaped()) v = random.normal();
  for (auto& v : y.reshaped()) v = random.normal();
  if (c.loss == MlpLoss::cross_entropy) {
    y.setZero();
    for (Index i = 0; i < rows; ++i)
      y(i, static_cast<Index>(random.below(std::uint64_t(c.shape.outputs)))) = 1;
    y(0, 0) += 0.5;  // class weights need not sum to one
  }
  MlpDecay decay = decay_per_layer(c.shape, 0.01, false);
  decay.kappa[0] = 0.03;
  return MlpCost(c.shape, c.loss, x, y, decay);
}

Vector weights_of(const MlpCost& cost, std::uint64_t seed) {
  return 0.7 * Random(seed, 9).normal_vector(cost.weights());
}

class MlpDerivatives : public ::testing::TestWithParam<Case> {};

TEST_P(MlpDerivatives, CostIsThePlainSum) {
  const MlpCost cost = cost_of(GetParam(), 17, 1);
  const Vector w = weights_of(cost, 1);
  const MlpShape& shape = cost.shape();
  double sum = 0;
  for (Index k = 0; k < cost.rows(); ++k) {
    Vector z = cost.x().row(k).transpose();
    Index at = 0;
    for (Index l = 0; l < shape.layers(); ++l) {
      Vector a = Vector::Zero(shape.units(l));
      for (Index j = 0; j < a.size(); ++j) {
        for (Index i = 0; i < z.size(); ++i) a[j] += w[at++] * z[i];
        if (shape.bias) a[j] += w[at++];
      }
      z = a;
      if (l + 1 < shape.layers())
        for (auto& v : z) v = std::tanh(v);
    }
    if (cost.loss() == MlpLoss::squared) {
      sum += (z - cost.y().row(k).transpose()).squaredNorm();
    } else {
      double total = 0;
      for (const double f : z) total += std::exp(f);
      for (Index o = 0; o < z.size(); ++o) sum -= cost.y()(k, o) * (z[o] - std::log(total));
    }
    EXPECT_NEAR((cost.outputs(w).row(k).transpose() - z).norm(), 0, 1e-14);
  }
  EXPECT_NEAR(cost.error(w), sum / 17, 1e-13);
  double penalty = 0;
  for (Index i = 0; i < w.size(); ++i) {
    const int g = cost.decay().group[std::size_t(i)];
    if (g >= 0) penalty += cost.decay().kappa[g] * w[i] * w[i];
  }
  if (cost.loss() == MlpLoss::cross_entropy) {  // the free output biases are held at mean 0
    double sum_of_biases = 0;
    const Index fan_in = shape.fan_in(shape.layers() - 1);
    for (Index o = 0; o < shape.outputs; ++o) sum_of_biases += w[w.size() - 1 - o * fan_in];
    penalty += sum_of_biases * sum_of_biases / static_cast<double>(shape.outputs);
  }
  EXPECT_NEAR(cost.penalty(w), penalty, 1e-14);
}

TEST_P(MlpDerivatives, GradientEqualsDifferences) {
  const MlpCost cost = cost_of(GetParam(), 23, 2);
  const Vector w = weights_of(cost, 2);
  Vector g;
  EXPECT_NEAR(cost.cost_and_gradient(w, g), cost.cost(w), 1e-14);
  for (Index i = 0; i < w.size(); ++i) {
    Vector up = w, down = w;
    up[i] += 1e-5, down[i] -= 1e-5;
    EXPECT_NEAR(g[i], (cost.cost(up) - cost.cost(down)) / 2e-5, 1e-8) << i;
  }
}

TEST_P(MlpDerivatives, ScoresAreTheGradientsOfSingleRows) {
  const MlpCost cost = cost_of(GetParam(), 7, 3);
  const Vector w = weights_of(cost, 3), v = weights_of(cost, 30);
  const Matrix s = cost.scores(w), d = scores_along(cost, w, v);
  for (Index k = 0; k < 7; ++k) {
    Vector g, up, down;
    cost.on_rows({k}).error_and_gradient(w, g);
    EXPECT_NEAR((s.row(k).transpose() - g).norm(), 0, 1e-13);
    cost.on_rows({k}).error_and_gradient(w + 1e-5 * v, up);
    cost.on_rows({k}).error_and_gradient(w - 1e-5 * v, down);
    EXPECT_NEAR((d.row(k).transpose() - (up - down) / 2e-5).norm() / (1 + d.row(k).norm()), 0, 1e-7);
  }
}

TEST_P(MlpDerivatives, HessianEqualsDifferencesOfTheGradient) {
  const MlpCost cost = cost_of(GetParam(), 40, 4);
  const Vector w = weights_of(cost, 4);
  Matrix j = cost.error_hessian(w, MlpHessian::exact);
  EXPECT_EQ((j - j.transpose()).norm(), 0);
  cost.add_penalty(j);
  for (Index i = 0; i < w.size(); ++i) {
    Vector up = w, down = w, gu, gd;
    up[i] += 1e-5, down[i] -= 1e-5;
    cost.cost_and_gradient(up, gu);
    cost.cost_and_gradient(down, gd);
    EXPECT_NEAR((j.col(i) - (gu - gd) / 2e-5).lpNorm<Eigen::Infinity>(), 0, 2e-8) << i;
  }
  const Vector v = weights_of(cost, 31);
  EXPECT_NEAR((j * v - MlpTangents(cost, w).hessian_vector(v)).norm(), 0, 1e-12 * (j * v).norm());
}

TEST_P(MlpDerivatives, GaussNewtonIsTheOuterProductOfOutputGradients) {
  const MlpCost cost = cost_of(GetParam(), 11, 5);
  const Vector w = weights_of(cost, 5);
  const Index p = w.size(), outputs = cost.shape().outputs;
  const Matrix f = cost.outputs(w);
  std::vector<Matrix> jacobian(11, Matrix(outputs, p));
  for (Index i = 0; i < p; ++i) {
    Vector up = w, down = w;
    up[i] += 1e-5, down[i] -= 1e-5;
    const Matrix d = (cost.outputs(up) - cost.outputs(down)) / 2e-5;
    for (Index k = 0; k < 11; ++k) jacobian[std::size_t(k)].col(i) = d.row(k).transpose();
  }
  Matrix expected = Matrix::Zero(p, p);
  for (Index k = 0; k < 11; ++k) {
    Matrix l = 2 * Matrix::Identity(outputs, outputs);
    if (cost.loss() == MlpLoss::cross_entropy) {
      Vector pi = f.row(k).transpose().array().exp();
      pi /= pi.sum();
      l = cost.y().row(k).sum() * (Matrix(pi.asDiagonal()) - pi * pi.transpose());
    }
    expected += jacobian[std::size_t(k)].transpose() * l * jacobian[std::size_t(k)] / 11;
  }
  EXPECT_NEAR((cost.error_hessian(w, MlpHessian::gauss_newton) - expected).lpNorm<Eigen::Infinity>(), 0,
              1e-8);
}

TEST_P(MlpDerivatives, ThirdDerivativeEqualsDifferencesOfTheHessian) {
  const MlpCost cost = cost_of(GetParam(), 30, 6);
  const Vector w = weights_of(cost, 6), v = weights_of(cost, 60), v2 = weights_of(cost, 61);
  Matrix m = Matrix::Random(w.size(), w.size());
  m = (m + m.transpose()).eval();
  const Matrix other = v * v.transpose();
  Matrix directions(w.size(), 2);
  directions << v, v2;
  for (const auto kind : {MlpHessian::exact, MlpHessian::gauss_newton}) {
    const Matrix along = cost.error_hessian_along(w, v, kind);
    const Matrix difference =
        (cost.error_hessian(w + 1e-5 * v, kind) - cost.error_hessian(w - 1e-5 * v, kind)) / 2e-5;
    EXPECT_NEAR((along - difference).norm() / (1 + along.norm()), 0, 1e-8);
    const Matrix contracted = cost.hessian_contracted_along(w, {m, other}, directions, kind);
    const Matrix along2 = cost.error_hessian_along(w, v2, kind);
    const double scale = m.norm() * along.norm() + other.norm() * along2.norm() + 1;
    EXPECT_NEAR(contracted(0, 0), m.cwiseProduct(along).sum(), 1e-13 * scale);
    EXPECT_NEAR(contracted(0, 1), other.cwiseProduct(along).sum(), 1e-13 * scale);
    EXPECT_NEAR(contracted(1, 0), m.cwiseProduct(along2).sum(), 1e-13 * scale);
    EXPECT_NEAR(contracted(1, 1), other.cwiseProduct(along2).sum(), 1e-13 * scale);
  }
}

TEST_P(MlpDerivatives, GaussNewtonIsExactWhereResidualsVanish) {
  if (GetParam().loss == MlpLoss::cross_entropy) return;
  const MlpCost cost = cost_of(GetParam(), 25, 7);
  const Vector w = weights_of(cost, 7);
  const MlpCost perfect(cost.shape(), cost.loss(), cost.x(), cost.outputs(w), cost.decay());
  const Matrix exact = perfect.error_hessian(w, MlpHessian::exact);
  EXPECT_NEAR((exact - perfect.error_hessian(w, MlpHessian::gauss_newton)).norm(), 0, 1e-13 * exact.norm());
}

TEST_P(MlpDerivatives, BlocksOfRowsDoNotMatter) {
  const MlpCost cost = cost_of(GetParam(), 2500, 8);
  const Vector w = weights_of(cost, 8);
  std::vector<Index> first, second;
  for (Index i = 0; i < 2500; ++i) (i < 700 ? first : second).push_back(i);
  const auto hessian = [&](const MlpCost& c) { return c.error_hessian(w, MlpHessian::exact); };
  const Matrix whole = hessian(cost),
               parts = (700 * hessian(cost.on_rows(first)) + 1800 * hessian(cost.on_rows(second))) / 2500;
  EXPECT_NEAR((whole - parts).norm(), 0, 1e-12 * whole.norm());
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, MlpDerivatives,
    ::testing::Values(Case{"linear", {3, {}, 2, true}, MlpLoss::squared},
                      Case{"one", {3, {4}, 1, true}, MlpLoss::squared},
                      Case{"several_outputs", {2, {3}, 3, true}, MlpLoss::squared},
                      Case{"no_bias", {2, {3}, 2, false}, MlpLoss::squared},
                      Case{"deep", {2, {4, 3}, 2, true}, MlpLoss::squared},
                      Case{"deeper", {2, {3, 2, 4}, 1, true}, MlpLoss::squared},
                      Case{"deeper_no_bias", {2, {3, 2, 2, 3}, 2, false}, MlpLoss::squared},
                      Case{"classes", {3, {4}, 3, true}, MlpLoss::cross_entropy},
                      Case{"deep_classes", {2, {3, 3}, 2, true}, MlpLoss::cross_entropy}),
    [](const auto& chosen) { return chosen.param.name; });

TEST(MlpCost, SaysWhatIsWrong) {
  const MlpShape shape{2, {3}, 1, true};
  const auto message = [&](const Matrix& x, const Matrix& y, const MlpDecay& decay) -> std::string {
    try {
      MlpCost(shape, MlpLoss::squared, x, y, decay);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const MlpDecay decay = common_decay(shape, 0.1);
  EXPECT_EQ(message(Matrix::Zero(4, 3), Matrix::Zero(4, 1), decay),
            "the network has 2 inputs and 1 outputs, the data 3 and 1 columns");
  EXPECT_EQ(message(Matrix::Zero(4, 2), Matrix::Zero(5, 1), decay),
            "the network is given 4 rows of inputs and 5 of targets");
  EXPECT_EQ(message(Matrix::Zero(4, 2), Matrix::Constant(4, 1, NAN), decay),
            "the network's data hold values that are not finite numbers");
  EXPECT_EQ(message(Matrix::Zero(4, 2), Matrix::Zero(4, 1), common_decay(shape, -1)),
            "weight decay is -1; it must be finite and not negative");
}

}  // namespace
}  // namespace gnomon::mlp_derivatives_test
