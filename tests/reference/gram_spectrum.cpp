#include "gram_spectrum.hpp"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <limits>

#include "gnomon/core/error.hpp"

namespace gnomon::reference {

GramSpectrum gram_spectrum(const CentredGram& gram, Index target) {
  const Index p = gram.xx.rows();
  require(target >= 0 && target < gram.xy.cols(), "there is no target {}: targets are numbered 0 to {}",
          target, gram.xy.cols() - 1);
  GramSpectrum s;
  s.x_mean = gram.x_mean;
  s.y_mean = gram.y_mean[target];
  s.weight = gram.weight;
  if (p == 0) return s;
  Matrix v = gram.xx;
  Vector d(p);
  const int info = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', static_cast<int>(p), v.data(),
                                  static_cast<int>(p), d.data());
  require(info == 0,
          "the eigendecomposition of a cross-product matrix failed: check the data for non-finite values");
  const double cut =
      static_cast<double>(p) * std::numeric_limits<double>::epsilon() * std::max(d[p - 1], 0.0);
  Index r = 0;
  while (r < p && d[p - 1 - r] > cut) ++r;
  s.vectors = v.rightCols(r);
  s.values = d.tail(r);
  s.score.resize(r);
  if (r > 0)
    cblas_dgemv(CblasColMajor, CblasTrans, static_cast<int>(p), static_cast<int>(r), 1, s.vectors.data(),
                static_cast<int>(p), gram.xy.col(target).data(), 1, 0, s.score.data(), 1);
  s.score = s.score.cwiseQuotient(s.values.cwiseSqrt());
  return s;
}

Matrix tikhonov_filter(const GramSpectrum& spectrum, std::span<const double> lambdas) {
  Matrix h(spectrum.values.size(), static_cast<Index>(lambdas.size()));
  for (Index l = 0; l < h.cols(); ++l)
    for (Index j = 0; j < h.rows(); ++j)
      h(j, l) = spectrum.values[j] / (spectrum.values[j] + lambdas[static_cast<std::size_t>(l)]);
  return h;
}

}  // namespace gnomon::reference
