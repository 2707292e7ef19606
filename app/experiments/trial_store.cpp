#include "trial_store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <utility>

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
  for (const double value : numbers)
    line += std::isnan(value) ? ",nan" : fmt::format(",{}", value);  // a NaN has no sign
  return line + "\n";
}

/// A line that is whole: the trial and its numbers.
std::optional<std::pair<Index, Vector>> parse_line(const std::string& line, Index columns) {
  const auto cells = split(line, ',');
  if (static_cast<Index>(cells.size()) != columns + 1) return {};
  const auto trial = parse_number(cells[0]);
  if (!trial || !(*trial >= 0) || *trial != std::floor(*trial)) return {};
  Vector numbers(columns);
  for (Index j = 0; j < columns; ++j) {
    const auto value = parse_number(cells[static_cast<std::size_t>(j) + 1]);
    if (!value) return {};
    numbers[j] = *value;
  }
  return std::pair{static_cast<Index>(*trial), std::move(numbers)};
}

std::string text_of(const std::string& head, const std::map<Index, Vector>& rows) {
  std::string text = head;
  for (const auto& [trial, numbers] : rows) text += line_of(trial, numbers);
  return text;
}

/// "40 s", "12 min", "3 h"
std::string duration_in_words(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", seconds / 3600);
}

/// Lines that are in the file once `add` returns, whoever ends the process; on the disk within a second or two.
class LineFile {
 public:
  explicit LineFile(const std::string& path)
      : path_(path), descriptor_(open(path.c_str(), O_WRONLY | O_APPEND)) {
    require(descriptor_ >= 0, "cannot write '{}'; choose another folder with -o", path);
  }
  ~LineFile() {
    fsync(descriptor_);
    close(descriptor_);
  }
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  void add(const std::string& line) {
    const std::lock_guard guard(lock_);
    const ssize_t written = write(descriptor_, line.data(), line.size());
    if (written != static_cast<ssize_t>(line.size())) fail("cannot write '{}'; is the disk full?", path_);
    const auto now = std::chrono::steady_clock::now();
    if (now - synced_ < std::chrono::seconds(1)) return;
    fsync(descriptor_);
    synced_ = now;
  }

 private:
  std::string path_;
  int descriptor_;
  std::mutex lock_;
  std::chrono::steady_clock::time_point synced_{};
};

}  // namespace

TrialStore::TrialStore(std::string folder, bool resume, Progress progress, std::string file)
    : folder_(std::move(folder)), file_(std::move(file)), resume_(resume), progress_(std::move(progress)) {
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

TrialStore::Rows TrialStore::kept(const std::string& settings,
                                  const std::vector<std::string>& columns) const {
  Rows rows;
  std::ifstream file(path());
  if (!resume_ || !file) return rows;
  const std::string head = head_of(settings, columns);
  std::string found(head.size(), '\0');
  file.read(found.data(), static_cast<std::streamsize>(head.size()));
  if (found != head)
    fail(
        "'{}' holds trials of other settings (it should say: {}); choose another folder with -o, or leave "
        "--resume out to start over",
        path(), settings);
  std::string line;
  while (std::getline(file, line) && !file.eof()) {  // at the end without a newline: a line that was cut off
    if (auto row = parse_line(line, static_cast<Index>(columns.size()))) rows.insert(*std::move(row));
  }
  return rows;
}

Matrix TrialStore::run(const std::string& settings, const std::vector<std::string>& columns, Index count,
                       const std::function<Vector(Index)>& trial) {
  Rows rows = kept(settings, columns);
  make_folder();
  const std::string head = head_of(settings, columns);
  write_file(path(), text_of(head, rows));
  std::vector<Index> missing;
  for (Index i = 0; i < count; ++i)
    if (!rows.contains(i)) missing.push_back(i);
  const auto total = static_cast<Index>(missing.size());
  std::vector<Vector> made(missing.size());
  Index done = 0, batch = std::min<Index>(2 * threads(), largest_batch);
  const auto collect = [&] {
    for (Index i = 0; i < total; ++i)
      if (auto& numbers = made[static_cast<std::size_t>(i)]; numbers.size())
        rows[missing[static_cast<std::size_t>(i)]] = std::move(numbers);
  };

  const BlasThreads one(1);  // also where a single trial is missing: its bits must not depend on that
  try {
    LineFile file(path());
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    while (done < total) {
      const Index first = done, size = std::min(batch, total - first);
      const auto start = Clock::now();
      const double spent = std::chrono::duration<double>(start - begin).count();
      progress_(
          fmt::format("trial {} of {}{}", count - total + first, count,
                      first == 0 ? ""
                                 : fmt::format(", {} left",
                                               duration_in_words(spent * static_cast<double>(total - first) /
                                                                 static_cast<double>(first)))),
          static_cast<double>(count - total + first) / static_cast<double>(count));
      parallel_for(size, [&](Index i) {
        const auto at = static_cast<std::size_t>(first + i);
        made[at] = trial(missing[at]);
        file.add(line_of(missing[at], made[at]));
      });
      done += size;
      if (Clock::now() - start < std::chrono::milliseconds(500)) batch = std::min(2 * batch, largest_batch);
    }
  } catch (const Interrupted&) {
    collect();
    fmt::print(stderr, "gnomon: {} of {} trials are kept in '{}'; go on with --resume\n",
               std::min<std::size_t>(rows.size(), static_cast<std::size_t>(count)), count, path());
    throw;
  }
  collect();
  if (total > 0) write_file(path(), text_of(head, rows));  // in order, whatever the threads did
  Matrix all(count, static_cast<Index>(columns.size()));
  for (Index i = 0; i < count; ++i) all.row(i) = rows.at(i).transpose();
  return all;
}

}  // namespace gnomon::app
