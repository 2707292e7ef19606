// One decay per input instead of one for all: which inputs matter, and what that is worth on new data. First through
// `select`, as the command does it; then the pieces themselves, for a criterion and starts of one's own.

#include <fmt/format.h>
#include <gnomon/gnomon.hpp>

using namespace gnomon;

int main() {
  Random random(3);
  const auto draw = [&](Index rows, double noise) {
    TrainingData data;
    data.x.resize(rows, 12);
    for (Index j = 0; j < 12; ++j) data.x.col(j) = random.normal_vector(rows);
    data.y = data.x.col(0) - 0.6 * data.x.col(4) + 0.4 * data.x.col(9) + noise * random.normal_vector(rows);
    data.target_names = {"y"};
    return data;
  };
  const TrainingData train = draw(50, 0.7), test = draw(2000, 0);
  const auto true_error = [&](const Model& model) {
    return (model.predict(test.x) - test.y).squaredNorm() / 2000;
  };

  SelectionRequest request{.learner = "ridge", .groups = "each", .criteria = {"evidence", "loo"}};
  const Selection each = select(train, request);
  request.groups = "all";
  const Selection one = select(train, request);
  const TunedSearch& found = *each.targets.front().search();
  for (std::size_t i = 0; i < found.parameters.size(); ++i)
    fmt::print("{:12} {:10.3g}  {:.2f} weights determined, {}\n", found.parameters[i].name,
               found.chosen[Index(i)], found.gamma[Index(i)], in_words(found.verdicts[i]));
  fmt::print("{}\n", found.criteria.front().search.status);
  fmt::print("true error: one decay {:.4f}, one per input {:.4f}\n", true_error(one.model),
             true_error(each.model));

  // The pieces: a learner as a function of its parameters, and a criterion with its gradient.
  const RidgeGroups ridge(train.x, train.y.col(0), Basis::fit("linear", train.x),
                          {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}, {"first", "second", "third"}, true);
  const GivenCriterion leave_one_out{loo};
  const SearchResult minimum =
      tune(ridge, leave_one_out, {.starts = {Vector::Zero(3), Vector::Constant(3, 4)}});
  const Estimate there = leave_one_out.at(ridge, minimum.parameters.array().exp(), true);
  fmt::print("three groups: leave-one-out {:.4f} after {} evaluations, gradient {:.1e}\n", there.value,
             minimum.evaluations, minimum.gradient_norm);
  return true_error(each.model) < 0.7 * true_error(one.model) && minimum.converged ? 0 : 1;
}
