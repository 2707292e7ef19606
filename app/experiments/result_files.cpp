#include "result_files.hpp"

#include <algorithm>
#include <cctype>

#include "../output.hpp"
#include "core/text.hpp"
#include "gnomon/version.hpp"

namespace gnomon::app {
namespace {

std::string notes_of(const ExperimentResult& result) {
  std::string text;
  for (const auto& note : result.notes) text += "- " + note + "\n";
  return text;
}

/// What gives these results again.
std::string command_of(const Experiment& experiment, const ExperimentOptions& options) {
  return fmt::format("gnomon reproduce {} --trials {} --seed {}{}", experiment.name, options.trials,
                     options.seed, options.data.empty() ? "" : " --data " + options.data);
}

/// "λ = 0.5, J" as part of a file name: "lambda-0-5-j".
std::string slug_of(std::string title) {
  constexpr std::array<std::pair<const char*, const char*>, 6> spelled{
      {{"λ", "lambda"}, {"κ", "kappa"}, {"σ", "sigma"}, {"²", "2"}, {"Ĵ", "J-hat"}, {"×", "x"}}};
  for (const auto& [letter, name] : spelled) {
    for (std::size_t at = title.find(letter); at != std::string::npos; at = title.find(letter, at))
      title.replace(at, std::string_view(letter).size(), name);
  }
  std::string slug;
  for (const char c : title) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      slug += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!slug.empty() && slug.back() != '-')
      slug += '-';
  }
  constexpr std::size_t longest = 40;
  slug.resize(std::min(slug.size(), longest));
  while (slug.ends_with('-')) slug.pop_back();
  return slug.empty() ? "chart" : slug;
}

struct Figure {
  std::string file;
  const Chart* chart;
};

std::vector<Figure> figures_of(const ExperimentResult& result) {
  std::vector<Figure> figures;
  for (const Section& section : result.figures) {
    for (const Block& block : section.blocks) {
      if (const Chart* chart = std::get_if<Chart>(&block))
        figures.push_back(
            {fmt::format("figure-{}-{}.svg", figures.size() + 1, slug_of(chart->title)), chart});
    }
  }
  return figures;
}

std::string page_of(const Experiment& experiment, const ExperimentOptions& options,
                    const ExperimentResult& result) {
  Section numbers{"Ours beside the expected and the published numbers",
                  {block_of(table_of(result.findings))}};
  for (const auto& note : result.notes) numbers.blocks.emplace_back(Paragraph{note});
  std::vector<Section> sections = result.figures;
  sections.push_back(std::move(numbers));
  if (!result.table.rows.empty()) sections.push_back({"Details", {block_of(result.table)}});
  sections.push_back({"Settings", {Paragraph{command_of(experiment, options)}}});
  const std::string verdicts = in_words(count_verdicts(result.findings));
  return html_page(fmt::format("{}: {}", experiment.name, experiment.title),
                   fmt::format("{} {}.", result.lead, verdicts), sections);
}

std::string result_json(const Experiment& experiment, const ExperimentOptions& options,
                        const ExperimentResult& result, const std::vector<Figure>& figures) {
  nlohmann::ordered_json json;
  json["gnomon"] = version();
  json["experiment"] = experiment.name;
  json["title"] = experiment.title;
  json["seed"] = options.seed;
  json["trials"] = options.trials;
  json["settings"] = {{"command", command_of(experiment, options)}, {"data", options.data}};
  json["summary"] = result.lead;
  json["verdicts"] = json_of(count_verdicts(result.findings));
  json["rows"] = rows_of(result.findings);
  if (!result.table.rows.empty())
    json["details"] = {{"header", result.table.header}, {"rows", result.table.rows}};
  json["notes"] = result.notes;
  json["figures"] = nlohmann::ordered_json::array();
  for (const Figure& figure : figures) json["figures"].push_back(figure.file);
  json["results"] = result.json;
  return json.dump(2) + "\n";
}

/// The file, or every file of the folder. Where the results go into that folder too, those of an earlier run are no data.
std::vector<NamedFile> files_of(const std::string& data, const std::filesystem::path& folder,
                                const std::vector<std::string>& names) {
  namespace fs = std::filesystem;
  if (!fs::is_directory(data)) return {{"the file of --data", data}};
  std::error_code trouble;
  const bool shared = fs::equivalent(data, folder, trouble);
  std::vector<NamedFile> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(data)) {
    const std::string name = entry.path().filename().string();
    if (!shared || std::find(names.begin(), names.end(), name) == names.end())
      files.push_back({"a file of --data", entry.path().string()});
  }
  return files;
}

}  // namespace

void check_not_the_data(const std::string& data, const std::filesystem::path& folder,
                        const std::vector<std::string>& names) {
  if (data.empty() || !std::filesystem::is_directory(folder)) return;  // then nothing is in it
  std::vector<NamedFile> outputs;
  for (const std::string& name : names)
    outputs.push_back({fmt::format("the result '{}'", name), (folder / name).string()});
  check_files(files_of(data, folder, names), outputs);
}

nlohmann::ordered_json json_of(const VerdictCounts& counts) {
  nlohmann::ordered_json json;
  json[name_of(Verdict::agrees)] = counts.agrees;
  json[name_of(Verdict::differs)] = counts.differs;
  json[name_of(Verdict::not_comparable)] = counts.not_comparable;
  return json;
}

std::string text_of(const ExperimentResult& result) {
  return fmt::format("{}\n\n{}\n{}.\n\n{}", result.lead, markdown_of(table_of(result.findings)),
                     in_words(count_verdicts(result.findings)), notes_of(result));
}

std::vector<std::string> write_results(const std::filesystem::path& folder, const Experiment& experiment,
                                       const ExperimentOptions& options, const ExperimentResult& result) {
  std::vector<std::string> names;
  const auto write = [&](const std::string& name, const std::string& text) {
    write_file((folder / name).string(), text);
    names.push_back(name);
  };
  const bool wide = !result.table.rows.empty();
  const auto figures = figures_of(result);
  std::vector<std::string> pictures;
  for (const Figure& figure : figures) pictures.push_back(figure.file);
  check_not_the_data(options.data, folder, pictures);
  write("table.csv", csv_of(table_of(result.findings)));
  write("table.md", fmt::format("# {}: {}\n\n{}{}", experiment.name, experiment.title, text_of(result),
                                wide ? "\n" + markdown_of(result.table) : ""));
  if (wide) write("details.csv", csv_of(result.table));
  write("report.html", page_of(experiment, options, result));
  for (const Figure& figure : figures) write(figure.file, svg_figure(*figure.chart));
  write("result.json", result_json(experiment, options, result, figures));
  return names;
}

}  // namespace gnomon::app
