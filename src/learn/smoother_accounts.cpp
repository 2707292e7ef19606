// What a smoother tells about its fits: sums over the spectrum, O(rank) per λ, or over the rows.

#include <cmath>

#include "decompose/decomposition.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/learn/smoother.hpp"

namespace gnomon {
namespace {

/// False with more degrees of freedom than observations (weights that sum to less than the rows): nothing can be told.
bool countable(const SpectralSums& s, double n) { return s.g > -1e-9 * n; }

bool minimises_a_cost(const Filter& filter) {
  return filter.closed_form_deletion && filter.shift != Shift::none;
}

/// Per λ, Σ_k w e² H_kk over the copies of every row: a copy has the leverage H̃_kk/w.
Vector squares_through_leverage(const Smoother& smoother, std::span<const double> lambdas, Index target) {
  const Decomposition& decomposition = smoother.decomposition();
  const Vector& root = decomposition.weighted_rows().root_weight;
  Vector sums = Vector::Zero(static_cast<Index>(lambdas.size()));
  decomposition.visit_rows(
      smoother.filter(), lambdas, target, [&](Index first, const Matrix& residual, const Matrix& complement) {
        const auto w = root.segment(first, residual.rows()).array().square();
        for (Index k = 0; k < sums.size(); ++k)
          sums[k] += (residual.col(k).array().square() * (1 - complement.col(k).array()) / w).sum();
      });
  return sums;
}

/// eᵀHe = Σ g²h z²; the constant's direction has g = 0.
double squares_through_hat(const Smoother& smoother, double lambda, Index target) {
  const Spectrum& s = smoother.spectrum();
  double sum = 0;
  for (Index i = 0; i < s.values.size(); ++i) {
    const FilterValue f = filter_at(s, smoother.filter(), s.values[i], lambda);
    sum += f.complement * f.complement * s.values[i] * f.gain * s.squared(i, target);
  }
  return sum;
}

bool narrower_than(double spacing, const Representation& representation) {
  const auto* kernel = std::get_if<Kernel>(&representation);
  const auto width = kernel ? width_of(*kernel) : std::nullopt;
  return width && *width < spacing;
}

/// Σ d x², the mean squared norm of the fit to noise of variance 1 in the function space.
double squared_norm_of_noise(const Smoother& smoother, double lambda) {
  const Spectrum& s = smoother.spectrum();
  double sum = 0;
  for (const double d : s.values) {
    const double x = filter_at(s, smoother.filter(), d, lambda).gain;
    sum += d * x * x;
  }
  return sum;
}

}  // namespace

std::optional<double> sic_constant(const Spectrum& s, Index target, double sigma2) {
  constexpr double well_conditioned = 1e-8;
  if (s.values.size() == 0 || !(s.values.minCoeff() > well_conditioned * s.top())) return std::nullopt;
  return ((s.squared.col(target).array() - sigma2) / s.values.array()).sum();
}

std::string Smoother::lacks(Account account, const Metric& metric) const {
  switch (account) {
    case Account::counts:
      return "";
    case Account::scores:
      return minimises_a_cost(filter()) ? ""
                                        : "it is made from the Hessian of a penalised cost, and this fit "
                                          "minimises none; use gcv or cv";
    case Account::left_out:
      return rows() < 2 ? "leaving out the only row leaves nothing to learn from" : no_leave_one_out();
    case Account::held_out:
      return rows() < 2 ? "cross-validation needs two rows" : "";
    case Account::evidence:
      return filter().log_prior_ratio ? "" : "its fit is not the posterior mean of a Gaussian model";
    case Account::resampled:
      return "";
    case Account::sic:
      break;
  }
  if (metric.kind == Metric::Kind::function_space && !is_kernel())
    return "the function-space metric belongs to kernels; use `metric` train, test or a CSV of inputs";
  if (metric.kind == Metric::Kind::points && narrower_than(metric.spacing, options_.representation))
    return "its kernel is narrower than the nodes of this density are apart; use a larger width, or `metric` "
           "train or a CSV of inputs";
  return "";
}

std::vector<Counts> Smoother::counts(const Points& points, Index target, bool, bool) const {
  std::vector<Counts> out;
  for (const SpectralSums& s : sums(lambdas_of(points), target)) {
    Counts c;
    c.n = count(), c.rss = s.z2g2, c.df = s.df, c.left = s.g, c.left_squared = s.g2;
    c.left_fourth = s.g4, c.rss_fourth = s.z2g4;
    out.push_back(std::move(c));
  }
  return out;
}

std::vector<Scores> Smoother::scores(const Points& points, Index target, Index lags, bool) const {
  const auto lambdas = lambdas_of(points);
  const auto spectral = sums(lambdas, target);
  Vector products = squares_through_leverage(*this, lambdas, target);
  if (lags > 0) products += 2 * decomposition_->lagged_products(filter(), lambdas, target, lags);
  std::vector<Scores> out(lambdas.size());
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (!countable(spectral[k], count())) continue;
    out[k].n = out[k].observations = count();
    out[k].df = spectral[k].df;
    out[k].loss = spectral[k].z2g2;
    out[k].products = products[static_cast<Index>(k)];
    out[k].stationarity = squares_through_hat(*this, lambdas[k], target);
  }
  return out;
}

std::vector<LeftOut> Smoother::left_out(const Points& points, Index target, bool,
                                        const Progress& progress) const {
  return by_point(leave_one_out(lambdas_of(points), target, progress), count());
}

std::vector<HeldOut> Smoother::held_out(const Points& points, Index target, const Folds& folds, bool,
                                        const Progress& progress) const {
  return by_point(fold_errors(lambdas_of(points), target, folds, progress));
}

std::vector<EvidenceParts> Smoother::evidence(const Points& points, Index target, bool) const {
  std::vector<EvidenceParts> out;
  for (const SpectralSums& s : sums(lambdas_of(points), target)) {
    EvidenceParts e;
    if (countable(s, count())) {
      e.n = count(), e.fixed = intercept() ? 1 : 0;
      e.quadratic = s.z2g;
      e.log_determinant = s.log_prior_ratio + (intercept() ? std::log(count()) : 0);
    }
    out.push_back(std::move(e));
  }
  return out;
}

// In the eigenbasis, z = coordinates of y, x = gain, h = d x, a the weights of z² in the criterion:
//   function space   Σ [ d x² z² − 2x(z² − σ²) ]
//   training inputs  (1/n) Σ [ h² z² − 2h(z² − σ²) ],  h² − 2h = g² − 1, so the sums of the complements serve.
SicAccount Smoother::sic(const Points& points, Index target, const SicQuestion& question, bool) const {
  const auto lambdas = lambdas_of(points);
  const auto spectral = sums(lambdas, target);
  SicAccount out;
  const bool at_points = question.metric.kind == Metric::Kind::points;
  if (at_points || question.reference != SicReference::least_squares) {
    double gamma = undefined;
    const Vector reference = reference_gains(target, question, gamma);
    out = at_points ? sic_on_points(lambdas, target, question.metric.points, reference)
                    : sic_against(lambdas, target, question.metric, reference);
    out.gamma = gamma;
  } else {
    const double n = count(), fixed = intercept() ? 1 : 0, y2 = total(target);
    const bool in_function_space = question.metric.kind == Metric::Kind::function_space;
    constexpr Index free_spectrum = 2000;  // rows up to which the eigenvalues cost next to nothing
    const bool with_spectrum = in_function_space && rows() <= free_spectrum;
    for (const SpectralSums& s : spectral) {
      SicParts p;
      if (in_function_space) {
        p.distance = s.dx2z2 - 2 * s.xz2;
        p.divergence = s.x;
        p.squares = s.a2, p.squared_signal = s.a2z2;
        if (with_spectrum) p.spread = squared_norm_of_noise(*this, s.lambda);
      } else {
        p.distance = (s.z2g2 - y2) / n;
        p.divergence = (s.df - fixed) / n;
        p.squares = (n - fixed - 2 * s.g2 + s.g4) / (n * n);
        p.squared_signal = (y2 - 2 * s.z2g2 + s.z2g4) / (n * n);
        p.spread = (n - fixed - 2 * s.g + s.g2) / n;
      }
      out.parts.push_back(std::move(p));
    }
    if (with_spectrum)
      out.constant = [this, target](double sigma2) { return sic_constant(spectrum(), target, sigma2); };
    out.squared_target = out.constant;
    if (!in_function_space)
      out.squared_target = [=](double sigma2) { return (y2 - (n - fixed) * sigma2) / n; };
  }
  for (std::size_t k = 0; k < out.parts.size(); ++k) {
    if (!countable(spectral[k], count())) out.parts[k] = SicParts{};
    if (!question.bootstrap) continue;
    // The mean over all replications is known: σ² is the residuals' own mean square.
    const double left = spectral[k].g > 0 ? spectral[k].g : undefined;
    out.parts[k].sigma2 = spectral[k].z2g2 / (question.resampling.rescaled ? left : count());
    out.parts[k].covariance = out.parts[k].sigma2 * out.parts[k].divergence;
  }
  if (question.bootstrap) {
    out.covariance = "residual bootstrap, all replications in closed form";
    out.constant = {};
  }
  return out;
}

}  // namespace gnomon
