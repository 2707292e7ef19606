#include "gnomon/learn/learner.hpp"

#include "gnomon/core/error.hpp"
#include "gnomon/learn/smoother.hpp"

namespace gnomon {

MetricPoints metric_points(const MatrixView& sample) {
  return {sample, Vector::Constant(sample.rows(), 1 / static_cast<double>(sample.rows()))};
}

Slopes slopes_from(Matrix derivatives) {
  return [d = std::move(derivatives)](std::span<const double> by_field) -> Vector {
    return d * Eigen::Map<const Vector>(by_field.data(), static_cast<Index>(by_field.size()));
  };
}

void Learner::refuse(Account account) const {
  const std::string why = lacks(account, {});
  fail("this learner keeps no such account{}{}", why.empty() ? "" : ": ", why);
}

std::vector<Scores> Learner::scores(const Points&, Index, Index, bool) const { refuse(Account::scores); }
std::vector<LeftOut> Learner::left_out(const Points&, Index, bool, const Progress&) const {
  refuse(Account::left_out);
}
std::vector<HeldOut> Learner::held_out(const Points&, Index, const Folds&, bool, const Progress&) const {
  refuse(Account::held_out);
}
UnseenResiduals Learner::unseen_residuals(const Points&, Index, const Folds&, bool, const Progress&) const {
  refuse(Account::held_out);
}
std::vector<EvidenceParts> Learner::evidence(const Points&, Index, bool) const { refuse(Account::evidence); }
DecayEvidence Learner::decays(const Vector&) const {
  fail("MacKay's updates are for weight decays only; search by gradient");
}
SicAccount Learner::sic(const Points&, Index, const SicQuestion&, bool) const { refuse(Account::sic); }

const Smoother& Learner::smoother() const { fail("this learner has no ridge regression beside it"); }

std::vector<LeftOut> by_point(const ErrorPath& errors, double count) {
  std::vector<LeftOut> out(static_cast<std::size_t>(errors.value.size()));
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k].sum = errors.value[static_cast<Index>(k)] * count;
    out[k].weight = count;
    out[k].standard_error = errors.standard_error[static_cast<Index>(k)];
  }
  return out;
}

std::vector<HeldOut> by_point(const FoldErrors& errors) {
  std::vector<HeldOut> out(static_cast<std::size_t>(errors.sums.cols()));
  for (Index k = 0; k < errors.sums.cols(); ++k) {
    HeldOut& at = out[static_cast<std::size_t>(k)];
    at.sum = errors.sums.col(k);
    at.weight = errors.weights;
    if (!errors.importance_sums.size()) continue;
    at.importance_sum = errors.importance_sums.col(k);
    at.importance = errors.importance;
  }
  return out;
}

std::vector<double> lambdas_of(const Points& points) { return {points.row(0).begin(), points.row(0).end()}; }

Points points_of(std::span<const double> lambdas) {
  return Eigen::Map<const Eigen::RowVectorXd>(lambdas.data(), static_cast<Index>(lambdas.size()));
}

}  // namespace gnomon
