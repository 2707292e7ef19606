#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gnomon/core/progress.hpp"
#include "gnomon/core/types.hpp"

namespace gnomon::app {

/// Runs independent trials in parallel and keeps each one's numbers in FOLDER/FILE as soon as it is done, all digits, so that
/// a run that was killed at any instant can go on where it stopped and end with the same bytes. Trials beyond those asked for
/// stay in the file.
class TrialStore {
 public:
  TrialStore(std::string folder, bool resume, Progress progress, std::string file = "trials.csv");

  /// Trials 0, …, count − 1 as the rows of a matrix. `settings` are all that a trial's numbers depend on beside its index;
  /// a file of other settings is refused. Makes the folder.
  Matrix run(const std::string& settings, const std::vector<std::string>& columns, Index count,
             const std::function<Vector(Index)>& trial);

  /// To be called once the experiment has what it needs, by one that keeps no trials.
  void make_folder() const;
  /// What is being done and the fraction done, for an experiment that keeps no trials.
  void progress(std::string_view what, double fraction) const { progress_(what, fraction); }

 private:
  using Rows = std::map<Index, Vector>;

  std::string path() const { return folder_ + "/" + file_; }
  /// Whole rows found on disk, by trial.
  Rows kept(const std::string& settings, const std::vector<std::string>& columns) const;

  std::string folder_, file_;
  bool resume_;
  Progress progress_;
};

}  // namespace gnomon::app
