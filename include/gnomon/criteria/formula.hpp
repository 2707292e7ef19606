#pragma once

#include <type_traits>
#include <variant>
#include <vector>

#include "gnomon/data/folds.hpp"
#include "gnomon/learn/account.hpp"

namespace gnomon {

/// What a criterion is told beside the account of a fit.
struct Given {
  double sigma2 = undefined;   ///< noise variance
  Index lags = 0;              ///< how many rows apart the data still depend on each other
  std::vector<Folds> folds{};  ///< partitions of the rows, one per repeat of cross-validation
};

/// The mean of the squared errors of rows that were left out one at a time, each row counted by its density ratio.
struct LeftOutByImportance {};

template <class Formula>
concept WithoutCaptures = std::is_empty_v<Formula> && !std::is_same_v<Formula, LeftOutByImportance>;

/// A formula in the fields of one account, written once as a generic lambda without captures,
///   CountsFormula([](auto a, const Given&) { return a.n * a.rss / (a.left * a.left); })
/// and kept for plain numbers and for numbers with derivatives.
template <template <class> class Fields>
class FormulaIn {
 public:
  using Plain = Fields<double>;
  using Sloped = Fields<Dual<Plain::fields>>;

  template <WithoutCaptures Formula>
  constexpr FormulaIn(Formula)  // NOLINT(google-explicit-constructor)
      : plain_([](const Plain& a, const Given& given) -> double { return Formula{}(a, given); }),
        sloped_(
            [](const Sloped& a, const Given& given) -> Dual<Plain::fields> { return Formula{}(a, given); }) {}

  double operator()(const Plain& a, const Given& given) const { return plain_(a, given); }
  Dual<Plain::fields> operator()(const Sloped& a, const Given& given) const { return sloped_(a, given); }

 private:
  double (*plain_)(const Plain&, const Given&);
  Dual<Plain::fields> (*sloped_)(const Sloped&, const Given&);
};

using CountsFormula = FormulaIn<CountsOf>;
using ScoresFormula = FormulaIn<ScoresOf>;
using LeftOutFormula = FormulaIn<LeftOutOf>;
using EvidenceFormula = FormulaIn<EvidenceOf>;
using SicFormula = FormulaIn<SicOf>;

/// The mean over folds and repeats of the folds' own mean errors, rows counted once each or by their density ratio.
struct FoldMean {
  bool by_importance = false;
};

/// share·n·log L + (1 − share)·E of the leave-one-out error L and the evidence E: two accounts of one fit, on the scale of
/// minus twice a log likelihood.
struct Blend {
  double share;
};

/// The formula says which account it needs by its type.
using Formula = std::variant<CountsFormula, ScoresFormula, LeftOutFormula, FoldMean, EvidenceFormula,
                             SicFormula, Blend, LeftOutByImportance>;

/// The account that a formula is made of; of a blend, the one that costs more.
Account account_of(const Formula& formula);

}  // namespace gnomon
