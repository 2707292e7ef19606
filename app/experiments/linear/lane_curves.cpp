#include <cmath>

#include "core/lanes.hpp"
#include "gnomon/core/parallel.hpp"
#include "lane_ridge.hpp"

namespace gnomon::experiments {
namespace {

constexpr Index m = LaneRidge::inputs;

struct Raw {
  const double *u, *lambda, *c, *outside, *q_outside, *total;
  Index rows;
};

Raw raw(const LaneRidge& r) {
  return {r.u.data(),         r.lambda.data(), r.c.data(), r.outside.data(),
          r.q_outside.data(), r.totals.data(), r.rows};
}

/// e and q of one row: e = y⊥ + U(gc), q = q⊥ + U²g.
GNOMON_INLINE void residual_and_complement(const Raw& r, Index k, const Lanes* g, const Lanes* gc, Lanes* e,
                                           Lanes* q) {
  *e = lanes_at(r.outside + 8 * k).value;
  *q = lanes_at(r.q_outside + 8 * k).value;
  for (Index j = 0; j < m; ++j) {
    const Lanes u = lanes_at(r.u + 8 * (k * m + j)).value;
    *e += u * gc[j];
    *q += u * (u * g[j]);
  }
}

GNOMON_INLINE void filter(const Raw& r, const Lanes* kappa, Lanes* g, Lanes* gc) {
  for (Index j = 0; j < m; ++j) {
    g[j] = *kappa / (lanes_at(r.lambda + 8 * j).value + *kappa);
    gc[j] = g[j] * lanes_at(r.c + 8 * j).value;
  }
}

GNOMON_HOT void loo_values(Raw r, const double* kappas, Index count, double* values) {
  const double n = static_cast<double>(r.rows);
  for (Index i = 0; i < count; ++i) {
    const Lanes kappa = lanes_at(kappas + 8 * i).value * ((n - 1) / n);
    Lanes g[m], gc[m], sum{};
    filter(r, &kappa, g, gc);
    for (Index k = 0; k < r.rows; ++k) {
      Lanes e, q;
      residual_and_complement(r, k, g, gc, &e, &q);
      const Lanes held_out = e / q;
      sum += held_out * held_out;
    }
    lanes_at(values + 8 * i).value = sum / n;
  }
}

GNOMON_HOT void gen_values(Raw r, const double* kappas, Index count, double* values) {
  const double n = static_cast<double>(r.rows);
  for (Index i = 0; i < count; ++i) {
    const Lanes kappa = lanes_at(kappas + 8 * i).value;
    Lanes g[m], gc[m], sum{};
    filter(r, &kappa, g, gc);
    for (Index k = 0; k < r.rows; ++k) {
      Lanes e, q;
      residual_and_complement(r, k, g, gc, &e, &q);
      sum += e * e * (3 - 2 * q);
    }
    Lanes shrunk{};
    for (Index j = 0; j < m; ++j) shrunk += gc[j] * gc[j] * (1 - g[j]);
    lanes_at(values + 8 * i).value = sum / n - 2 / (n * n) * shrunk;
  }
}

/// (1−2/N)(2/N)Σg²fc² − (2/N)Σ e²dq + (2/N²)Σ g³fc², dq = U²(fg).
GNOMON_HOT void eq14_values(Raw r, const double* kappas, Index count, double* values) {
  const double n = static_cast<double>(r.rows);
  for (Index i = 0; i < count; ++i) {
    const Lanes kappa = lanes_at(kappas + 8 * i).value;
    Lanes g[m], gc[m], fg[m], sum{}, shrunk{}, cubic{};
    filter(r, &kappa, g, gc);
    for (Index j = 0; j < m; ++j) {
      const Lanes lambda = lanes_at(r.lambda + 8 * j).value, f = lambda / (lambda + kappa);
      fg[j] = f * g[j];
      shrunk += gc[j] * gc[j] * f;
      cubic += gc[j] * gc[j] * fg[j];
    }
    for (Index k = 0; k < r.rows; ++k) {
      Lanes e = lanes_at(r.outside + 8 * k).value, dq{};
      for (Index j = 0; j < m; ++j) {
        const Lanes u = lanes_at(r.u + 8 * (k * m + j)).value;
        e += u * gc[j];
        dq += u * (u * fg[j]);
      }
      sum += e * e * dq;
    }
    lanes_at(values + 8 * i).value = (1 - 2 / n) * 2 / n * shrunk - 2 / n * sum + 2 / (n * n) * cubic;
  }
}

/// e_V = Q⁻¹ e[V], Q = I − X_V G X_V', by elimination without pivots (Q is positive definite).
GNOMON_HOT void fold_values(Raw r, const double* kappas, Index count, double* values) {
  constexpr Index most = 8;
  const Index size = r.rows / 10;
  const double n = static_cast<double>(r.rows);
  for (Index i = 0; i < count; ++i) {
    const Lanes kappa = lanes_at(kappas + 8 * i).value * (0.9);
    Lanes g[m], gc[m], sum{};
    filter(r, &kappa, g, gc);
    for (Index first = 0; first + size <= r.rows; first += size) {
      Lanes q[most * most], e[most];
      for (Index a = 0; a < size; ++a) {
        const double* ua = r.u + 8 * (first + a) * m;
        e[a] = lanes_at(r.outside + 8 * (first + a)).value;
        for (Index j = 0; j < m; ++j) e[a] += lanes_at(ua + 8 * j).value * gc[j];
        for (Index b = 0; b < a; ++b) {
          const double* ub = r.u + 8 * (first + b) * m;
          Lanes dot{};
          for (Index j = 0; j < m; ++j)
            dot += lanes_at(ua + 8 * j).value * lanes_at(ub + 8 * j).value * (g[j] - 1);
          q[a * most + b] = dot;
        }
        Lanes own = lanes_at(r.q_outside + 8 * (first + a)).value;
        for (Index j = 0; j < m; ++j) own += lanes_at(ua + 8 * j).value * (lanes_at(ua + 8 * j).value * g[j]);
        q[a * most + a] = own;
      }
      for (Index p = 0; p < size; ++p) {
        const Lanes pivot = 1 / q[p * most + p];
        for (Index a = p + 1; a < size; ++a) {
          const Lanes factor = q[a * most + p] * pivot;
          for (Index b = p + 1; b <= a; ++b) q[a * most + b] -= factor * q[b * most + p];
          e[a] -= factor * e[p];
        }
      }
      for (Index p = size; p-- > 0;) {
        Lanes value = e[p];
        for (Index a = p + 1; a < size; ++a) value -= q[a * most + p] * e[a];
        e[p] = value / q[p * most + p];
        sum += e[p] * e[p];
      }
    }
    lanes_at(values + 8 * i).value = sum / n;
  }
}

/// Sums over the spectrum: N·S, N·C, Σg, Σg², Σf².
struct Sums {
  Lanes error, cost, g1, g2, f2;
};

GNOMON_INLINE void spectral_sums(const Raw& r, const Lanes* kappa, Sums* s) {
  s->error = s->cost = lanes_at(r.total).value;
  s->g1 = s->g2 = s->f2 = Lanes{};
  for (Index j = 0; j < m; ++j) {
    const Lanes lambda = lanes_at(r.lambda + 8 * j).value, c = lanes_at(r.c + 8 * j).value;
    const Lanes below = 1 / (lambda + *kappa), g = *kappa * below, f = lambda * below;
    s->error += g * g * c * c;
    s->cost += g * c * c;
    s->g1 += g, s->g2 += g * g, s->f2 += f * f;
  }
}

GNOMON_HOT void gcv_values(Raw r, const double* kappas, Index count, double* values) {
  const double n = static_cast<double>(r.rows), beyond = n - static_cast<double>(m);
  for (Index i = 0; i < count; ++i) {
    const Lanes kappa = lanes_at(kappas + 8 * i).value;
    Sums s;
    spectral_sums(r, &kappa, &s);
    lanes_at(values + 8 * i).value = n * s.error / ((beyond + s.g1) * (beyond + s.g1));
  }
}

GNOMON_HOT void cp_values(Raw r, const double* kappas, Index count, double* values) {
  const double n = static_cast<double>(r.rows), beyond = n - static_cast<double>(m);
  for (Index i = 0; i < count; ++i) {
    const Lanes kappa = lanes_at(kappas + 8 * i).value, noise = lanes_at(r.total).value / beyond;
    Sums s;
    spectral_sums(r, &kappa, &s);
    lanes_at(values + 8 * i).value = (s.error + 2 * noise * (static_cast<double>(m) - s.g1)) / n;
  }
}

GNOMON_HOT void fper_values(Raw r, const double* kappas, Index count, double* values) {
  const double n = static_cast<double>(r.rows), beyond = n - static_cast<double>(m);
  for (Index i = 0; i < count; ++i) {
    const Lanes kappa = lanes_at(kappas + 8 * i).value;
    Sums s;
    spectral_sums(r, &kappa, &s);
    lanes_at(values + 8 * i).value = s.error / n * (n + s.f2) / (beyond + s.g2);
  }
}

/// N·C and Π(1 + λ/κ); the logarithms follow outside.
GNOMON_HOT void evidence_parts(Raw r, const double* kappas, Index count, double* costs, double* products) {
  for (Index i = 0; i < count; ++i) {
    const Lanes kappa = lanes_at(kappas + 8 * i).value;
    Sums s;
    spectral_sums(r, &kappa, &s);
    Lanes product = Lanes{} + 1;
    for (Index j = 0; j < m; ++j) product *= 1 + lanes_at(r.lambda + 8 * j).value / kappa;
    lanes_at(costs + 8 * i).value = s.cost;
    lanes_at(products + 8 * i).value = product;
  }
}

/// Δ = −T g with T = A'V diag(c/s);  G(κ) − G(0) = Δ'(2δ₀ + Δ).
GNOMON_HOT void excess_values(const double* lambda, const double* pull, const double* unregularized,
                              const double* kappas, Index count, double* values) {
  for (Index i = 0; i < count; ++i) {
    const Lanes kappa = lanes_at(kappas + 8 * i).value;
    Lanes delta[m] = {}, sum{};
    for (Index j = 0; j < m; ++j) {
      const Lanes g = kappa / (lanes_at(lambda + 8 * j).value + kappa);
      for (Index a = 0; a < m; ++a) delta[a] -= lanes_at(pull + 8 * (j * m + a)).value * g;
    }
    for (Index a = 0; a < m; ++a) sum += delta[a] * (2 * lanes_at(unregularized + 8 * a).value + delta[a]);
    lanes_at(values + 8 * i).value = sum;
  }
}

}  // namespace

void lane_loo(const LaneRidge& r, const double* k, Index count, double* values) {
  loo_values(raw(r), k, count, values);
}
void lane_gen(const LaneRidge& r, const double* k, Index count, double* values) {
  gen_values(raw(r), k, count, values);
}
void lane_gen_eq14(const LaneRidge& r, const double* k, Index count, double* values) {
  eq14_values(raw(r), k, count, values);
}
void lane_ten_fold(const LaneRidge& r, const double* k, Index count, double* values) {
  fold_values(raw(r), k, count, values);
}
void lane_gcv(const LaneRidge& r, const double* k, Index count, double* values) {
  gcv_values(raw(r), k, count, values);
}
void lane_cp(const LaneRidge& r, const double* k, Index count, double* values) {
  cp_values(raw(r), k, count, values);
}
void lane_fper(const LaneRidge& r, const double* k, Index count, double* values) {
  fper_values(raw(r), k, count, values);
}

void lane_evidence(const LaneRidge& r, const double* k, Index count, double* values) {
  LaneBuffer products(count);
  evidence_parts(raw(r), k, count, values, products.data());
  const double n = static_cast<double>(r.rows);
  for (Index i = 0; i < 8 * count; ++i) values[i] = n * std::log(values[i]) + std::log(products.data()[i]);
}

void lane_excess(const LaneRidge& r, const double* k, Index count, double* values) {
  excess_values(r.lambda.data(), r.pull.data(), r.unregularized.data(), k, count, values);
}

}  // namespace gnomon::experiments
