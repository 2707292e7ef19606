#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/learn/model_file.hpp"
#include "gnomon/report/writers.hpp"
#include "learn/equation.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace gnomon::app {
namespace {

using Json = nlohmann::ordered_json;

struct InspectFlags {
  std::string model, json;
};

std::string function_in_words(const LinearModel& linear) {
  if (const auto* basis = std::get_if<Basis>(&linear.representation))
    return fmt::format("{} basis, {}", basis->spec(), counted(basis->size(), "column"));
  return fmt::format("{} kernel at {}{}", describe(std::get<Kernel>(linear.representation)),
                     counted(linear.centres.rows(), "training row"),
                     linear.input_widths.size() ? ", one width per input" : "");
}

/// "gaussian (width 1.5) at 100 rows", "polynomial:3 basis, 12 columns", "network: 8 tanh units", or the sum of some.
std::string function_in_words(const Model& model) {
  if (const Mlp* network = model.network()) {
    std::vector<std::string> layers{counted(network->shape.inputs, "input")};
    for (const Index units : network->shape.hidden) layers.push_back(counted(units, "tanh unit"));
    layers.push_back(counted(network->shape.outputs, "output"));
    return fmt::format("network: {}; {}", join(layers), counted(network->w.size(), "weight"));
  }
  std::vector<std::string> terms;
  for (const LinearModel* term : model.terms()) terms.push_back(function_in_words(*term));
  return join(terms, " + ");
}

/// The features that a basis of some of them uses; empty where it is all of them.
std::vector<std::string> features_in_use(const SavedModel& saved) {
  std::vector<std::string> used;
  const Basis* basis = saved.model.basis();
  if (!basis) return used;
  const auto names = saved.plan.names();
  for (const Index j : basis->columns()) used.push_back(names[static_cast<std::size_t>(j)]);
  return used;
}

std::string input_in_words(const FeatureSource& source) {
  return source.numeric() ? source.column : fmt::format("{} ({})", source.column, join(source.levels));
}

/// "y = 1.5 + 2 x − 0.3 z", terms in the order of the columns, those that are zero left out.
std::string equation_in_words(const SavedModel& saved, const LinearEquation& equation, std::size_t target) {
  const auto names = saved.plan.names();
  std::string text = fmt::format("{} = {}", saved.target_names[target], pretty(equation.offset, 6));
  for (Index j = 0; j < equation.coefficients.size(); ++j) {
    const double a = equation.coefficients[j];
    if (a != 0)
      text += fmt::format(" {} {} × {}", a < 0 ? "−" : "+", pretty(std::abs(a), 6),
                          names[static_cast<std::size_t>(j)]);
  }
  return text;
}

Facts facts_of(const SavedModel& saved) {
  Facts facts;
  const auto add = [&](std::string label, std::string value) {
    if (!value.empty()) facts.facts.push_back({std::move(label), std::move(value)});
  };
  add(saved.target_names.size() == 1 ? "predicts" : "predict", join(saved.target_names));
  add("classes", join(saved.classes));
  if (saved.series)
    add("series", fmt::format("{} of '{}', {} ahead", counted(saved.series->lags, "newest value"),
                              saved.series->column, counted(saved.series->horizon, "row")));
  std::vector<std::string> inputs;
  for (const FeatureSource& source : saved.plan.sources) inputs.push_back(input_in_words(source));
  add("from", join(inputs));
  add("of which it uses", join(features_in_use(saved)));
  add("missing cells",
      saved.plan.missing == Missing::mean ? "stand for the mean of their column" : "are refused");
  add("chosen as", saved.summary);
  add("function", function_in_words(saved.model));
  add("made from", saved.origin.rows > 0
                       ? fmt::format("{}: {}", saved.origin.source, counted(saved.origin.rows, "row"))
                       : "");
  add("gnomon", saved.origin.gnomon);
  return facts;
}

Json json_of(const SavedModel& saved) {
  Json json{{"gnomon", saved.origin.gnomon},
            {"targets", saved.target_names},
            {"summary", saved.summary},
            {"function", function_in_words(saved.model)}};
  json["features"] = saved.plan.names();
  if (const auto used = features_in_use(saved); !used.empty()) json["uses"] = used;
  if (!saved.classes.empty()) json["classes"] = saved.classes;
  if (saved.series)
    json["series"] = Json{
        {"column", saved.series->column}, {"lags", saved.series->lags}, {"horizon", saved.series->horizon}};
  json["equations"] = Json::object();
  for (std::size_t t = 0; t < saved.target_names.size() && saved.classes.empty(); ++t) {
    const auto equation = linear_equation(saved.model, saved.scaling, static_cast<Index>(t));
    if (!equation) continue;
    Json coefficients = Json::object();
    const auto names = saved.plan.names();
    for (std::size_t j = 0; j < names.size(); ++j)
      coefficients[names[j]] = number_to_json(equation->coefficients[static_cast<Index>(j)]);
    json["equations"][saved.target_names[t]] =
        Json{{"offset", number_to_json(equation->offset)}, {"coefficients", coefficients}};
  }
  json["source"] = saved.origin.source;
  json["rows"] = saved.origin.rows;
  return json;
}

void run(const InspectFlags& flags) {
  check_files({{"the model", flags.model}}, {{"--json", flags.json}});
  const SavedModel saved = read_model(flags.model);
  if (!flags.json.empty()) {
    const auto replace = nlohmann::json::error_handler_t::replace;  // names come from files
    write_file(flags.json, json_of(saved).dump(2, ' ', false, replace) + "\n");
  }
  if (flags.json == "-") return;
  std::vector<Block> blocks{Heading{"gnomon model " + flags.model}, facts_of(saved)};
  for (std::size_t t = 0; t < saved.target_names.size() && saved.classes.empty(); ++t) {
    if (const auto equation = linear_equation(saved.model, saved.scaling, static_cast<Index>(t)))
      blocks.insert(blocks.end(), {Heading{"Equation"}, Paragraph{equation_in_words(saved, *equation, t)}});
  }
  write_file("-", text_report(blocks, wants_colour()));
}

}  // namespace

void add_inspect(CLI::App& app, Action& action) {
  auto flags = std::make_shared<InspectFlags>();
  auto* command =
      app.add_subcommand("inspect", "What a saved model is: its inputs, its equation, what it was made from");
  command->add_option("model", flags->model, "model file written by gnomon select --model")->required();
  command->add_option("--json", flags->json, "the same as JSON (- for stdout)");
  command->callback([flags, &action] { action = [flags] { run(*flags); }; });
}

}  // namespace gnomon::app
