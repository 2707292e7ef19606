#include "report/settings.hpp"
#include "report/panel.hpp"
#include "report/words.hpp"

namespace gnomon {
namespace {

std::string in_words(const std::string& text, OptionKind kind) {
  if (kind != OptionKind::flag) return text;
  return is_on(text) ? "yes" : "no";
}

const std::string notes_title = "What was done to the data";

void add_notes(const Study& study, std::vector<Block>& blocks) {
  if (study.notes.empty()) return;
  blocks.emplace_back(Heading{notes_title});
  for (const std::string& note : study.notes) blocks.emplace_back(Notice{Notice::Level::info, note});
}

}  // namespace

std::vector<Block> settings_panel(const Study& study, Index target) {
  TableBlock table{{"setting", "asked for", "used"}, {}};
  const auto add = [&](std::string name, std::string asked, std::string used) {
    table.rows.push_back(
        {{text_cell(std::move(name)), text_cell(std::move(asked)), text_cell(std::move(used))}});
  };
  for (const Setting& s : settings_of(study, target))
    add(s.label, in_words(s.asked, s.kind), in_words(s.used, s.kind));
  for (const CriterionOutcome* c : target_of(study, target).criteria()) {
    if (!c->curve.covariance.empty()) add("covariance term of " + c->label, "best", c->curve.covariance);
  }

  std::vector<Block> blocks;
  if (!study.command.empty()) blocks.emplace_back(Paragraph{"Made by: " + study.command});
  blocks.emplace_back(std::move(table));
  add_notes(study, blocks);
  return blocks;
}

}  // namespace gnomon
