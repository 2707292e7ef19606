#include "ratio_folds.hpp"

#include "decompose/lapack.hpp"
#include "gaussian_mixture_ratio.hpp"
#include "gnomon/core/error.hpp"
#include "methods.hpp"

namespace gnomon {
namespace {

/// A sample as seen from the centres, fold by fold, with its sums over all rows.
struct FoldedSample {
  std::vector<Matrix> features;  ///< of the rows of every fold
  std::vector<Matrix> products;  ///< and the sums of their outer products
  Matrix product;
  Vector sum;
  double rows;

  FoldedSample(const Matrix& all, const Folds& folds)
      : product(Matrix::Zero(all.cols(), all.cols())),
        sum(all.colwise().sum().transpose()),
        rows(static_cast<double>(all.rows())) {
    for (const auto& held : rows_by_fold(folds)) {
      features.emplace_back(all(held, Eigen::all));
      products.push_back(lapack::product(features.back(), true, features.back(), false));
      product += products.back();
    }
  }
  double kept(std::size_t fold) const { return rows - static_cast<double>(features[fold].rows()); }
};

/// Centres that a fold leaves in the fit.
std::vector<Index> serving(const Folds& test_folds, int fold, Index centres) {
  std::vector<Index> out;
  for (Index k = 0; k < centres; ++k) {
    if (test_folds.of_row[static_cast<std::size_t>(k)] != fold) out.push_back(k);
  }
  return out;
}

/// Adds the scores of the rows of one fold, at every λ.
void add_fold(const FoldedSample& train, const FoldedSample& test, std::size_t fold,
              const std::vector<Index>& served, std::span<const double> lambdas, double alpha,
              Eigen::Ref<Vector> scores) {
  if (served.empty()) return;  // no centre: the ratio is 0 and adds nothing
  const Matrix system = (1 - alpha) / train.kept(fold) * (train.product - train.products[fold]) +
                        alpha / test.kept(fold) * (test.product - test.products[fold]);
  const auto eigen = lapack::symmetric_eigen(Matrix(system(served, served)));
  const Vector sum = test.sum - test.features[fold].colwise().sum().transpose();
  const Vector target = eigen.vectors.transpose() * (sum(served) / test.kept(fold));
  const Matrix at_train = train.features[fold](Eigen::all, served),
               at_test = test.features[fold](Eigen::all, served);
  for (std::size_t l = 0; l < lambdas.size(); ++l) {
    const Vector theta =
        (eigen.vectors * (target.array() / (eigen.values.array().max(0) + lambdas[l])).matrix()).cwiseMax(0);
    const Vector w = at_test * theta;
    scores[static_cast<Index>(l)] += (1 - alpha) / (2 * train.rows) * (at_train * theta).squaredNorm() +
                                     alpha / (2 * test.rows) * w.squaredNorm() - w.sum() / test.rows;
  }
}

}  // namespace

Matrix ratio_fold_scores(const MatrixView& train, const MatrixView& test, Index centres,
                         std::span<const double> widths, std::span<const double> lambdas, double alpha,
                         const Folds& train_folds, const Folds& test_folds, const Progress& progress) {
  require(centres >= 1 && centres <= test.rows(), "{} centres among {} test rows", centres, test.rows());
  require(train_folds.count == test_folds.count && train_folds.count >= 2,
          "{} folds of the training sample and {} of the test sample: both need the same number, 2 or more",
          train_folds.count, test_folds.count);
  Matrix scores = Matrix::Zero(static_cast<Index>(widths.size()), static_cast<Index>(lambdas.size()));
  const Matrix at = test.topRows(centres);
  for_each_reported(scores.rows(), "kernel widths", progress, [&](Index i) {
    const double width = widths[static_cast<std::size_t>(i)];
    const FoldedSample of_train(gaussian_features(train, at, width), train_folds),
        of_test(gaussian_features(test, at, width), test_folds);
    Vector row = Vector::Zero(scores.cols());
    for (int fold = 0; fold < test_folds.count; ++fold)
      add_fold(of_train, of_test, static_cast<std::size_t>(fold), serving(test_folds, fold, centres), lambdas,
               alpha, row);
    scores.row(i) = row.transpose();
  });
  return scores;
}

}  // namespace gnomon
