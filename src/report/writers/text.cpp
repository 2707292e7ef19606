#include <algorithm>

#include "columns.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/report/writers.hpp"
#include "report/panel.hpp"
#include "report/words.hpp"

namespace gnomon {
namespace {

constexpr std::size_t page_width = 80;
constexpr std::size_t indent = 2;

class TextWriter {
 public:
  explicit TextWriter(bool colour) : colour_(colour) {}

  void write(const std::vector<Block>& blocks) {
    for (const Block& block : blocks) std::visit([this](const auto& b) { (*this)(b); }, block);
  }

  void operator()(const Heading& heading) {
    gap();
    lines(printable(heading.text), 0, Style::bold);
  }

  void operator()(const Paragraph& paragraph) { lines(printable(paragraph.text), indent, Style::plain); }

  void operator()(const Notice& notice) {
    const bool warning = notice.level == Notice::Level::warning;
    const std::string lead = warning ? "warning: " : "note: ";
    const auto texts = wrapped(printable(notice.text), page_width - lead.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string start = i == 0 ? lead : std::string(lead.size(), ' ');
      out_ += styled(start, warning ? Style::alert : Style::dim) + texts[i] + '\n';
    }
  }

  /// label, value and, if there is room, the note; else the note below the value.
  void operator()(const Facts& facts) {
    std::size_t labels = 0, values = 0;
    for (const Fact& f : facts.facts) {
      labels = std::max(labels, columns(printable(f.label)));
      if (!f.note.empty()) values = std::max(values, columns(printable(f.value)));
    }
    labels = std::min<std::size_t>(labels, 24);
    values = std::min<std::size_t>(values, 24);
    const std::size_t at_value = indent + labels + 2, at_note = at_value + values + 2;
    for (const Fact& f : facts.facts) {
      out_ += std::string(indent, ' ') + styled(padded(printable(f.label), labels), Style::dim) + "  ";
      const std::string value = printable(f.value), note = printable(f.note);
      const auto first = wrapped(value, page_width - at_value);
      for (std::size_t i = 0; i < first.size(); ++i) {
        if (i > 0) out_ += std::string(at_value, ' ');
        out_ += styled(first[i], f.key ? Style::bold : Style::plain);
        if (i + 1 < first.size()) out_ += '\n';
      }
      if (!note.empty()) {
        const bool beside = first.size() == 1 && columns(value) <= values;
        out_ += beside ? std::string(values - columns(value) + 2, ' ') : "\n" + std::string(at_note, ' ');
        const auto notes = wrapped(note, page_width - at_note);
        for (std::size_t i = 0; i < notes.size(); ++i) {
          if (i > 0) out_ += "\n" + std::string(at_note, ' ');
          out_ += styled(notes[i], Style::dim);
        }
      }
      out_ += '\n';
    }
  }

  void operator()(const TableBlock& table) {
    const std::vector<std::size_t> widths = column_widths(table);
    const bool grouped = has_groups(table);
    std::vector<TableCell> header;
    for (std::size_t j = 0; j < table.header.size(); ++j)
      header.push_back({table.header[j], numeric(table, j)});
    row(header, widths, grouped, Style::dim);
    for (const TableRow& r : table.rows) {
      if (r.group) {
        lines(printable(r.cells.at(0).text), indent, Style::dim);
      } else {
        row(r.cells, widths, grouped, r.emphasised ? Style::bold : Style::plain);
      }
    }
  }

  /// Charts have no place on a terminal; the HTML report draws them.
  void operator()(const Chart&) {}

  void gap() {
    if (!out_.empty()) out_ += '\n';
  }

  std::string take() { return std::move(out_); }

 private:
  enum class Style { plain, bold, dim, alert };

  std::string styled(const std::string& text, Style style) const {
    if (!colour_ || style == Style::plain || text.empty()) return text;
    const std::string_view code = style == Style::bold ? "1" : style == Style::dim ? "2" : "1;33";
    return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
  }

  void lines(const std::string& text, std::size_t margin, Style style) {
    for (const std::string& line : wrapped(text, page_width - margin)) {
      out_ += std::string(margin, ' ') + styled(line, style) + '\n';
    }
  }

  static bool numeric(const TableBlock& table, std::size_t column) {
    return std::any_of(table.rows.begin(), table.rows.end(), [&](const TableRow& r) {
      return !r.group && column < r.cells.size() && r.cells[column].number;
    });
  }

  static bool has_groups(const TableBlock& table) {
    return std::any_of(table.rows.begin(), table.rows.end(), [](const TableRow& r) { return r.group; });
  }

  /// As wide as their content; where that is more than a page, the widest give way.
  static std::vector<std::size_t> column_widths(const TableBlock& table) {
    std::vector<std::size_t> widths;
    for (const std::string& title : table.header) widths.push_back(columns(printable(title)));
    for (const TableRow& r : table.rows) {
      if (r.group) continue;
      for (std::size_t j = 0; j < r.cells.size() && j < widths.size(); ++j) {
        widths[j] = std::max(widths[j], columns(printable(r.cells[j].text)));
      }
    }
    const auto total = [&] {
      std::size_t sum = 0;
      for (const std::size_t width : widths) sum += width + 2;
      return sum + (has_groups(table) ? 2 * indent : indent);
    };
    while (!widths.empty() && total() > page_width + 2) --*std::max_element(widths.begin(), widths.end());
    return widths;
  }

  void row(const std::vector<TableCell>& cells, const std::vector<std::size_t>& widths, bool grouped,
           Style style) {
    std::vector<std::vector<std::string>> texts;
    std::size_t height = 1;
    for (std::size_t j = 0; j < widths.size() && j < cells.size(); ++j) {
      texts.push_back(wrapped(printable(cells[j].text), std::max<std::size_t>(widths[j], 1)));
      height = std::max(height, texts.back().size());
    }
    for (std::size_t i = 0; i < height; ++i) {
      std::string line(grouped ? 2 * indent : indent, ' ');
      for (std::size_t j = 0; j < texts.size(); ++j) {
        line += padded(i < texts[j].size() ? texts[j][i] : "", widths[j], cells[j].number) + "  ";
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out_ += styled(line, style) + '\n';
    }
  }

  bool colour_;
  std::string out_;
};

}  // namespace

std::string text_report(const std::vector<Block>& blocks, bool colour) {
  TextWriter writer(colour);
  writer.write(blocks);
  return writer.take();
}

std::string text_report(const Study& study, bool colour) {
  TextWriter writer(colour);
  for (Index t = 0; t < static_cast<Index>(study.selection.targets.size()); ++t) {
    writer(Heading{head_line(study, t)});
    writer.gap();
    writer.write(summary_panel(study, t));
    if (const auto parameters = parameters_panel(study, t); !parameters.empty()) {
      writer(Heading{"Regularization parameters"});
      writer.write(parameters);
    }
    if (const auto average = average_panel(study, t); !average.empty()) {
      writer(Heading{"The fits that were averaged"});
      writer.write(average);
    }
    writer(Heading{"What each criterion would have picked"});
    writer.write(criteria_panel(study, t));
    if (const auto models = models_panel(study, t); !models.empty()) {
      writer(Heading{"Models tried"});
      writer.write(models);
    }
    if (const auto equation = equation_panel(study, t); !equation.empty()) {
      writer(Heading{"Coefficients"});
      writer.write(equation);
    } else if (const SelectionPath* path = target_of(study, t).path();
               path && path->coefficient_path.size() > 0) {
      writer(Heading{study.scale == Scale::none ? "Coefficients" : "Coefficients of the scaled inputs"});
      for (const Block& block : solution_panel(study, t)) {
        if (std::holds_alternative<TableBlock>(block)) writer.write({block});
      }
    }
    if (const auto classes = classes_panel(study, t); !classes.empty()) {
      writer(Heading{"Classes"});
      writer.write(classes);
    }
    const auto warnings = warnings_panel(study, t);
    if (!warnings.empty()) writer.gap();

    writer.write(warnings);
  }
  if (!study.notes.empty()) writer.gap();
  for (const std::string& note : study.notes) writer(Notice{Notice::Level::info, note});
  return writer.take();
}

}  // namespace gnomon
