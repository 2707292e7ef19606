#include "report/panel.hpp"
#include "report/words.hpp"

namespace gnomon {

std::vector<Block> warnings_panel(const Study& study, Index target) {
  std::vector<Block> blocks;
  for (const std::string& text : target_of(study, target).warnings) {
    blocks.emplace_back(Notice{Notice::Level::warning, text});
  }
  return blocks;
}

}  // namespace gnomon
