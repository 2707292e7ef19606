#include "ridge_folds.hpp"

#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "ridge_factor.hpp"

namespace gnomon {

struct RidgeFolds::Fold {
  CompressedRows training, held_out;
  double decay_factor = 1;  // κ_j/κ
};

RidgeFolds::RidgeFolds(const GroupedRidge& ridge, const Folds& folds, RidgeFoldsOptions options)
    : slopes_by_(ridge.slopes_by()) {
  check_folds(folds, ridge.samples());
  for (Index o = 0; o < ridge.outputs(); ++o) parts_.push_back(ridge.penalty_of_output(o));
  const auto rows = rows_by_fold(folds);
  std::vector<std::shared_ptr<Fold>> made;
  for (const auto& held_out : rows) {
    require(!held_out.empty() && static_cast<Index>(held_out.size()) < ridge.samples(),
            "cv: a fold holds out {} of {} rows; every fold needs rows to test and rows to train on",
            held_out.size(), ridge.samples());
    auto fold = std::make_shared<Fold>();
    fold->held_out =
        compress(Matrix(ridge.x()(held_out, Eigen::all)), Matrix(ridge.y()(held_out, Eigen::all)), false);
    if (options.same_lambda)
      fold->decay_factor = static_cast<double>(ridge.samples()) /
                           static_cast<double>(ridge.samples() - static_cast<Index>(held_out.size()));
    made.push_back(std::move(fold));
  }
  parallel_for(static_cast<Index>(made.size()), [&](Index j) {
    std::vector<const CompressedRows*> others;
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (static_cast<Index>(i) != j) others.push_back(&made[i]->held_out);
    }
    made[static_cast<std::size_t>(j)]->training = compress(others, true);
  });
  folds_.assign(made.begin(), made.end());
}

HeldOut RidgeFolds::held_out(const VectorView& kappa, bool gradient) const {
  check_kappa(parts_.front(), kappa);
  HeldOut out;
  const Index folds = static_cast<Index>(folds_.size());
  out.sum = Vector::Zero(folds);
  out.weight.resize(folds);
  Matrix d = Matrix::Zero(kappa.size(), folds);
  parallel_for(folds, [&](Index j) {
    const Fold& fold = *folds_[static_cast<std::size_t>(j)];
    const Vector k = fold.decay_factor * kappa, unit = fold.decay_factor * slope_unit(slopes_by_, kappa);
    out.weight[j] = fold.held_out.samples;
    for (Index o = 0; o < static_cast<Index>(parts_.size()); ++o) {
      const GroupedPenalty& penalty = parts_[static_cast<std::size_t>(o)];
      const RidgeFactor factor(fold.training, penalty, k, o);
      const Vector error = fold.held_out.c.col(o) - fold.held_out.r * factor.weights();
      out.sum[j] += error.squaredNorm() + fold.held_out.rest[o];
      if (!gradient) continue;
      const Vector pull = fold.held_out.r.transpose() * error;  // −½∇S_V·|V|
      const Vector adjoint = factor.solve(pull), &w = factor.weights();
      Vector slope = penalty.pairs(adjoint, w);
      if (factor.dual())
        match_total(slope, k, penalty.pairs(adjoint.cwiseAbs(), w.cwiseAbs()), pull.dot(factor.shrinkage()));
      d.col(j) += 2 * unit.cwiseProduct(slope);
    }
  });
  if (gradient) out.slopes = slopes_from(std::move(d));
  return out;
}

}  // namespace gnomon
