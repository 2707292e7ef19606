#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gnomon::app {

/// The file of a data set: `data` itself, or, where that is a folder, the file `name` in it; nothing if it is not there or
/// `data` is empty.
std::optional<std::string> file_of_set(const std::string& data, std::string_view name);

}  // namespace gnomon::app
