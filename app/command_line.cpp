#include "command_line.hpp"

namespace gnomon::app {

std::string& command_line() {
  static std::string line;
  return line;
}

}  // namespace gnomon::app
