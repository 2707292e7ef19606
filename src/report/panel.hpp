#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "gnomon/report/block.hpp"
#include "gnomon/report/study.hpp"

namespace gnomon {

/// One part of a report: blocks about one target of a study; none where it has nothing to say.
/// To add one, write src/report/panels/<name>.cpp, declare it below and list it in `panel_catalog`.
using PanelFunction = std::vector<Block> (*)(const Study&, Index target);

struct Panel {
  std::string_view name, title;
  PanelFunction blocks;
};

std::vector<Block> warnings_panel(const Study&, Index target);
std::vector<Block> summary_panel(const Study&, Index target);
std::vector<Block> parameters_panel(const Study&, Index target);
std::vector<Block> models_panel(const Study&, Index target);
std::vector<Block> average_panel(const Study&, Index target);
std::vector<Block> curve_panel(const Study&, Index target);
std::vector<Block> widths_panel(const Study&, Index target);
std::vector<Block> bias_variance_panel(const Study&, Index target);
std::vector<Block> shift_panel(const Study&, Index target);
std::vector<Block> criteria_panel(const Study&, Index target);
std::vector<Block> convergence_panel(const Study&, Index target);
std::vector<Block> fit_panel(const Study&, Index target);
std::vector<Block> equation_panel(const Study&, Index target);
std::vector<Block> classes_panel(const Study&, Index target);
std::vector<Block> spectrum_panel(const Study&, Index target);
std::vector<Block> solution_panel(const Study&, Index target);
std::vector<Block> settings_panel(const Study&, Index target);

/// In the order in which a report shows them.
inline constexpr std::array panel_catalog{
    Panel{"warnings", "Warnings", warnings_panel},
    Panel{"summary", "Summary", summary_panel},
    Panel{"parameters", "Regularization parameters", parameters_panel},
    Panel{"models", "Models tried", models_panel},
    Panel{"average", "The fits that were averaged", average_panel},
    Panel{"curve", "Error curves", curve_panel},
    Panel{"widths", "The kernel's width", widths_panel},
    Panel{"shift", "Covariate shift", shift_panel},
    Panel{"bias-variance", "Bias and variance", bias_variance_panel},
    Panel{"criteria", "What each criterion would have picked", criteria_panel},
    Panel{"convergence", "The search", convergence_panel},
    Panel{"fit", "The fit", fit_panel},
    Panel{"equation", "Coefficients", equation_panel},
    Panel{"classes", "Classes", classes_panel},
    Panel{"spectrum", "Spectrum and filter", spectrum_panel},
    Panel{"solution", "The solution", solution_panel},
    Panel{"settings", "Settings", settings_panel}};

}  // namespace gnomon
