#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "chart_scale.hpp"
#include "columns.hpp"
#include "gnomon/report/writers.hpp"
#include "markup.hpp"

namespace gnomon {
namespace {

// As in report.css on a light ground.
constexpr std::array series_colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                    "#e69f00", "#56b4e9", "#8a6d3b", "#777777"};
constexpr std::array dashes{"", "8 3", "2 3", "8 3 2 3", "12 4", "4 4", "1 2", "6 2 1 2"};
constexpr const char *text_colour = "#1b2330", *muted_colour = "#5a6678", *grid_colour = "#e6eaf0",
                     *ground_colour = "#ffffff";
constexpr const char* reference_dash = "5 4";

constexpr double picture_width = 680, usual_height = 330, height_of_name = 26, right_margin = 20,
                 line_height = 17;
constexpr double letter_width = 6.7;  // mean, at 12 pixels
constexpr int most_ticks = 8;
constexpr double far_away = 1e5;  // pixels: what lies beyond is not to be seen, and must not overflow

/// A text that XML can hold.
std::string clean(std::string_view text) { return escaped(printable(text)); }

double width_of(std::string_view text) { return letter_width * static_cast<double>(columns(text)); }

struct Look {
  const char *colour, *dash;
  double thickness;
};

/// A dashed series is a reference and black; the others take colours and dashes in turn.
std::vector<Look> looks_of(const std::vector<Series>& series) {
  std::vector<Look> looks;
  std::size_t coloured = 0;
  for (const Series& s : series) {
    const double thickness = s.emphasised ? 2.75 : 1.75;
    if (s.style == Series::Style::dashed) {
      looks.push_back({text_colour, s.emphasised ? "" : reference_dash, thickness});
    } else {
      const std::size_t k = coloured++ % series_colours.size();
      looks.push_back({series_colours[k], s.emphasised ? "" : dashes[k], thickness});
    }
  }
  return looks;
}

std::vector<double> x_values(const Chart& chart) {
  std::vector<double> values;
  for (const Series& s : chart.series) {
    values.insert(values.end(), s.x.begin(), s.x.end());
    values.push_back(s.picked_x);
  }
  return values;
}

/// Bands included.
std::vector<double> y_values(const Chart& chart) {
  std::vector<double> values;
  for (const Series& s : chart.series) {
    values.insert(values.end(), s.y.begin(), s.y.end());
    values.push_back(s.picked_y);
    for (Index i = 0; i < s.band.size(); ++i) {
      values.push_back(s.y[i] - s.band[i]);
      values.push_back(s.y[i] + s.band[i]);
    }
  }
  return values;
}

class SvgWriter {
 public:
  explicit SvgWriter(const Chart& chart)
      : chart_(chart),
        x_(chart.x, x_values(chart), !chart.x.log || !chart.y.names.empty()),
        y_(chart.y, y_values(chart), true),
        looks_(looks_of(chart.series)) {
    if (!chart.y.names.empty()) plot_height_ = height_of_name * static_cast<double>(chart.y.names.size() + 1);
  }

  std::string write() {
    title_ = wrapped(printable(chart_.title), 80);
    top_ = 14 + line_height * static_cast<double>(title_.size());
    double widest = 0;
    for (const Tick& tick : y_.ticks(most_ticks)) widest = std::max(widest, width_of(tick.label));
    left_ = 34 + widest;
    plot_width_ = picture_width - left_ - right_margin;
    frame();
    plot();
    const double end = foot(top_ + plot_height_ + 46);
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
        "width=\"{0}\" height=\"{1:.0f}\" viewBox=\"0 0 {0} {1:.0f}\" "
        "font-family=\"system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif\" font-size=\"12\">\n"
        "<title>{2}</title>\n<desc>{3}</desc>\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"{4}\"/>\n{5}</svg>\n",
        picture_width, end, clean(chart_.title), clean(chart_.description), ground_colour, out_);
  }

 private:
  struct Point {
    double x, y;
    bool shown;  // has a place on both axes
  };

  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void text(double x, double y, const char* anchor, const char* colour, std::string_view words,
            std::string_view more = {}) {
    put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n", x, y, anchor, colour,
        more, clean(words));
  }

  /// Pixels inside the plot.
  Point at(double x, double y) const {
    const double right = x_.fraction(x) * plot_width_, down = (1 - y_.fraction(y)) * plot_height_;
    if (std::isnan(right) || std::isnan(down)) return {0, 0, false};
    return {std::clamp(right, -far_away, far_away), std::clamp(down, -far_away, far_away), true};
  }

  /// The edge of a band; below a log axis it is the lower end of the plot.
  Point edge(double x, double centre, double y) const {
    Point point = at(x, y);
    if (!point.shown && chart_.y.log && at(x, centre).shown && std::isfinite(y))
      point = {at(x, centre).x, plot_height_, true};
    return point;
  }

  /// Title, grid_colour, numbers along the axes, their names.
  void frame() {
    double y = 20;
    for (const std::string& line : title_) {
      text(left_, y, "start", text_colour, line, " font-size=\"14\" font-weight=\"600\"");
      y += line_height;
    }
    for (const Tick& tick : y_.ticks(most_ticks)) {
      const double down = top_ + (1 - y_.fraction(tick.value)) * plot_height_;
      put("<path d=\"M{:.1f} {:.1f}h{:.1f}\" stroke=\"{}\"/>\n", left_, down, plot_width_, grid_colour);
      text(left_ - 6, down + 4, "end", muted_colour, tick.label);
    }
    double free = 0;  // where the next number along x may begin
    for (const Tick& tick : x_.ticks(most_ticks)) {
      const double right = left_ + x_.fraction(tick.value) * plot_width_, half = width_of(tick.label) / 2;
      put("<path d=\"M{:.1f} {:.1f}v{:.1f}\" stroke=\"{}\"/>\n", right, top_, plot_height_, grid_colour);
      if (right - half < free) continue;
      text(right, top_ + plot_height_ + 17, "middle", muted_colour, tick.label);
      free = right + half + 8;
    }
    text(left_ + plot_width_ / 2, top_ + plot_height_ + 36, "middle", muted_colour, chart_.x.label);
    const double middle = top_ + plot_height_ / 2;
    text(15, middle, "middle", muted_colour, chart_.y.label,
         fmt::format(" transform=\"rotate(-90 15 {:.1f})\"", middle));
  }

  /// Lines and bands are cut off at the axes; points are there or not, so that none is cut in half.
  void plot() {
    put("<g transform=\"translate({:.1f} {:.1f})\">\n", left_, top_);
    const auto each = [&](auto draw) {
      for (std::size_t k = 0; k < chart_.series.size(); ++k) draw(chart_.series[k], looks_[k]);
    };
    const auto is_points = [](const Series& s) { return s.style == Series::Style::points; };
    cut_off([&] {
      for (const Marker& marker : chart_.markers) mark(marker);
      each([&](const Series& s, const Look& look) { is_points(s) ? bars(s, look) : band(s, look); });
    });
    each([&](const Series& s, const Look& look) {
      if (is_points(s)) points(s, look);
    });
    cut_off([&] {
      for (const bool emphasised : {false, true})
        each([&](const Series& s, const Look& look) {
          if (!is_points(s) && s.emphasised == emphasised) line(s, look);
        });
    });
    each([&](const Series& s, const Look& look) { pick(s, look); });
    put("</g>\n");
  }

  template <class Draw>
  void cut_off(const Draw& draw) {
    put("<svg width=\"{:.1f}\" height=\"{:.1f}\" overflow=\"hidden\">\n", plot_width_, plot_height_);
    draw();
    put("</svg>\n");
  }

  bool inside(const Point& p) const {
    constexpr double rounding = 0.5;
    return p.shown && p.x >= -rounding && p.x <= plot_width_ + rounding && p.y >= -rounding &&
           p.y <= plot_height_ + rounding;
  }

  void mark(const Marker& marker) {
    const double x = x_.fraction(marker.x) * plot_width_;
    if (!(x >= 0 && x <= plot_width_)) return;
    put("<path d=\"M{:.1f} 0v{:.1f}\" stroke=\"{}\" stroke-dasharray=\"3 3\"/>\n", x, plot_height_,
        muted_colour);
    const bool to_left = x + width_of(marker.label) + 8 > plot_width_;
    text(to_left ? x - 5 : x + 5, 13, to_left ? "end" : "start", muted_colour, marker.label);
  }

  /// "M… L…" through the points that are shown; a gap starts anew. A point between two gaps is a dot.
  static std::string path_of(const std::vector<Point>& points) {
    std::string path;
    bool drawing = false;
    for (const Point& p : points) {
      if (p.shown && drawing) path += fmt::format("L{:.2f} {:.2f}", p.x, p.y);
      if (p.shown && !drawing) path += fmt::format("M{0:.2f} {1:.2f}L{0:.2f} {1:.2f}", p.x, p.y);
      drawing = p.shown;
    }
    return path;
  }

  void line(const Series& s, const Look& look) {
    std::vector<Point> points;
    for (Index i = 0; i < s.x.size(); ++i) points.push_back(at(s.x[i], s.y[i]));
    const std::string path = path_of(points);
    if (path.empty()) return;
    put("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\" "
        "stroke-linecap=\"round\"{}/>\n",
        path, look.colour, look.thickness, dash_of(look));
  }

  static std::string dash_of(const Look& look) {
    return *look.dash == '\0' ? "" : fmt::format(" stroke-dasharray=\"{}\"", look.dash);
  }

  /// One closed area per stretch without gaps.
  void band(const Series& s, const Look& look) {
    std::vector<Point> upper, lower;
    const auto close = [&] {
      std::string area;
      std::reverse(lower.begin(), lower.end());
      for (const auto* side : {&upper, &lower}) {
        for (const Point& p : *side)
          area += fmt::format("{}{:.2f} {:.2f}", area.empty() ? "M" : "L", p.x, p.y);
      }
      if (upper.size() > 1) put("<path d=\"{}Z\" fill=\"{}\" fill-opacity=\"0.2\"/>\n", area, look.colour);
      upper.clear();
      lower.clear();
    };
    for (Index i = 0; i < s.band.size(); ++i) {
      const Point above = edge(s.x[i], s.y[i], s.y[i] + s.band[i]),
                  below = edge(s.x[i], s.y[i], s.y[i] - s.band[i]);
      if (!above.shown || !below.shown) {
        close();
        continue;
      }
      upper.push_back(above);
      lower.push_back(below);
    }
    close();
  }

  /// The band of single points: a bar with ends.
  void bars(const Series& s, const Look& look) {
    for (Index i = 0; i < s.band.size(); ++i) {
      const Point above = edge(s.x[i], s.y[i], s.y[i] + s.band[i]),
                  below = edge(s.x[i], s.y[i], s.y[i] - s.band[i]);
      if (!above.shown || !below.shown) continue;
      put("<path d=\"M{0:.2f} {1:.2f}h6m-3 0L{2:.2f} {3:.2f}m-3 0h6\" fill=\"none\" stroke=\"{4}\"/>\n",
          above.x - 3, above.y, below.x, below.y, look.colour);
    }
  }

  void points(const Series& s, const Look& look) {
    const double radius = s.x.size() > 500 ? 2 : 3;
    for (Index i = 0; i < s.x.size(); ++i) {
      const Point p = at(s.x[i], s.y[i]);
      if (inside(p))
        put("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" fill=\"{}\" fill-opacity=\"0.67\"/>\n", p.x, p.y,
            radius, look.colour);
    }
  }

  void pick(const Series& s, const Look& look) {
    const Point p = at(s.picked_x, s.picked_y);
    if (inside(p))
      put("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"/>\n",
          p.x, p.y, s.emphasised ? 6 : 4.5, look.colour, ground_colour);
  }

  /// Legend and note; returns where the picture ends.
  double foot(double y) {
    double x = left_;
    for (std::size_t k = 0; k < chart_.series.size() && chart_.series.size() > 1; ++k) {
      const Series& s = chart_.series[k];
      const double taken = 34 + width_of(s.label) + 16;
      if (x > left_ && x + taken > picture_width - right_margin) {
        x = left_;
        y += line_height + 2;
      }
      if (s.style == Series::Style::points)
        put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n", x + 14, y + 8, looks_[k].colour);
      else
        put("<path d=\"M{:.1f} {:.1f}h26\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", x + 1, y + 8,
            looks_[k].colour, looks_[k].thickness, dash_of(looks_[k]));
      text(x + 34, y + 12, "start", text_colour, s.label);
      x += taken;
    }
    if (chart_.series.size() > 1) y += line_height + 8;
    if (!chart_.note.empty()) {
      for (const std::string& row : wrapped(printable(chart_.note), 100)) {
        text(left_, y + 10, "start", muted_colour, row, " font-size=\"11\"");
        y += line_height - 2;
      }
    }
    return y + 8;
  }

  const Chart& chart_;
  ChartScale x_, y_;
  std::vector<Look> looks_;
  std::vector<std::string> title_;
  double left_ = 0, top_ = 0, plot_width_ = 0, plot_height_ = usual_height;
  std::string out_;
};

}  // namespace

std::string svg_figure(const Chart& chart) { return SvgWriter(chart).write(); }

}  // namespace gnomon
