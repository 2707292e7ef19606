#pragma once

#include "core/option.hpp"
#include "run_study.hpp"

namespace gnomon::app {

/// All that `gnomon select` is told.
struct SelectFlags {
  StudyOptions study;
  Outputs outputs;
  int threads = 0;
};

/// The table of its options: what is asked of the data, of the selection and of the output, in the order of help and manual.
const std::vector<Option<SelectFlags>>& select_options();

/// What was asked of the data, by option.
std::vector<std::pair<std::string, std::string>> asked_of_data(const SelectFlags& flags);

/// The tables of docs/cli.md, one under the name of each group.
std::string options_manual();

}  // namespace gnomon::app
