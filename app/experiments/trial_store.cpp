#include "trial_store.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "../output.hpp"
#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"

namespace gnomon::app {
namespace {

constexpr Index largest_batch = 120;  // trials between two writes; fewer where they take long

std::string head_of(const std::string& settings, const std::vector<std::string>& columns) {
  return fmt::format("# {}\ntrial,{}\n", settings, join(columns, ","));
}

std::string line_of(Index trial, const Vector& numbers) {
  std::string line = fmt::format("{}", trial);
  for (const double value : numbers) fmt::format_to(std::back_inserter(line), ",{}", value);
  return line + "\n";
}

/// The numbers of a line that is whole and belongs to this trial.
std::optional<Vector> numbers_of(const std::string& line, Index trial, Index columns) {
  const auto cells = split(line, ',');
  if (static_cast<Index>(cells.size()) != columns + 1 || cells[0] != fmt::format("{}", trial)) return {};
  Vector numbers(columns);
  for (Index j = 0; j < columns; ++j) {
    const auto value = parse_number(cells[static_cast<std::size_t>(j) + 1]);
    if (!value) return {};
    numbers[j] = *value;
  }
  return numbers;
}

}  // namespace

TrialStore::TrialStore(std::string folder, bool resume, Progress progress)
    : folder_(std::move(folder)), resume_(resume), progress_(std::move(progress)) {
  namespace fs = std::filesystem;
  require(!fs::exists(folder_) || fs::is_directory(folder_), "'{}' is not a folder; choose another with -o",
          folder_);
}

void TrialStore::make_folder() const {
  std::error_code failure;
  std::filesystem::create_directories(folder_, failure);
  require(!failure && std::filesystem::is_directory(folder_),
          "cannot make the folder '{}'; choose another with -o", folder_);
}

std::vector<Vector> TrialStore::kept(const std::string& settings, const std::vector<std::string>& columns,
                                     Index count) const {
  std::vector<Vector> rows;
  std::ifstream file(path());
  if (!resume_ || !file) return rows;
  std::stringstream whole;
  whole << file.rdbuf();
  const std::string text = whole.str(), head = head_of(settings, columns);
  if (!text.starts_with(head))
    fail(
        "'{}' holds trials of other settings (it should say: {}); choose another folder with -o, or leave "
        "--resume out to start over",
        path(), settings);
  std::size_t at = head.size();
  while (static_cast<Index>(rows.size()) < count) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) break;  // the last line may have been cut off
    auto numbers = numbers_of(text.substr(at, end - at), static_cast<Index>(rows.size()),
                              static_cast<Index>(columns.size()));
    if (!numbers) break;
    rows.push_back(*std::move(numbers));
    at = end + 1;
  }
  return rows;
}

Matrix TrialStore::run(const std::string& settings, const std::vector<std::string>& columns, Index count,
                       const std::function<Vector(Index)>& trial) {
  std::vector<Vector> rows = kept(settings, columns, count);
  make_folder();
  std::string text = head_of(settings, columns);
  for (std::size_t i = 0; i < rows.size(); ++i) text += line_of(static_cast<Index>(i), rows[i]);
  write_file(path(), text);
  std::ofstream file(path(), std::ios::app);
  Index batch = std::min<Index>(2 * threads(), largest_batch);

  try {
    while (static_cast<Index>(rows.size()) < count) {
      const Index first = static_cast<Index>(rows.size()), size = std::min(batch, count - first);
      progress_(fmt::format("trial {} of {}", first, count),
                static_cast<double>(first) / static_cast<double>(count));
      const auto start = std::chrono::steady_clock::now();
      rows.resize(static_cast<std::size_t>(first + size));
      parallel_for(size, [&](Index i) { rows[static_cast<std::size_t>(first + i)] = trial(first + i); });
      for (Index i = first; i < first + size; ++i) file << line_of(i, rows[static_cast<std::size_t>(i)]);
      file.flush();
      if (!file.good()) fail("cannot write '{}'; is the disk full?", path());
      if (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(500))
        batch = std::min(2 * batch, largest_batch);
    }
  } catch (const Interrupted&) {
    fmt::print(stderr, "gnomon: {} of {} trials are kept in '{}'; go on with --resume\n", rows.size(), count,
               path());
    throw;
  }
  Matrix all(count, static_cast<Index>(columns.size()));
  for (Index i = 0; i < count; ++i) all.row(i) = rows[static_cast<std::size_t>(i)].transpose();
  return all;
}

}  // namespace gnomon::app
