#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gnomon/select/request.hpp"

namespace gnomon {

/// One learner to try, prepared on the data, with the λ of its path. Candidates differ in kernel width and in the
/// learner's own tuning parameter (mix, tau, epsilon, amplitude), both NaN where there is none; and in their basis, kernel or
/// columns, whose name is kept where there are several.
struct Candidate {
  double width = undefined, tuning = undefined;
  std::unique_ptr<Learner> learner;
  std::vector<double> lambdas;
  std::string representation{};
};

/// Every combination asked for, prepared. `metric` and the criteria decide how spectra are obtained. The data must
/// outlive the candidates, which share the inputs.
std::vector<Candidate> make_candidates(const TrainingData& data, const SelectionRequest& request,
                                       const Metric& metric, const Progress& progress);

/// Whether the request's learner works on a kernel.
bool uses_kernel(const SelectionRequest&);
/// The basis it works on otherwise.
std::string basis_of(const SelectionRequest&);
/// What there are several of to choose from: "kernel", "basis", "columns" (subsets of them), or "model" (bases on subsets of the
/// columns); empty where there is one of each.
std::string varying_representation(const SelectionRequest&);
inline bool several_representations(const SelectionRequest& r) { return !varying_representation(r).empty(); }
/// The request for one of them, by the name that its candidates carry.
SelectionRequest on_representation(const TrainingData&, const SelectionRequest&, const std::string& name);
/// The metric asked for, or the learner's own: function space for the coefficient penalty of kernels, whose variance
/// stays bounded there, else the training inputs.
/// Under a covariate shift without test inputs: the training inputs weighted by the density ratio.
Metric metric_of(const SelectionRequest&, const TrainingData&);
/// What was said of the learner's tuning parameter, or what that left unsaid stands for.
std::string tuning_text(const SelectionRequest&);
/// Throws unless what was said of the tuning parameter makes sense.
void check_tuning(const SelectionRequest&);
/// The values of λ and of the kernel width that were named, ascending; empty if they are left to gnomon.
std::vector<double> named_lambdas(const SelectionRequest&);
std::vector<double> named_widths(const SelectionRequest&);
/// The exponent of the importance weights for learners that do not choose it.
double fixed_exponent(const SelectionRequest&);

}  // namespace gnomon
