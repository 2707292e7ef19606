#include "gnomon/core/error.hpp"
#include "gnomon/learn/filters.hpp"
#include "gnomon/learn/ridge_groups.hpp"
#include "gnomon/learn/weighted_ridge.hpp"
#include "learners.hpp"
#include "select/candidates.hpp"
#include "select/input_groups.hpp"

namespace gnomon::learners {
namespace {

/// Groups of the columns of a basis. Those of other bases than the linear one mix inputs: only all or each column can be
/// told apart.
InputGroups column_groups(const TrainingData& data, const SelectionRequest& request, const Basis& basis,
                          Index columns) {
  if (basis.kind() == Basis::Kind::linear) return groups_of(data, request.groups);
  if (request.groups.kind() == GroupChoice::Kind::named)
    fail("`groups` with names needs `basis` linear: columns of {} mix inputs; use `groups` each",
         basis_of(request));
  std::vector<std::string> names;
  for (Index j = 0; j < columns; ++j) names.push_back(fmt::format("column {}", j + 1));
  return make_groups(request.groups, {names, names});
}

/// One decay per group of columns.
std::unique_ptr<Learner> many_decays(const TrainingData& data, const SelectionRequest& request,
                                     Index target) {
  Basis basis = request.basis.fit(data.x);
  const Matrix design = basis.design(data.x);
  const InputGroups groups = column_groups(data, request, basis, design.cols());
  return std::make_unique<RidgeGroups>(design, data.y.col(target), std::move(basis), groups.of_feature,
                                       groups.names, request.intercept);
}

}  // namespace

LearnerEntry ridge() {
  return {.name = "ridge",
          .inputs = Inputs::basis,
          .filters = {{Penalty::function, tikhonov, weighted_ridge}},
          .many = ManyParameters{.make = many_decays},
          .options = {"combine"},
          .weighted_ridge_on_basis = true,
          .recommended = {
              .path = {"blend", "least regret in the project's study of ridge"},
              .many = {"loo",
                       "does no harm where inputs are correlated; the evidence does, in the project's study",
                       {"evidence"}}}};
}

}  // namespace gnomon::learners
