#include "gnomon/learn/filters.hpp"
#include "learners.hpp"

namespace gnomon::learners {

LearnerEntry spectral_cutoff() {
  return {.name = "spectral-cutoff",
          .inputs = Inputs::kernel,
          .filters = {{Penalty::function, gnomon::spectral_cutoff}},
          .zero_lambda = false,
          .recommended = {
              .path = {
                  "cv",
                  "least regret in the project's study among criteria of prediction error that apply here"}}};
}

}  // namespace gnomon::learners
