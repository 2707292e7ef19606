#include "thin.hpp"

#include <algorithm>
#include <numeric>

#include "gnomon/core/random.hpp"

namespace gnomon {

std::vector<Index> random_places(Index n, Index most) {
  std::vector<Index> places(static_cast<std::size_t>(n));
  std::iota(places.begin(), places.end(), Index{0});
  if (n <= most) return places;
  places = Random(1).permutation(n);
  places.resize(static_cast<std::size_t>(most));
  std::sort(places.begin(), places.end());
  return places;
}

std::vector<Index> leading_places(Index n, Index most) {
  std::vector<Index> places;
  const Index head = n <= most ? n : most / 5;
  for (Index i = 0; i < head; ++i) places.push_back(i);
  for (Index k = 1; head + k <= std::min(n, most); ++k)
    places.push_back(head - 1 + k * (n - head) / (most - head));
  return places;
}

Vector take(const Vector& v, const std::vector<Index>& places) {
  Vector taken(static_cast<Index>(places.size()));
  for (std::size_t k = 0; k < places.size(); ++k) taken[static_cast<Index>(k)] = v[places[k]];
  return taken;
}

}  // namespace gnomon
