// gnomon-golden DIR: runs every golden vector found in DIR and below; a line per kind, exit 1 on any failure.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/text.hpp"
#include "golden.hpp"

namespace {

using gnomon::golden::Json;

/// |got − want| ≤ atol + rtol·|want| elementwise; null means undefined on both sides; integers match exactly.
bool matches(const Json& got, const Json& want, const Json* tol, std::string& why) {
  if (want.is_null()) {
    if (got.is_null()) return true;
    why = "expected undefined, got " + got.dump();
    return false;
  }
  if (want.is_array()) {
    if (!got.is_array() || got.size() != want.size()) {
      why = "expected " + std::to_string(want.size()) + " entries, got " + got.dump().substr(0, 60);
      return false;
    }
    for (std::size_t i = 0; i < want.size(); ++i) {
      if (!matches(got[i], want[i], tol, why)) {
        why = "[" + std::to_string(i) + "] " + why;
        return false;
      }
    }
    return true;
  }
  if (!got.is_number()) {
    why = "expected " + want.dump() + ", got " + got.dump();
    return false;
  }
  const double g = got.get<double>(), w = want.get<double>();
  const double allowed = tol ? tol->value("atol", 0.0) + tol->value("rtol", 0.0) * std::abs(w) : 0.0;
  if (std::abs(g - w) <= allowed) return true;
  why = fmt::format("expected {:.17g}, got {:.17g}, off by {:.2e}, allowed {:.2e}", w, g, std::abs(g - w),
                    allowed);
  return false;
}

bool run_file(const Json& vector, std::string& report) {
  const auto& kind = gnomon::golden::kinds().at(vector.at("kind").get<std::string>());
  const Json got = kind(vector.value("input", Json::object()), vector.value("params", Json::object()));
  const Json& tolerances = vector.value("tol", Json::object());
  bool good = true;
  for (const auto& [name, want] : vector.at("expect").items()) {
    std::string why;
    const Json* tol = tolerances.contains(name) ? &tolerances.at(name) : nullptr;
    if (!got.contains(name)) {
      why = "not computed";
    } else if (matches(got.at(name), want, tol, why)) {
      continue;
    }
    report += fmt::format("  {}: {} {}\n", vector.at("id").get<std::string>(), name, why);
    good = false;
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  if (argc < 2) {
    fmt::print(stderr, "usage: golden DIR [--kinds a,b]\n");
    return 2;
  }
  if (!fs::is_directory(argv[1])) {
    fmt::print(stderr, "golden: {} is not a folder\n", argv[1]);
    return 1;
  }
  std::set<std::string> only;
  if (argc == 4 && std::string(argv[2]) == "--kinds") {
    for (const auto& kind : gnomon::split(argv[3], ',')) only.insert(kind);
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(argv[1])) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::map<std::string, std::pair<int, int>> counts;  // kind → passed, failed
  std::string report;
  for (const auto& file : files) {
    std::string kind = "unreadable";
    bool good = false;
    try {
      const Json vector = Json::parse(std::ifstream(file));
      kind = vector.at("kind").get<std::string>();
      if (!only.empty() && !only.contains(kind)) continue;
      if (gnomon::golden::kinds().contains(kind)) {
        good = vector.contains("expect") ? run_file(vector, report)
                                         : gnomon::golden::run_adaptive(vector, report);
      } else {
        report += fmt::format("  {}: unknown kind '{}'\n", file.filename().string(), kind);
      }
    } catch (const std::exception& error) {
      report += fmt::format("  {}: {}\n", file.filename().string(), error.what());
    }
    ++(good ? counts[kind].first : counts[kind].second);
  }
  int passed = 0, failed = 0;
  for (const auto& [kind, count] : counts) {
    fmt::print("{:<16} {:>4} passed {:>4} failed\n", kind, count.first, count.second);
    passed += count.first, failed += count.second;
  }
  if (!report.empty()) fmt::print("{}", report);
  if (passed + failed == 0) fmt::print("no golden vectors found in {}\n", argv[1]);
  fmt::print("golden: {} passed, {} failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
