// The schema of the adaptive-regularization vectors: inputs at the top level, expected values as nested objects (`expected`,
// or `fixed` and `trained` for networks), one relative tolerance for all of them.

#include <algorithm>
#include <cmath>

#include "golden.hpp"

namespace gnomon::golden {
namespace {

/// Inputs repeated among the expected values, and gradients that are zero but for rounding.
bool is_input(const std::string& name) { return name == "folds" || name == "v"; }
bool vanishes(const std::string& name) {
  return name == "gradC" || name == "grad_norm_inf" || name == "residual";
}

double largest(const Json& value) {
  if (value.is_number()) return std::abs(value.get<double>());
  double most = 0;
  if (value.is_array())
    for (const auto& entry : value) most = std::max(most, largest(entry));
  return most;
}

class Comparison {
 public:
  Comparison(const Json& vector, std::string& report) : vector_(vector), report_(report) {}

  /// Numbers of an array are compared on the scale of its largest entry.
  bool compare(const Json& got, const Json& want, const std::string& path, const std::string& name,
               double rtol, double scale) {
    if (want.is_object()) {
      bool good = true;
      for (const auto& [key, value] : want.items()) {
        if (is_input(key) || (path == "fixed" && key == "w")) continue;
        const std::string below = path.empty() ? key : path + "." + key;
        if (!got.is_object() || !got.contains(key)) {
          good = complain(below, "not computed");
        } else {
          good &= compare(got.at(key), value, below, key, tolerance(key, rtol), largest(value));
        }
      }
      return good;
    }
    if (want.is_array()) {
      if (!got.is_array() || got.size() != want.size())
        return complain(path,
                        fmt::format("expected {} entries, got {}", want.size(), got.dump().substr(0, 60)));
      for (std::size_t i = 0; i < want.size(); ++i) {
        const double inner = want[i].is_object() ? 0 : scale;
        if (!compare(got[i], want[i], fmt::format("{}[{}]", path, i), name, rtol, inner)) return false;
      }
      return true;
    }
    if (!want.is_number())
      return got == want || complain(path, "expected " + want.dump() + ", got " + got.dump());
    if (!got.is_number()) return complain(path, "expected " + want.dump() + ", got " + got.dump());
    const double g = got.get<double>(), w = want.get<double>();
    const double allowed = rtol * scale + (vanishes(name) ? 1e-2 * rtol : 0);
    if (std::abs(g - w) <= allowed) return true;
    return complain(path, fmt::format("expected {:.17g}, got {:.17g}, off by {:.2e}, allowed {:.2e}", w, g,
                                      std::abs(g - w), allowed));
  }

 private:
  /// Places and values of minima have tolerances of their own.
  double tolerance(const std::string& key, double otherwise) const {
    return key == "kappa" || key == "value" ? vector_.value("rtol_" + key, otherwise) : otherwise;
  }
  bool complain(const std::string& path, const std::string& why) {
    report_ += fmt::format("  {}: {} {}\n", vector_.at("id").get<std::string>(), path, why);
    return false;
  }

  const Json& vector_;
  std::string& report_;
};

}  // namespace

bool run_adaptive(const Json& vector, std::string& report) {
  const Json got = kinds().at(vector.at("kind").get<std::string>())(vector, Json::object());
  Comparison comparison(vector, report);
  if (vector.contains("expected"))
    return comparison.compare(got, vector.at("expected"), "", "", vector.value("rtol", 0.0), 0);
  bool good = true;
  for (const char* block : {"fixed", "trained"}) {
    if (vector.contains(block))
      good &= comparison.compare(got.at(block), vector.at(block), block, block,
                                 vector.at(std::string("rtol_") + block).get<double>(), 0);
  }
  return good;
}

}  // namespace gnomon::golden
