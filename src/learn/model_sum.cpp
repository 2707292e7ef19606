#include <nlohmann/json.hpp>

#include "gnomon/core/error.hpp"
#include "gnomon/learn/model.hpp"

namespace gnomon {

Matrix ModelSum::predict(const MatrixView& x) const {
  Matrix out = terms.front().predict(x);
  for (std::size_t m = 1; m < terms.size(); ++m) out += terms[m].predict(x);
  return out;
}

nlohmann::json to_json(const ModelSum& sum) {
  nlohmann::json terms = nlohmann::json::array();
  for (const LinearModel& term : sum.terms) {
    nlohmann::json own = to_json(term);
    if (!terms.empty() && term.centres.size() > 0 && term.centres == sum.terms.front().centres)
      own.erase("centres");
    terms.push_back(std::move(own));
  }
  return {{"sum", std::move(terms)}};
}

ModelSum model_sum_from_json(const nlohmann::json& json) {
  // More than any average needs; a file that names its centres once must not ask for them again without end.
  constexpr std::size_t most_terms = 100;
  const nlohmann::json& terms = json.at("sum");
  require(terms.is_array() && terms.size() >= 2 && terms.size() <= most_terms,
          "the model is a sum, but not of 2 to {} terms", most_terms);
  ModelSum sum;
  for (const nlohmann::json& each : terms) {
    sum.terms.push_back(
        linear_model_from_json(each, sum.terms.empty() ? nullptr : &sum.terms.front().centres));
    const Index first = sum.terms.front().coefficients.cols(), own = sum.terms.back().coefficients.cols();
    require(own == first, "the terms of the model have {} and {} targets", first, own);
  }
  return sum;
}

}  // namespace gnomon
