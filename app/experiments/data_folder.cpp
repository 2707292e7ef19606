#include "data_folder.hpp"

#include <filesystem>

namespace gnomon::app {

std::optional<std::string> file_of_set(const std::string& data, std::string_view name) {
  namespace fs = std::filesystem;
  if (data.empty()) return {};
  if (!fs::is_directory(data)) return data;
  const fs::path file = fs::path(data) / name;
  if (!fs::exists(file)) return {};
  return file.string();
}

}  // namespace gnomon::app
