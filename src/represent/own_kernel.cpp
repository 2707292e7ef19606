#include "gnomon/represent/own_kernel.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <vector>

#include "gnomon/core/error.hpp"
#include "represent/gram.hpp"

namespace gnomon {

OwnKernel::OwnKernel(std::shared_ptr<const Function> kernel)
    : kernel_(std::move(kernel)), name_(kernel_->name()) {
  require(!name_.empty(), "a kernel of your own has no name: reports need one");
}

void check_kernel(const Kernel& kernel, MatrixView x) {
  const auto* own = std::get_if<OwnKernel>(&kernel);
  if (!own) return;
  constexpr Index most = 500;
  constexpr double rounding = 1e-6;  // of kernels made in single precision, or read from text
  const Index count = std::min(x.rows(), most);
  std::vector<Index> rows;
  for (Index i = 0; i < count; ++i) rows.push_back(i * x.rows() / count);
  const Matrix tried = x(rows, Eigen::all);
  // As a rectangle, where every pair is formed in both orders.
  Matrix k = cross_gram(kernel, tried, tried);
  const double norm = k.cwiseAbs().rowwise().sum().maxCoeff();
  require((k - k.transpose()).cwiseAbs().maxCoeff() <= rounding * norm,
          "kernel '{}' is not symmetric: k(x, x') differs from k(x', x)", own->name());
  k.diagonal().array() += rounding * norm;
  const Eigen::LLT<Eigen::Ref<Matrix>> factor(k);
  require(factor.info() == Eigen::Success,
          "kernel '{}' is not positive semidefinite on these inputs: its matrix has a negative eigenvalue, "
          "and no "
          "function space belongs to it",
          own->name());
}

}  // namespace gnomon
