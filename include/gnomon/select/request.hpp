#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gnomon/catalog.hpp"
#include "gnomon/learn/smoother.hpp"
#include "gnomon/select/selected.hpp"

namespace gnomon {

/// Inputs and targets in the units the learner works in (scaled), with names for messages.
struct TrainingData {
  Matrix x, y;
  Vector weight;  ///< counts; empty = ones
  std::vector<std::string> target_names;
  /// Labelled test rows, scaled like the rest: the true error of every fit of the path is reported beside the estimates,
  /// for learners that are not linear in y. Empty = none.
  Matrix test_x{}, test_y{};
  std::vector<std::string> feature_names{};  ///< of the columns of x; empty = x1, x2, …
  std::vector<std::string>
      feature_columns{};               ///< the column each feature came from; empty = the features themselves
  std::vector<std::string> classes{};  ///< y holds their indicators, one column each; empty = regression
  Vector importance{};  ///< covariate shift: p_test/p_train at the rows, instead of counts; empty = no shift
};

/// What to try and what to judge it by; texts as on the command line.
struct SelectionRequest {
  std::string learner = "kernel-ridge";
  std::string kernel = "gaussian";
  std::string width = "median";      ///< "median", a number, a list a,b,c or lo:hi:count
  std::string basis{};               ///< empty: linear for learners on a basis; svr takes a kernel then
  std::string penalty = "function";  ///< kernel ridge: "function" or "coefficients"
  std::string lambda = "auto";       ///< "auto", lo:hi:count or a list
  // Tuning parameters beside λ: "auto", one value, a list or lo:hi:count. See docs/cli.md for their meaning.
  std::string mix = "auto";        ///< elastic-net: share of the absolute penalty, in [0,1]
  std::string tau = "auto";        ///< huber: where the loss turns linear
  std::string epsilon = "auto";    ///< svr: half-width of the tube
  std::string amplitude = "auto";  ///< additive: size of the shift
  std::string shift = "x:1";       ///< additive: family of the shift
  /// Exponents of the importance weights in [0,1]: iwls chooses among them ("0:1:21" is evenly spaced), other learners take
  /// one. Empty: 0:1:21 for iwls, 1 for the others.
  std::string flattening{};

  // Several regularization parameters at once; see tuned_search.hpp.
  std::string groups{};  ///< inputs that share a decay (ridge) or a width (kernel-ridge): a,b;c, each or all
  std::string hidden = "8";            ///< mlp: hidden units, a,b for two layers; 0 = none
  std::string decay_groups = "layer";  ///< mlp: one decay per layer, or per input and one for the rest
  /// Where a search begins, by parameter name, as a finished search reports them; empty = its own starts.
  std::map<std::string, double> start{};
  int restarts = 5;  ///< mlp: random starts of training

  std::vector<std::string> criteria = {"auto"};  ///< the first one chooses
  std::string noise = "auto";
  std::optional<Metric>
      metric{};  ///< empty: function space for the coefficient penalty, else training inputs
  Divergence divergence = Divergence::best;
  int probes = 1;  ///< of the Monte-Carlo divergence
  BootstrapOptions bootstrap{};
  bool intercept = true;
  Search search = Search::refine;
  Rule rule = Rule::minimum;
  Strategy strategy = Strategy::automatic;
  int repeats = 1;  ///< of cross-validation

  bool keep_spectrum = true;  ///< eigenvalues for the report: O(n²) more where nothing else asks for them
  std::uint64_t seed = 0;     ///< of cross-validation's folds, bootstrap and probes
};

}  // namespace gnomon
