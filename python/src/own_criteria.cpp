#include "own_criteria.hpp"

#include <array>
#include <cmath>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "call.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::python {
namespace {

// A formula of the library is a plain function. Those of Python take one of a few places in a table, and the function of that place
// looks there.
constexpr std::size_t places = 8;
using Function = std::shared_ptr<py::object>;
struct FunctionTable {
  std::mutex lock;
  std::array<Function, places> functions;
};
FunctionTable& function_table() {
  static auto* all = new FunctionTable;  // threads may outlive static objects
  return *all;
}

struct PlainCounts {
  double n, rss, df, left, left_squared, sigma2;
};

double ask(std::size_t place, const PlainCounts& c) {
  Function function;
  {
    const std::lock_guard guard(function_table().lock);
    function = function_table().functions[place];
  }
  require(function != nullptr, "a criterion of Python's is asked after its call has ended");
  const py::gil_scoped_acquire interpreter;
  const py::object counts = py::module_::import("types").attr("SimpleNamespace")(
      py::arg("n") = c.n, py::arg("rss") = c.rss, py::arg("df") = c.df, py::arg("left") = c.left,
      py::arg("left_squared") = c.left_squared, py::arg("sigma2") = c.sigma2);
  const py::object value = (*function)(counts);
  return value.is_none() ? undefined : value.cast<double>();
}

template <std::size_t place>
struct InPlace {
  double operator()(const CountsOf<double>& a, const Given& given) const {
    return ask(place, {a.n, a.rss, a.df, a.left, a.left_squared, given.sigma2});
  }
  /// The slopes by central differences: five digits, enough for a search.
  template <std::size_t N>
  Dual<N> operator()(const CountsOf<Dual<N>>& a, const Given& given) const {
    const PlainCounts at{a.n.value,    a.rss.value,          a.df.value,
                         a.left.value, a.left_squared.value, given.sigma2};
    Dual<N> out(ask(place, at));
    const std::array fields{std::pair(&PlainCounts::rss, &a.rss), std::pair(&PlainCounts::df, &a.df),
                            std::pair(&PlainCounts::left_squared, &a.left_squared)};
    for (const auto& [field, dual] : fields) {
      if (!std::isfinite(dual->value)) continue;
      const double step = 1e-5 * std::max(std::abs(dual->value), 1e-3);
      PlainCounts up = at, down = at;
      up.*field += step, down.*field -= step;
      if (field == &PlainCounts::df) up.left -= step, down.left += step;
      const double slope = (ask(place, up) - ask(place, down)) / (2 * step);
      for (std::size_t i = 0; i < N; ++i) out.by[i] += slope * dual->by[i];
    }
    return out;
  }
};

template <std::size_t... place>
std::array<CountsFormula, sizeof...(place)> formulas(std::index_sequence<place...>) {
  return {CountsFormula(InPlace<place>{})...};
}

/// A text that lives as long as the process: criteria hold views.
std::string_view kept(const py::handle& text) {
  static auto* all = new std::set<std::string>;
  return *all->insert(py::str(text)).first;
}

/// The places in use by one call.
struct Lease {
  std::vector<std::size_t> taken;

  std::size_t take(Function function) {
    const std::lock_guard guard(function_table().lock);
    for (std::size_t place = 0; place < places; ++place) {
      if (function_table().functions[place]) continue;
      function_table().functions[place] = std::move(function);
      taken.push_back(place);
      return place;
    }
    fail("more than {} criteria of your own at once", places);
  }
  Lease() = default;
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() {
    std::vector<Function> released;  // let go of outside of the lock: that waits for the interpreter
    {
      const std::lock_guard guard(function_table().lock);
      for (const std::size_t place : taken)
        released.push_back(std::exchange(function_table().functions[place], nullptr));
    }
  }
};

}  // namespace

OwnCriteria own_criteria(const py::list& given) {
  static const auto all = formulas(std::make_index_sequence<places>());
  const auto lease = std::make_shared<Lease>();
  OwnCriteria out{{}, lease};
  for (const py::handle own : given) {
    Criterion criterion{.name = kept(own.attr("name")),
                        .words = kept(own.attr("words")),
                        .estimates = kept(own.attr("estimates")),
                        .formula = all[lease->take(shared(own.attr("formula")))]};
    criterion.needs_noise = own.attr("needs_noise").cast<bool>();
    criterion.needs_squares = own.attr("needs_squares").cast<bool>();
    criterion.rests_on_divergence = true;
    out.criteria.push_back(criterion);
  }
  return out;
}

}  // namespace gnomon::python
