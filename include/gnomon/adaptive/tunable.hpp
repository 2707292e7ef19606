#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gnomon/adaptive/evidence.hpp"
#include "gnomon/data/folds.hpp"
#include "gnomon/learn/model.hpp"

namespace gnomon::adaptive {

/// One regularization parameter of a learner; searches run over its logarithm.
struct TunedParameter {
  enum class Kind {
    decay,  ///< λ against the plain sum of losses; at ∞ the weights it acts on are dropped
    width   ///< of a kernel along some inputs; at ∞ these inputs are dropped
  };
  Kind kind = Kind::decay;
  std::string name;             ///< "lambda", "lambda[age]", "width[age, sex]"
  Index weights = 0;            ///< how many weights a decay acts on
  double unit = 1;              ///< its natural size, where searches begin
  double lower = 0, upper = 0;  ///< bounds of a search

  /// What stands in the brackets of the name, or the name itself.
  std::string label() const {
    const auto open = name.find('[');
    return open == std::string::npos ? name : name.substr(open + 1, name.size() - open - 2);
  }
};

/// A criterion with what it needs beside the learner.
struct HyperCriterion {
  std::string_view
      name;  ///< of the catalogue: cv, cv-blocked, loo, gcv, cp, sic, gen, nic, fpe, fper, gpe, evidence
  Index lags = 0;              ///< M of gen
  std::vector<Folds> folds{};  ///< cv and cv-blocked: one per repeat
  double sigma2 = undefined;   ///< cp and sic
};

/// The names above, for messages.
std::string differentiable_criteria();
/// An empty text for one of them, else why a criterion is not offered.
std::string no_gradient(std::string_view criterion);

/// The fit at one point.
struct TunedFit {
  Model model;
  Matrix fitted;                      ///< rows × outputs; class probabilities of a classifier
  double training_error = undefined;  ///< mean squared residual over all outputs, or mean cross-entropy
  double df = undefined;              ///< γ, effective number of parameters, unpenalised ones included
  Vector gamma;                       ///< γ_g of every decay; NaN for widths
  double gradient_norm = undefined;   ///< of the training cost where training is iterative: its certificate
  std::string status;                 ///< how training ended, in words; empty in closed form
};

/// A learner on one data set as a function of several regularization parameters at once. Values mean what the criterion
/// of the same name means along a path of one λ, in the units of the target; gradients are with respect to the logarithms θ
/// of the parameters, by implicit differentiation of the fit.
class Tunable {
 public:
  virtual ~Tunable() = default;

  virtual const std::vector<TunedParameter>& parameters() const = 0;
  /// Why a criterion is not offered, or an empty text.
  virtual std::string undefined_for(std::string_view criterion) const = 0;
  virtual HyperEstimate evaluate(const HyperCriterion& criterion, const Vector& theta,
                                 bool gradient) const = 0;
  virtual TunedFit fit(const Vector& theta) const = 0;
  /// What MacKay's updates need, with κ = λ/N for every decay; only learners whose parameters are all decays have it.
  virtual EvidenceParts evidence_parts(const Vector& theta) const;
  /// Whether an evaluation trains by iteration: then nothing is evaluated that was not asked for.
  virtual bool iterative() const { return false; }
};

}  // namespace gnomon::adaptive
