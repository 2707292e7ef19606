#pragma once

// The methods behind `estimate_density_ratio`: each takes prepared samples and returns a ratio whose `evaluate`
// expects inputs on the pooled scale.

#include <algorithm>

#include "gnomon/core/parallel.hpp"
#include "gnomon/shift/density_ratio.hpp"
#include "samples.hpp"

namespace gnomon {

DensityRatio kde_ratio(const TwoSamples&, const RatioOptions&, const Progress&);
DensityRatio kde_cv_ratio(const TwoSamples&, const RatioOptions&, const Progress&);
DensityRatio ulsif_ratio(const TwoSamples&, const RatioOptions&, const Progress&);
DensityRatio rulsif_ratio(const TwoSamples&, const RatioOptions&, const Progress&);
DensityRatio kliep_ratio(const TwoSamples&, const RatioOptions&, const Progress&);
DensityRatio kmm_ratio(const TwoSamples&, const RatioOptions&, const Progress&);
DensityRatio logistic_ratio(const TwoSamples&, const RatioOptions&, const Progress&);

/// `count` widths around the median distance of the pooled sample, log-spaced; just the given one if there is one.
std::vector<double> width_grid(const TwoSamples&, const RatioOptions&);

/// `count` values from `low` to `high`, log-spaced.
std::vector<double> log_grid(double low, double high, Index count);

/// parallel_for in batches, so that progress is reported, and a stop obeyed, on the calling thread.
template <class Body>
void for_each_reported(Index count, std::string_view what, const Progress& progress, const Body& body) {
  const Index batch = std::max<Index>(threads(), 1);
  for (Index first = 0; first < count; first += batch) {
    progress(what, static_cast<double>(first) / static_cast<double>(count));
    parallel_for(std::min(batch, count - first), [&](Index i) { body(first + i); });
  }
}

}  // namespace gnomon
