#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/text.hpp"
#include "gnomon/report/writers.hpp"
#include "gnomon/version.hpp"
#include "report/assets/assets.hpp"
#include "report/panel.hpp"
#include "report/words.hpp"
#include "report/writers/markup.hpp"

namespace gnomon {
namespace {

using Json = nlohmann::ordered_json;

/// JSON that may stand inside a script element: no '<' can end it or open a comment.
std::string script_json(const Json& json) {
  std::string out;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

/// Six digits are more than a screen shows, and keep the page small.
Json short_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return parse_number(fmt::format("{:.6g}", value)).value_or(value);
}

Json short_numbers(const Vector& v) {
  Json json = Json::array();
  for (const double value : v) json.push_back(short_number(value));
  return json;
}

Json to_json(const Axis& axis) {
  Json json{{"label", axis.label}, {"log", axis.log}};
  if (axis.lower) json["lower"] = short_number(*axis.lower);
  if (axis.upper) json["upper"] = short_number(*axis.upper);
  if (!axis.names.empty()) json["names"] = axis.names;
  return json;
}

Json to_json(const Chart& chart) {
  Json json;
  json["x"] = to_json(chart.x);
  json["y"] = to_json(chart.y);
  json["series"] = Json::array();
  for (const Series& s : chart.series) {
    Json series;
    series["label"] = s.label;
    series["style"] = s.style == Series::Style::points   ? "points"
                      : s.style == Series::Style::dashed ? "dashed"
                                                         : "line";
    series["x"] = short_numbers(s.x);
    series["y"] = short_numbers(s.y);
    if (s.band.size() > 0) series["band"] = short_numbers(s.band);
    if (std::isfinite(s.picked_x) && std::isfinite(s.picked_y)) {
      series["picked"] = Json::array({short_number(s.picked_x), short_number(s.picked_y)});
    }
    series["emphasised"] = s.emphasised;
    json["series"].push_back(std::move(series));
  }
  json["zoomed"] = chart.zoomed;
  json["markers"] = Json::array();
  for (const Marker& m : chart.markers) {
    Json marker;
    marker["x"] = short_number(m.x);
    marker["label"] = m.label;
    json["markers"].push_back(std::move(marker));
  }
  return json;
}

class HtmlWriter {
 public:
  void write(const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      charts(std::holds_alternative<Chart>(block));
      std::visit([this](const auto& b) { (*this)(b); }, block);
    }
    charts(false);
  }

  void operator()(const Heading& h) { put("<h4>{}</h4>\n", escaped(h.text)); }
  void operator()(const Paragraph& p) { put("<p class=\"note\">{}</p>\n", escaped(p.text)); }
  void operator()(const Notice& n) {
    const bool warning = n.level == Notice::Level::warning;
    put("<p class=\"notice {}\">{}</p>\n", warning ? "warning" : "info", escaped(n.text));
  }

  void operator()(const Facts& facts) {
    std::string cards, others;
    for (const Fact& f : facts.facts) {
      const std::string label = escaped(f.label), value = escaped(f.value), note = escaped(f.note);
      if (f.key)
        cards += fmt::format(
            "<div><dt>{}</dt><dd><div class=\"value\">{}</div><div class=\"note\">{}</div></dd></div>\n",
            label, value, note);
      else
        others += fmt::format("<div><dt>{}</dt><dd>{} <span class=\"note\">{}</span></dd></div>\n", label,
                              value, note);
    }
    if (!cards.empty()) put("<dl class=\"cards\">\n{}</dl>\n", cards);
    if (!others.empty()) put("<dl class=\"facts\">\n{}</dl>\n", others);
  }

  void operator()(const TableBlock& table) {
    out_ += "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>";
    for (std::size_t j = 0; j < table.header.size(); ++j) {
      const bool number = std::any_of(table.rows.begin(), table.rows.end(), [j](const TableRow& r) {
        return !r.group && j < r.cells.size() && r.cells[j].number;
      });
      put("<th scope=\"col\"{}>{}</th>", number ? " class=\"number\"" : "", escaped(table.header[j]));
    }
    out_ += "</tr></thead>\n<tbody>\n";
    for (const TableRow& row : table.rows) {
      if (row.group) {
        put("<tr class=\"group\"><th colspan=\"{}\" scope=\"rowgroup\">{}</th></tr>\n", table.header.size(),
            escaped(row.cells.at(0).text));
        continue;
      }
      out_ += row.emphasised ? "<tr class=\"emphasised\">" : "<tr>";
      for (const TableCell& cell : row.cells)
        put("<td{}>{}</td>", cell.number ? " class=\"number\"" : "", escaped(cell.text));
      out_ += "</tr>\n";
    }
    out_ += "</tbody></table></div>\n";
  }

  void operator()(const Chart& chart) {
    const std::string id = fmt::format("chart-{}", ++chart_count_);
    put("<figure><figcaption>{}</figcaption>\n<div class=\"plot\"><canvas role=\"img\" aria-label=\"{}\" "
        "data-chart=\"{}\"></canvas></div>\n",
        escaped(chart.title), escaped(chart.description), id);
    if (!chart.note.empty()) put("<p class=\"note\">{}</p>\n", escaped(chart.note));
    put("<script type=\"application/json\" id=\"{}\">{}</script></figure>\n", id,
        script_json(to_json(chart)));
  }

  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  std::string take() { return std::move(out_); }

 private:
  /// Charts that follow one another share a grid.
  void charts(bool open) {
    if (open != in_charts_) out_ += open ? "<div class=\"charts\">\n" : "</div>\n";
    in_charts_ = open;
  }

  std::string out_;
  int chart_count_ = 0;
  bool in_charts_ = false;
};

void write_target(HtmlWriter& writer, const Study& study, Index target) {
  writer.put("<p class=\"lead\">{}</p>\n", escaped(head_line(study, target)));
  for (const Panel& panel : panel_catalog) {
    const std::vector<Block> blocks = panel.blocks(study, target);
    if (blocks.empty()) continue;
    writer.put("<section class=\"panel {}\">\n<h3>{}</h3>\n", panel.name, panel.title);
    writer.write(blocks);
    writer.put("</section>\n");
  }
}

void open_page(HtmlWriter& writer, const std::string& title) {
  writer.put(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>gnomon{}</title>\n"
      "<style>\n{}</style>\n</head>\n<body>\n<header>\n<h1><b>gnomon</b>{}</h1>\n",
      title, assets::report_css, title);
}

void open_main(HtmlWriter& writer) {
  writer.put(
      "</header>\n<main>\n<noscript><p>The charts need JavaScript; the tables do not.</p></noscript>\n");
}

void close_page(HtmlWriter& writer) {
  writer.put(
      "</main>\n<footer>Made by gnomon {}. Press a name below a chart to hide or show its curve.</footer>\n"
      "<script>\n{}\n</script>\n<script>\n{}</script>\n</body>\n</html>\n",
      version(), assets::chart_min_js, assets::report_js);
}

}  // namespace

std::string html_report(const Study& study) {
  const auto& targets = study.selection.targets;
  HtmlWriter writer;
  open_page(writer, study.source.empty() ? "" : " · " + escaped(study.source));
  if (targets.size() > 1) {
    writer.put("<nav aria-label=\"Targets\">");
    for (std::size_t t = 0; t < targets.size(); ++t) {
      writer.put("<a href=\"#target-{}\">{}</a>", t + 1, escaped(targets[t].target));
    }
    writer.put("</nav>\n");
  }
  open_main(writer);
  for (std::size_t t = 0; t < targets.size(); ++t) {
    if (targets.size() > 1) writer.put("<h2 id=\"target-{}\">{}</h2>\n", t + 1, escaped(targets[t].target));
    write_target(writer, study, static_cast<Index>(t));
  }
  close_page(writer);
  return writer.take();
}

std::string html_page(std::string_view title, std::string_view lead, const std::vector<Section>& sections) {
  HtmlWriter writer;
  open_page(writer, " · " + escaped(title));
  open_main(writer);
  writer.put("<p class=\"lead\">{}</p>\n", escaped(lead));
  for (const Section& section : sections) {
    writer.put("<section class=\"panel\">\n<h3>{}</h3>\n", escaped(section.title));
    writer.write(section.blocks);
    writer.put("</section>\n");
  }
  close_page(writer);
  return writer.take();
}

}  // namespace gnomon
