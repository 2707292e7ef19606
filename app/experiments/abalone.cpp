#include "abalone.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "data_folder.hpp"
#include "experiment.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/data/csv.hpp"

namespace gnomon::app {
namespace {

constexpr std::array measurements{"length",         "diameter",       "height",       "whole_weight",
                                  "shucked_weight", "viscera_weight", "shell_weight", "rings"};
constexpr Index inputs = 7;
constexpr const char* debian_folder = "/usr/share/doc/libfann-dev/examples/datasets";

/// Rows × (inputs + rings), in the units of the source.
Matrix from_csv(const std::string& path) {
  const Table table = read_table(path);
  Matrix rows(table.rows(), inputs + 1);
  for (Index j = 0; j <= inputs; ++j) {
    const char* name = measurements[static_cast<std::size_t>(j)];
    const Column* column = table.find(name);
    require(column != nullptr,
            "'{}' has no column '{}'; Abalone needs length, diameter, height, whole_weight, "
            "shucked_weight, viscera_weight, shell_weight and rings",
            path, name);
    require(column->numeric && table.numbers.col(column->index).allFinite(),
            "'{}': column '{}' must hold numbers only, none missing", path, name);
    rows.col(j) = table.numbers.col(column->index);
  }
  return rows;
}

/// FANN's text: "rows 10 1", then ten inputs and one output per sample, the first three inputs being the sex. Inputs are
/// multiples of 0.0005 over 2.8255, the output is (rings − 1)/28.
Matrix from_fann(const std::string& path) {
  std::ifstream file(path);
  Index count = 0, in = 0, out = 0;
  file >> count >> in >> out;
  require(file.good() && count > 0 && in == inputs + 3 && out == 1,
          "'{}' is not FANN's abalone file; it should start with 'rows 10 1'", path);
  Matrix rows(count, inputs + 1);
  for (Index i = 0; i < count; ++i) {
    for (Index j = -3; j <= inputs; ++j) {
      double value = undefined;
      file >> value;
      require(!file.fail(), "'{}' ends early: sample {} of {} is not complete", path, i + 1, count);
      if (j >= 0)
        rows(i, j) = j < inputs ? std::round(value * 2.8255 * 2000) / 2000 : std::round(28 * value + 1);
    }
  }
  return rows;
}

Matrix from_folder(const std::string& folder) {
  const Matrix train = from_fann(folder + "/abelone.train"), test = from_fann(folder + "/abelone.test");
  Matrix all(train.rows() + test.rows(), inputs + 1);
  all << train, test;
  return all;
}

Matrix sorted(const Matrix& rows) {
  std::vector<Index> order(static_cast<std::size_t>(rows.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    for (Index j = 0; j < rows.cols(); ++j) {
      if (rows(a, j) != rows(b, j)) return rows(a, j) < rows(b, j);
    }
    return false;
  });
  return rows(order, Eigen::all);
}

}  // namespace

bool is_whole(const Abalone& data) {
  return data.rings.size() == 4177 && std::abs(data.rings.mean() - 9.9337) < 1e-4;
}

Abalone load_abalone(const std::string& path) {
  namespace fs = std::filesystem;
  const std::string place = file_of_set(path, "abalone.csv").value_or(path.empty() ? debian_folder : path);
  const bool folder = fs::is_directory(place);
  if (path.empty() && !fs::exists(place + "/abelone.train"))
    throw MissingData(
        "the Abalone data are not here; give --data FILE (CSV with a header), or install Debian's "
        "libfann-doc");
  if (folder && !fs::exists(place + "/abelone.train"))
    throw MissingData(fmt::format("'{}' has neither abalone.csv nor FANN's abelone.train", place));
  const Matrix rows = sorted(folder ? from_folder(place) : from_csv(place));
  Abalone data{rows.leftCols(inputs), rows.col(inputs), place};
  for (Index j = 0; j < inputs; ++j) {
    const double low = data.x.col(j).minCoeff(), high = data.x.col(j).maxCoeff();
    require(high > low, "'{}': column '{}' is constant", place, measurements[static_cast<std::size_t>(j)]);
    data.x.col(j) = (data.x.col(j).array() - low) / (high - low);
  }
  return data;
}

}  // namespace gnomon::app
