#include "contest.hpp"

#include <algorithm>
#include <cmath>

#include "gnomon/core/error.hpp"

namespace gnomon::compare {
namespace {

/// No refits for folds, rows or replications. `direct`: the learner leaves rows out in closed form.
bool is_cheap(const Criterion& c, bool direct) {
  if (c.needs() == Account::held_out) return false;
  if (!direct && (c.needs() == Account::left_out || c.covariance == Criterion::Covariance::bootstrap))
    return false;
  return c.same_as.empty();
}

}  // namespace

Contest::Contest(TrainingData data, SelectionRequest request)
    : data_(std::move(data)), request_(std::move(request)) {}

PathErrors Contest::true_errors(std::size_t, const Vector&, std::size_t) const {
  fail("a search over several parameters has no path");
}

bool Contest::compares_every_cheap() const {
  return request_.criteria == std::vector<std::string>{"auto"} && request_.own_criteria.empty();
}

void Contest::choose_criteria(const Learner& learner, const Comparison& comparison) {
  const bool every_cheap = compares_every_cheap();
  const bool direct = learner.linear() || (searches() && !learner.iterative());
  SelectionRequest asking = request_;
  if (every_cheap) asking.criteria = {"all"};
  std::string reason;
  asked_ = asked_criteria(asking, learner, metric_, comparison, reason);
  other_loss_ = std::isfinite(learner.loss_turn());
  if (every_cheap) {
    // What `auto` stands for is compared whatever it costs.
    const std::vector<std::string> defaults = default_criteria(learner, request_).names;
    std::erase_if(asked_, [&](const AskedCriterion& c) {
      const bool by_default = std::find(defaults.begin(), defaults.end(), c.request.label) != defaults.end();
      const bool drop = !by_default && !is_cheap(c.criterion(), direct);
      if (drop && c.criterion().same_as.empty()) dropped_.push_back(c.request.label);
      return drop;
    });
  }
  require(!asked_.empty(), "no criterion is left to compare; name some with `criteria`");
  for (const auto& c : asked_) labels_.push_back(c.request.label);
}

double Contest::wanted(std::size_t c, double at_new, double at_training, double left_out_constant) const {
  const Criterion& criterion = asked_[c].criterion();
  const Target& target = criterion.target;
  if ((other_loss_ && criterion.own_loss) || criterion.kind(metric_) != ErrorKind::prediction)
    return undefined;
  const double noise = target.noise == Target::Noise::included ? world_.sigma2 : 0;
  const bool elsewhere = data_.importance.size() > 0 || data_.test_x.rows() > 0;  // at_new: where tests are
  switch (target.where) {
    case Target::Where::at_training_inputs:
      return at_training + noise;
    case Target::Where::like_training:
      return elsewhere ? undefined : at_new + noise;
    case Target::Where::at_test_inputs:
      return elsewhere ? at_new + noise : undefined;
    case Target::Where::in_metric:
      return target.less_a_constant && metric_.kind == Metric::Kind::train
                 ? at_training + noise - left_out_constant
                 : undefined;
  }
  return undefined;
}

}  // namespace gnomon::compare
