#include "delve_sets.hpp"

#include <array>
#include <bit>
#include <filesystem>
#include <optional>

#include "data_folder.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/data/csv.hpp"
#include "sic/robot_data.hpp"

namespace gnomon::app {
namespace {

constexpr std::uint64_t simulator_seed = 1996;  // of the generated sets, whatever the seed of the splits

double number_of_sex(const std::string& sex, const std::string& path) {
  if (sex == "M") return 0;
  if (sex == "F") return 1;
  require(sex == "I", "'{}': '{}' is neither a number nor a sex (M, F, I)", path, sex);
  return 0.5;
}

Matrix numbers_of(const std::string& path) {
  const Table table = read_table(path);
  const auto count = static_cast<Index>(table.columns.size());
  require(count >= 2, "'{}' has one column; a set needs inputs and, last, a target", path);
  Matrix rows(table.rows(), count);
  for (Index j = 0; j < count; ++j) {
    const Column& column = table.columns[static_cast<std::size_t>(j)];
    if (column.numeric) {
      rows.col(j) = table.numbers.col(column.index);
    } else {
      const TextColumn& text = table.texts[static_cast<std::size_t>(column.index)];
      for (Index i = 0; i < rows.rows(); ++i) {
        const int code = text.codes[static_cast<std::size_t>(i)];
        rows(i, j) = code < 0 ? undefined : number_of_sex(text.levels[static_cast<std::size_t>(code)], path);
      }
    }
    require(rows.col(j).allFinite(), "'{}': column '{}' must hold numbers only, none missing", path,
            column.name);
  }
  return rows;
}

void scale_to_unit(Eigen::Ref<Vector> column) {
  const double low = column.minCoeff(), high = column.maxCoeff();
  if (high > low) column = (column.array() - low) / (high - low);
}

DelveSet scaled(std::string name, Matrix x, Vector y, bool generated) {
  for (Index j = 0; j < x.cols(); ++j) scale_to_unit(x.col(j));
  scale_to_unit(y);
  return {std::move(name), std::move(x), std::move(y), generated};
}

std::optional<DelveSet> from_folder(const std::string& folder, const std::string& name) {
  const auto path = file_of_set(folder, name + ".csv");
  if (!path) return {};
  const Matrix rows = numbers_of(*path);
  constexpr Index fewest = 200;
  if (rows.rows() < fewest)
    fail("'{}' has {} rows; 100 are learned from, and at least as many are to be predicted", *path,
         rows.rows());
  return scaled(name, rows.leftCols(rows.cols() - 1), rows.col(rows.cols() - 1), false);
}

std::optional<DelveSet> from_simulator(const std::string& name) {
  using namespace experiments;
  const bool arm = name.starts_with("kin"), puma = name.starts_with("pumadyn");
  if (!arm && !puma) return {};
  const RobotFamily family{name[name.size() - 2] == 'n', name.back() == 'h'};
  RobotData data =
      arm ? arm_data(family, robot_rows, simulator_seed) : puma_data(family, robot_rows, simulator_seed);
  return scaled(name, std::move(data.x), std::move(data.y), true);
}

}  // namespace

std::uint64_t DelveSet::fingerprint() const {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a, eight bytes at a time
  const auto mix = [&](double value) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3u;
    hash ^= hash >> 29;
  };
  for (const double value : x.reshaped()) mix(value);
  for (const double value : y) mix(value);
  return hash;
}

const std::vector<std::string_view>& delve_names() {
  static const std::vector<std::string_view> names{
      "abalone", "boston",  "bank-8fm", "bank-8nm",    "bank-8fh",    "bank-8nh",    "kin-8fm",
      "kin-8nm", "kin-8fh", "kin-8nh",  "pumadyn-8fm", "pumadyn-8nm", "pumadyn-8fh", "pumadyn-8nh"};
  return names;
}

std::vector<DelveSet> load_delve_sets(const std::string& folder) {
  require(folder.empty() || std::filesystem::is_directory(folder),
          "'{}' is no folder; sic-delve looks for abalone.csv, boston.csv, bank-8fm.csv, kin-8fm.csv, … in "
          "the folder of --data",
          folder);
  std::vector<DelveSet> sets;
  for (const auto each : delve_names()) {
    const std::string name(each);
    auto set = from_folder(folder, name);
    if (!set) set = from_simulator(name);
    if (set) sets.push_back(*std::move(set));
  }
  return sets;
}

}  // namespace gnomon::app
