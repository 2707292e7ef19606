#pragma once

#include "gnomon/compare/simulation.hpp"
#include "select/path_search.hpp"

namespace gnomon::compare {

/// What a simulation takes for granted, from the path that a criterion chose on the user's own data.
World world_of_path(const TargetFindings& found, const TrainingData& data);

/// The same from the point that a search over several parameters chose: truths are smoother and rougher by a common factor of all
/// decays, a factor of ten where fits are trained by iteration.
World world_of_search(const Learner& learner, const Vector& chosen, const TrainingData& data,
                      const NoiseChoice& noise);

}  // namespace gnomon::compare
