#pragma once

#include <memory>
#include <vector>

#include "decay.hpp"
#include "gnomon/learn/mlp.hpp"

namespace gnomon {

/// Which second derivatives of the mean loss: all of them, or those without the curvature of the network.
enum class MlpHessian { exact, gauss_newton };

/// The training cost C(w) = S(w) + R(w), S = mean loss over the rows, R = Σ_g κ_g |w_g|², with its derivatives
/// of every order that training and the algebraic estimates ask for. Rows are worked in blocks, everything
/// heavy is a matrix product. Flops for N rows and p weights, one hidden layer: cost and gradient 6Np, Hessian
/// times vector at most 12Np, dense Hessian about Np²/2 (both symmetries of its blocks are used).
/// Softmax does not see a constant added to all outputs: where the output biases of a classifier are free, R also
/// holds (mean direction of these biases)², which fixes that constant at 0 and changes nothing else.
class MlpCost {
 public:
  /// y: rows × outputs; for cross-entropy rows of class weights, not negative.
  MlpCost(MlpShape shape, MlpLoss loss, const MatrixView& x, const MatrixView& y, MlpDecay decay);

  const MlpShape& shape() const { return shape_; }
  MlpLoss loss() const { return loss_; }
  const MlpDecay& decay() const { return decay_; }
  const Matrix& x() const { return *x_; }
  const Matrix& y() const { return *y_; }
  Index rows() const { return x_->rows(); }
  Index weights() const { return shape_.weights(); }
  /// The same cost on some of the rows, normalised by their own number.
  MlpCost on_rows(const std::vector<Index>& rows) const;
  MlpCost with_kappa(const VectorView& kappa) const;

  double error(const VectorView& w) const;    ///< S
  double penalty(const VectorView& w) const;  ///< R
  double cost(const VectorView& w) const { return error(w) + penalty(w); }
  double cost_and_gradient(const VectorView& w, Vector& gradient) const;
  double error_and_gradient(const VectorView& w, Vector& gradient) const;
  Vector penalty_gradient(const VectorView& w) const;  ///< R' = 2Dw
  Matrix outputs(const VectorView& w) const { return Mlp{shape_, loss_, w}.outputs(*x_); }

  /// Gradients s_k = ∇ℓ_k, one row per sample.
  Matrix scores(const VectorView& w) const;

  /// Σ_k m_kᵀ(∇²ℓ_k)v_g for the rows m_k of `m` and the columns v_g of `directions`.
  Vector scores_contracted_along(const VectorView& w, const MatrixView& m,
                                 const MatrixView& directions) const;

  /// H = ∇²S or its Gauss–Newton part.
  Matrix error_hessian(const VectorView& w, MlpHessian kind) const;
  /// d/dt H(w + tv) at t = 0.
  Matrix error_hessian_along(const VectorView& w, const VectorView& v, MlpHessian kind) const;
  /// ⟨M_a, d/dt H(w + t v_g)⟩ in row g and column a, for symmetric M_a and the columns v_g of `directions`. The
  /// heavy products do not depend on the number of directions: about two Hessians per M_a.
  Matrix hessian_contracted_along(const VectorView& w, const std::vector<Matrix>& m,
                                  const MatrixView& directions, MlpHessian kind) const;
  /// Adds the penalty's part: J = H + 2D.
  void add_penalty(Matrix& hessian) const;
  /// The unit vector along which the free output biases of a classifier move together, which no probability sees; empty
  /// where there is none.
  const Vector& gauge() const { return gauge_; }
  /// Weights that no decay acts on, in no way.
  std::vector<Index> undecayed() const;

 private:
  MlpShape shape_;
  MlpLoss loss_;
  std::shared_ptr<const Matrix> x_, y_;
  MlpDecay decay_;
  Vector twice_kappa_;  ///< per weight
  Vector gauge_;        ///< unit vector on the free output biases of a classifier, else empty
};

/// Products ∇²C v = ∇²S v + 2Dv with the exact Hessian of C at one w; the pass at w is kept. The cost must outlive it.
class MlpTangents {
 public:
  MlpTangents(const MlpCost& cost, const VectorView& w);
  ~MlpTangents();
  MlpTangents(const MlpTangents&) = delete;
  MlpTangents& operator=(const MlpTangents&) = delete;
  Vector hessian_vector(const VectorView& v) const;

 private:
  struct Blocks;
  const MlpCost& cost_;
  Vector w_;
  std::unique_ptr<Blocks> blocks_;
};

}  // namespace gnomon
