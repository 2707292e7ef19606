// What a project outside this repository writes: choose λ, look at the estimate, predict.

#include <cmath>
#include <cstdio>
#include <gnomon/gnomon.hpp>

int main() {
  gnomon::Random random(1);
  const gnomon::Synthetic data = gnomon::make_synthetic("sinc", 60, 0.1, random);
  gnomon::SelectionRequest request;
  request.criteria = {"gcv", "loo"};
  const gnomon::Selection s = gnomon::select({data.x, data.y, {}, {"y"}}, request);
  const auto& chosen = s.targets[0];
  const gnomon::Matrix prediction = s.model.predict(data.x);
  const double error = (prediction.col(0) - data.truth).squaredNorm() / 60;
  std::printf("gnomon %s: lambda %g by %s, df %g, true error %g\n", gnomon::version(), chosen.chosen_lambda,
              chosen.chosen().label.c_str(), chosen.chosen_df, error);
  return error < 0.01 ? 0 : 1;
}
