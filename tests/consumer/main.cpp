// What a project outside this repository writes: the example of the README, with a check at the end.

#include <fmt/format.h>
#include <gnomon/gnomon.hpp>

int main() {
  gnomon::Random random(1);
  const gnomon::Synthetic toy = gnomon::make_synthetic("sinc", 100, 0.2, random);
  const gnomon::Selection result =
      gnomon::select({.x = toy.x, .y = toy.y, .weight = {}, .target_names = {"y"}},
                     {.learner = "kernel-ridge", .criteria = {"loo", "gcv"}});
  const gnomon::TargetSelection& y = result.targets.front();
  fmt::print("lambda {}, error {} +- {}, df {}\n", y.path()->chosen().lambda, y.chosen().selected->value,
             y.chosen().selected->standard_error, y.chosen_df);
  const gnomon::Matrix fitted = result.model.predict(toy.x);
  const double error = (fitted.col(0) - toy.truth).squaredNorm() / 100;
  return error < 0.01 ? 0 : 1;
}
