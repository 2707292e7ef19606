#include "gnomon/core/named.hpp"

#include "gnomon/core/error.hpp"
#include "text.hpp"

namespace gnomon {

void refuse_unknown(std::string_view what, std::string_view name, const std::vector<std::string>& allowed) {
  throw UsageError(
      fmt::format("unknown {} '{}'; allowed: {}{}", what, name, join(allowed), suggestion(name, allowed)));
}

void refuse_name(std::string_view what, std::string_view name, const std::vector<std::string>& allowed) {
  throw UsageError(
      fmt::format("{} '{}' is unknown; allowed: {}{}", what, name, join(allowed), suggestion(name, allowed)));
}

}  // namespace gnomon
