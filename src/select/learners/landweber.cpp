#include "gnomon/learn/filters.hpp"
#include "learners.hpp"

namespace gnomon::learners {

LearnerEntry landweber() {
  return {.name = "landweber",
          .inputs = Inputs::kernel,
          .filters = {{Penalty::function, gnomon::landweber}},
          .zero_lambda = false,
          .recommended = {
              .path = {
                  "cv",
                  "least regret in the project's study among criteria of prediction error that apply here"}}};
}

}  // namespace gnomon::learners
