#include <algorithm>
#include <cmath>
#include <memory>

#include "add_flag.hpp"
#include "commands.hpp"
#include "core/text.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/data/dataset.hpp"
#include "gnomon/data/scaling.hpp"
#include "gnomon/report/block.hpp"
#include "gnomon/report/writers.hpp"
#include "gnomon/shift/verdict.hpp"
#include "gnomon/version.hpp"
#include "output.hpp"
#include "shift_samples.hpp"
#include "terminal.hpp"

namespace gnomon::app {
namespace {

struct WeightsFlags {
  SampleOptions samples;
  std::string output, json, method = "kliep", name = "weight";
  bool append = false, quiet = false;
  std::uint64_t seed = 0;
  int threads = 0;
};

std::string cell(const Table& table, const Column& column, Index row) {
  if (is_missing(table, column, row)) return "";
  if (column.numeric) return fmt::format("{}", table.numbers(row, column.index));
  const TextColumn& text = table.texts[static_cast<std::size_t>(column.index)];
  return quoted(text.levels[static_cast<std::size_t>(text.codes[static_cast<std::size_t>(row)])]);
}

/// row,weight; or the rows of TRAIN with the weight as their last column.
void write_weights(const WeightsFlags& flags, const Samples& samples, const Vector& weight) {
  constexpr std::size_t block = 1 << 20;
  const Table& table = samples.train_table;
  PendingFile file(flags.output);
  std::string text;
  for (const auto& column : table.columns) {
    if (flags.append) text += quoted(column.name) + ",";
  }
  text += (flags.append ? "" : "row,") + quoted(flags.name) + "\n";
  for (Index i = 0; i < weight.size(); ++i) {
    const Index row = samples.row[static_cast<std::size_t>(i)];
    if (flags.append) {
      for (const auto& column : table.columns) text += cell(table, column, row) + ",";
    } else {
      text += fmt::format("{},", row + 1);
    }
    text += fmt::format("{}\n", weight[i]);
    if (text.size() < block) continue;
    file.write(text);
    text.clear();
  }
  file.write(text);
  file.commit();
}

std::string in_words(const ShiftStudy& shift, const DensityRatio& ratio, const Samples& samples,
                     bool colour) {
  const ShiftVerdict& verdict = *shift.verdict;
  const auto percent = [](double share) { return pretty(100 * share, 3) + " %"; };
  std::vector<std::string> parameters;
  for (const auto& [name, value] : shift.parameters) parameters.push_back(name + " " + pretty(value, 3));
  constexpr std::size_t most_parameters = 6;
  if (parameters.size() > most_parameters) {
    const std::size_t more = parameters.size() - most_parameters;
    parameters.resize(most_parameters);
    parameters.push_back(fmt::format("{} more", more));
  }
  Facts facts;
  const auto add = [&](Fact fact) { facts.facts.push_back(std::move(fact)); };
  const double size = verdict.effective_size;
  add({"effective sample size", size < 100 ? pretty(size, 3) : pretty(std::round(size), 12),
       fmt::format("of {} training rows ({})", shift.weight.size(), percent(verdict.effective_share)), true});
  add({"permutation test", "p = " + pretty(verdict.test.p_value, 3),
       fmt::format("{} permutations; a small p speaks for a shift", verdict.test.permutations), true});
  add({"outside the range", percent(verdict.outside_share),
       "of the test rows lie beyond the training rows in some input"});
  add({"weights of zero", percent(verdict.zero_share), "of the training rows"});
  add({"method", shift.method, join(parameters)});
  add({"estimated", ratio.estimates});
  add({"training rows", std::to_string(samples.train.rows()), samples.train_table.source});
  add({"test rows", std::to_string(samples.test.rows()), samples.test_source});
  constexpr std::size_t most_names = 12;
  std::vector<std::string> inputs = samples.input_names;
  if (inputs.size() > most_names) {
    inputs.resize(most_names);
    inputs.push_back(fmt::format("and {} more", samples.input_names.size() - most_names));
  }
  add({"inputs", std::to_string(samples.input_names.size()), join(inputs)});

  TableBlock largest{{"data row", "weight", "times the mean"}, {}};
  const double mean = shift.weight.mean();
  for (const Index i : verdict.largest)
    largest.rows.push_back(
        {{number_cell(std::to_string(samples.row[static_cast<std::size_t>(i)] + 1)),
          number_cell(pretty(shift.weight[i])), number_cell(pretty(shift.weight[i] / mean, 3))}});
  std::vector<Block> notices;
  for (const auto& warning : verdict.warnings) notices.emplace_back(Notice{Notice::Level::warning, warning});
  for (const auto& note : samples.notes) notices.emplace_back(Notice{Notice::Level::info, note});
  std::string text = text_report({Heading{verdict.sentence}}, colour) + "\n" +
                     text_report({facts, Heading{"The largest weights"}, largest}, colour);
  if (!notices.empty()) text += "\n" + text_report(notices, colour);
  return text;
}

nlohmann::ordered_json as_json(const ShiftStudy& shift, const Samples& samples) {
  nlohmann::ordered_json json{{"gnomon", version()}};
  json["data"] = {{"rows", samples.train.rows()},
                  {"features", samples.train.cols()},
                  {"test_rows", samples.test.rows()},
                  {"source", samples.train_table.source},
                  {"test_source", samples.test_source},
                  {"feature_names", samples.input_names},
                  {"notes", samples.notes}};
  json["shift"] = json_report(shift);
  auto rows = nlohmann::ordered_json::array(), largest = rows;
  for (const Index row : samples.row) rows.push_back(row + 1);
  for (const Index i : shift.verdict->largest)
    largest.push_back({{"row", samples.row[static_cast<std::size_t>(i)] + 1}, {"weight", shift.weight[i]}});
  json["shift"]["rows"] = std::move(rows);
  json["shift"]["largest"] = std::move(largest);
  json["warnings"] = shift.verdict->warnings;
  return json;
}

void check(const WeightsFlags& flags) {
  find_ratio_method(flags.method);
  missing_from_name(flags.samples.missing);
  scale_from_name(flags.samples.scale);
  if (flags.threads < 0)
    throw UsageError(fmt::format("--threads {} is not allowed; give 0 (all cores) or more", flags.threads));
  if (flags.samples.train == "-" && flags.samples.test == "-")
    throw UsageError("TRAIN and --test cannot both come from standard input; give one of them as a file");
  if (flags.append && flags.output.empty())
    throw UsageError("--append needs -o FILE to write the rows and their weights to");
  check_files({{"the training file", flags.samples.train}, {"the file of --test", flags.samples.test}},
              {{"-o", flags.output}, {"--json", flags.json}});
}

void run(const WeightsFlags& flags) {
  check(flags);
  set_threads(flags.threads);
  const Progress progress = terminal_progress(flags.quiet);
  SampleOptions options = flags.samples;
  options.keep_table = flags.append;
  const Samples samples = read_samples(options);
  require(!flags.append || !samples.train_table.find(flags.name),
          "{}: there is a column '{}' already; give the weights another --name", samples.train_table.source,
          flags.name);
  const auto [ratio, shift] =
      weigh(samples.train, samples.test, samples.input_names, flags.method, flags.seed, progress);

  // Everything is rendered before the first byte is written. Standard output holds one thing only.
  const auto replace = nlohmann::ordered_json::error_handler_t::replace;
  const std::string json =
      flags.json.empty() ? "" : as_json(shift, samples).dump(2, ' ', false, replace) + "\n";
  const bool aside = flags.output == "-";
  const std::string text = in_words(shift, ratio, samples, !aside && wants_colour());
  if (!flags.output.empty()) write_weights(flags, samples, shift.weight);
  if (!flags.json.empty()) write_file(flags.json, json);
  if (aside && !flags.quiet) fmt::print(stderr, "{}", text);
  if (!aside && flags.json != "-") write_file("-", text);
}

}  // namespace

void add_weights(CLI::App& app, Action& action) {
  auto flags = std::make_shared<WeightsFlags>();
  auto* command = app.add_subcommand(
      "weights", "Density ratios of test to training inputs, and a verdict on the shift between them");
  command->add_option("train", flags->samples.train, "CSV or TSV with a header row; .gz and - (stdin) too")
      ->required();
  command->add_option("--test", flags->samples.test, "test inputs, columns matched by name")->required();
  command
      ->add_option("-o,--output", flags->output,
                   "CSV with the columns row (1 = first below the header) and weight; - for stdout")
      ->type_name("FILE");
  command->add_option("--method", flags->method, join(ratio_methods()))->capture_default_str();
  command->add_option("--seed", flags->seed, "of kernel centres, folds and permutations")
      ->check(trouble_of_counter)
      ->capture_default_str();

  const char* data = "Data";
  command
      ->add_option("--target", flags->samples.target,
                   "columns that are no inputs, such as the target; may be absent")
      ->group(data);
  command
      ->add_option("--features", flags->samples.features, "input columns [all but target and dropped ones]")
      ->group(data);
  command->add_option("--drop", flags->samples.drop, "columns to leave out")->group(data);
  command->add_option("--missing", flags->samples.missing, "missing cells: error, drop (the row), mean")
      ->capture_default_str()
      ->group(data);
  command
      ->add_option("--scale", flags->samples.scale,
                   "inputs: none, standard, unit; the methods measure in standard deviations, whatever it is")
      ->capture_default_str()
      ->group(data);

  const char* output = "Output";
  command->add_flag("--append", flags->append, "write the columns of the training file, the weight last")
      ->group(output);
  command->add_option("--name", flags->name, "of the column of weights")
      ->capture_default_str()
      ->group(output);
  command->add_option("--json", flags->json, "write all results as JSON (- for stdout)")->group(output);
  command->add_flag("--quiet", flags->quiet, "no progress bar, and no summary beside weights on stdout")
      ->group(output);
  command
      ->add_option("--threads", flags->threads, "threads, 0 = all cores; changes no answer beyond rounding")
      ->check(trouble_of_whole<int>)
      ->capture_default_str()
      ->group(output);
  command->callback([flags, &action] { action = [flags] { run(*flags); }; });
}

}  // namespace gnomon::app
