#include "gnomon/criteria/criteria.hpp"

namespace gnomon {

/// K-fold cross-validation, repeated with fresh folds: the mean over folds of the fold's (weighted) mean
/// squared error; standard error from the spread of the folds, sd/√K (repeats share the data and do not
/// shrink it).
constexpr Criterion cv{.name = "cv",
                       .words = "cross-validation",
                       .estimates = "mean squared prediction error, noise included",
                       .formula = FoldMean{},
                       .argument = Criterion::Argument::folds,
                       .partition = Criterion::Partition::random};

}  // namespace gnomon
