#include "gnomon/core/option.hpp"

namespace gnomon {
namespace {

void replace(std::string& text, const std::string& mark, const std::string& with) {
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + with.size()))
    text.replace(at, mark.size(), with);
}

}  // namespace

std::string filled(std::string text, const std::vector<std::string>& allowed, const std::string& by_default,
                   const std::string& quote) {
  std::string names;
  const std::string between = quote.empty() ? ", " : " ";
  for (const auto& name : allowed) names += (names.empty() ? "" : between) + quote + name + quote;
  replace(text, "{allowed}", names);
  replace(text, "{default}", "[" + quote + by_default + quote + "]");
  return text;
}

}  // namespace gnomon
