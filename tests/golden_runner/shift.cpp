// Kind density_ratio.

#include "golden.hpp"
#include "shift/kde.hpp"
#include "shift/kliep.hpp"
#include "shift/least_squares_ratio.hpp"

namespace gnomon::golden {

Json density_ratio(const Json& input, const Json& params) {
  const Matrix train = matrix_of(input.at("train")), test = matrix_of(input.at("test"));
  const std::string method = params.at("method");
  if (method == "kde") {
    const KernelDensity p_train{train, normal_reference_bandwidth(train)},
        p_test{test, normal_reference_bandwidth(test)};
    const Vector log_train = p_train.log_at(train), log_test = p_test.log_at(train);
    return {{"bandwidth_train", vector_to_json(p_train.bandwidth)},
            {"bandwidth_test", vector_to_json(p_test.bandwidth)},
            {"p_train", vector_to_json(log_train.array().exp().matrix())},
            {"p_test", vector_to_json(log_test.array().exp().matrix())},
            {"w", vector_to_json(ratio_of_logs(log_test, log_train))}};
  }
  const Matrix centres = matrix_of(input.at("centres"));
  const double width = params.at("width");
  if (method == "ulsif") {
    const auto fit = least_squares_ratio(train, test, centres, width, params.at("lambda").get<double>());
    return {{"theta", vector_to_json(fit.ratio.theta)},
            {"w", vector_to_json(fit.ratio.at(train))},
            {"loo_score", number_to_json(fit.leave_one_out)}};
  }
  if (method == "kliep") {
    const auto fit = kliep_fit(train, test, centres, width);
    return {{"theta", vector_to_json(fit.ratio.theta)},
            {"w", vector_to_json(fit.ratio.at(train))},
            {"objective", number_to_json(fit.objective)}};
  }
  fail("unknown density ratio method '{}'", method);
}

}  // namespace gnomon::golden
