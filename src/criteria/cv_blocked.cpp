#include "gnomon/criteria/criteria.hpp"

namespace gnomon {

/// K-fold cross-validation with folds of consecutive rows, for data whose order carries dependence (time series): with random
/// folds the neighbours of a held-out row give it away. Repeats would be the same folds again.
constexpr Criterion cv_blocked{.name = "cv-blocked",
                               .words = "cross-validation over blocks of consecutive rows",
                               .estimates = "mean squared prediction error, noise included",
                               .formula = FoldMean{},
                               .argument = Criterion::Argument::folds,
                               .partition = Criterion::Partition::blocks,
                               .only_on_demand = true};

}  // namespace gnomon
