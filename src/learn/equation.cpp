#include "equation.hpp"

namespace gnomon {
namespace {

/// In the units that the function works in.
std::optional<LinearEquation> scaled_equation(const LinearModel& model, Index target) {
  if (const auto* basis = std::get_if<Basis>(&model.representation)) {
    if (basis->kind() != Basis::Kind::linear) return std::nullopt;
    LinearEquation equation{model.coefficients.col(target), model.offset[target]};
    if (!basis->columns().empty()) {  // inputs that are not in use have the coefficient 0
      equation.coefficients = Vector::Zero(basis->inputs());
      equation.coefficients(basis->columns()) = model.coefficients.col(target);
    }
    return equation;
  }
  if (!std::holds_alternative<Linear>(std::get<Kernel>(model.representation))) return std::nullopt;
  Vector slope = model.centres.transpose() * model.coefficients.col(target);
  if (model.input_widths.size()) slope = slope.cwiseQuotient(model.input_widths);
  return LinearEquation{std::move(slope), model.offset[target]};
}

/// The sum of the terms, where each is linear in the inputs.
std::optional<LinearEquation> scaled_equation(const std::vector<const LinearModel*>& terms, Index target) {
  std::optional<LinearEquation> sum;
  for (const LinearModel* term : terms) {
    auto own = scaled_equation(*term, target);
    if (!own) return std::nullopt;
    if (sum) own->coefficients += sum->coefficients, own->offset += sum->offset;
    sum = std::move(own);
  }
  return sum;
}

std::optional<LinearEquation> scaled_equation(const Mlp& network, Index target) {
  const MlpShape& shape = network.shape;
  if (!shape.hidden.empty() || network.loss != MlpLoss::squared) return std::nullopt;
  const auto unit = network.w.segment(target * shape.fan_in(0), shape.fan_in(0));
  return LinearEquation{unit.head(shape.inputs), shape.bias ? unit[shape.inputs] : 0};
}

}  // namespace

std::optional<LinearEquation> linear_equation(const Model& model, const Scaling& scaling, Index target) {
  auto equation =
      model.network() ? scaled_equation(*model.network(), target) : scaled_equation(model.terms(), target);
  if (!equation || equation->coefficients.size() != scaling.factor.size()) return std::nullopt;
  equation->coefficients = equation->coefficients.cwiseProduct(scaling.factor);
  equation->offset -= equation->coefficients.dot(scaling.shift);
  return equation;
}

}  // namespace gnomon
