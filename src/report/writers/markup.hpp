#pragma once

#include <string>
#include <string_view>

namespace gnomon {

/// Text for HTML or XML, between tags or inside a quoted attribute.
std::string escaped(std::string_view text);

}  // namespace gnomon
