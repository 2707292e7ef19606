#pragma once

#include "gnomon/select/learner_entry.hpp"
#include "gnomon/select/request.hpp"

/// The learners of the catalogue, one file each.
namespace gnomon::learners {

LearnerEntry ridge();
LearnerEntry kernel_ridge();
LearnerEntry spectral_cutoff();
LearnerEntry landweber();
LearnerEntry lasso();
LearnerEntry elastic_net();
LearnerEntry huber();
LearnerEntry svr();
LearnerEntry additive();
LearnerEntry iwls();
LearnerEntry mlp();

/// Standard deviation of the first target, rows counted by their weights.
double target_deviation(const TrainingData& data);

}  // namespace gnomon::learners
