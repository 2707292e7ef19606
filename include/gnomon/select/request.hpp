#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gnomon/criteria/criteria.hpp"
#include "gnomon/data/folds.hpp"
#include "gnomon/learn/smoother.hpp"
#include "gnomon/select/choices.hpp"
#include "gnomon/select/learner_entry.hpp"
#include "gnomon/select/names.hpp"
#include "gnomon/select/selected.hpp"
#include "gnomon/select/values.hpp"

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
  /// Rows are windows of a series in their order: those up to this far apart depend on each other; 0 = they do not.
  Index dependence = 0;
  /// Rows that are held out together, by cross-validation and where the error of the choice is estimated.
  RowGroups groups{};
  /// Inputs that are read block by block, instead of x: select() makes a matrix of them where it needs one.
  std::shared_ptr<const RowBlocks> blocks{};
};

/// What to try and what to judge it by. Choices are made by name, as on the command line, or by object.
struct SelectionRequest {
  LearnerChoice learner = "kernel-ridge";
  KernelChoice kernel = "gaussian";
  /// To choose from; "auto": chosen before λ (WidthSearch), "median": the median distance between rows.
  Values width = "auto";
  BasisChoice basis{};     ///< empty: linear for learners on a basis; svr takes a kernel then
  SubsetChoice subsets{};  ///< columns that a model on a basis uses, to choose from; empty: all of them
  Named<Penalty> penalty = Penalty::function;  ///< of kernel ridge
  Values lambda = "auto";
  // Tuning parameters beside λ. See docs/cli.md for their meaning.
  Values mix = "auto";        ///< elastic-net: share of the absolute penalty, in [0,1]
  Values tau = "auto";        ///< huber: where the loss turns linear
  Values epsilon = "auto";    ///< svr: half-width of the tube
  Values amplitude = "auto";  ///< additive: size of the shift
  Values tuning{};            ///< of a learner of your own
  ShiftFamily shift = "x:1";  ///< of additive
  /// Exponents of the importance weights in [0,1]: iwls chooses among them ("0:1:21" is evenly spaced), other learners take
  /// one. Empty: 0:1:21 for iwls, 1 for the others.
  Values flattening{};

  // Several regularization parameters at once; see TunedSearch.
  GroupChoice groups{};       ///< inputs that share a decay (ridge) or a width (kernel-ridge)
  HiddenLayers hidden = "8";  ///< of mlp
  Named<DecayGroups> decay_groups = DecayGroups::layer;  ///< of mlp
  /// Where a search begins, by parameter name, as a finished search reports them; empty = its own starts.
  std::map<std::string, double> start{};
  int restarts = 5;  ///< mlp: random starts of training

  std::vector<std::string> criteria = {"auto"};  ///< the first one chooses
  /// Criteria of your own, after the named ones; the first of them chooses where `criteria` is empty.
  std::vector<Criterion> own_criteria{};
  NoiseChoice noise = "auto";
  std::optional<Metric>
      metric{};  ///< empty: function space for the coefficient penalty, else training inputs
  Named<Divergence> divergence = Divergence::best;
  int probes = 1;  ///< of the Monte-Carlo divergence
  BootstrapOptions bootstrap{};
  bool intercept = true;
  Named<Search> search = Search::refine;
  Named<Rule> rule = Rule::minimum;
  /// average: the fits of every width (or basis) and λ, weighted by exp(−blend/4), in place of the best one alone; for learners
  /// with blend, along a path of one target. docs/theory/blend.md.
  Named<Combine> combine = Combine::none;
  Named<Strategy> strategy = Strategy::automatic;
  int repeats = 1;      ///< of cross-validation
  bool series = false;  ///< rows follow each other in time: what is left to gnomon takes blocks of them
  bool grouped =
      false;  ///< rows come in groups: what is left to gnomon holds out whole ones; select() looks at the data too
  bool weighted = false;  ///< rows have weights: what is left to gnomon holds out whole rows; likewise

  /// Further targets will be handed to the prepared learners (Smoother::with_targets): spectra are obtained with vectors.
  bool further_targets = false;
  /// Every row's prediction by a fit that did not see it (TargetSelection::held_out): by folds where there is no closed form.
  bool keep_held_out = false;
  /// Estimate the error of the chosen fit, with an interval that counts the choosing: TargetSelection::error.
  bool chosen_error = false;
  bool keep_spectrum = true;  ///< eigenvalues for the report: O(n²) more where nothing else asks for them
  std::uint64_t seed = 0;     ///< of cross-validation's folds, bootstrap and probes
};

}  // namespace gnomon
