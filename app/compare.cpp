#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "compare/splits.hpp"
#include "compare/trial_table.hpp"
#include "comparison.hpp"
#include "core/text.hpp"
#include "experiments/trial_store.hpp"
#include "gnomon/compare/simulation.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/version.hpp"
#include "output.hpp"
#include "terminal.hpp"
#include "typed_flags.hpp"

namespace gnomon::app {
namespace {

constexpr Index learner_splits = 20;  // of --learner a,b,c unless --splits says otherwise

struct CompareFlags {
  std::string data, folder = "gnomon-compare";
  Index trials = 240, splits = 0;
  bool resume = false;
  Typed typed;
  std::vector<SelectFlags> learners;  ///< the first one is simulated
};

/// Options of `select` that have no meaning here: other data, other outputs, and searches without a path.
constexpr std::array not_of_compare{"test",   "weights", "start",  "classify",
                                    "search", "json",    "report", "model"};

/// One set of flags per learner named. A flag must belong to one of them at least.
std::vector<SelectFlags> flags_by_learner(const std::string& data, const Typed& typed) {
  const auto named = typed.find("learner");
  const auto learners = named == typed.end() ? std::vector<std::string>{} : split(named->second, ',');
  if (learners.size() < 2) return {read_flags(data, typed)};
  std::vector<SelectFlags> out;
  std::map<std::string, std::vector<std::string>> refused;
  for (const auto& learner : learners) {
    Typed own = typed;
    own["learner"] = learner;
    const SelectFlags all = set_flags(data, own);
    for (const auto& option : select_options()) {
      const std::string why = own.contains(option.name) ? refusal_of(option, all) : "";
      if (why.empty()) continue;
      refused[option.name].push_back(why);
      own.erase(option.name);
    }
    out.push_back(set_flags(data, own));
  }
  for (const auto& [_, why] : refused)
    if (why.size() == learners.size()) throw UsageError(why.front());
  return out;
}

/// FNV-1a, 64 bits: tells settings and data apart, nothing more.
class Fingerprint {
 public:
  void add(const void* bytes, std::size_t count) {
    const auto* at = static_cast<const unsigned char*>(bytes);
    for (std::size_t i = 0; i < count; ++i) hash_ = (hash_ ^ at[i]) * 0x100000001b3;
  }
  void add(const std::string& text) { add(text.data(), text.size() + 1); }
  void add(const Matrix& m) { add(m.data(), static_cast<std::size_t>(m.size()) * sizeof(double)); }
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

std::vector<std::pair<std::string, std::string>> settings_used(const SelectFlags& flags) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& option : select_options()) {
    const bool other =
        std::find(not_of_compare.begin(), not_of_compare.end(), option.name) != not_of_compare.end();
    if (other || option.group == "Output" || (option.refusal && !option.refusal(flags).empty())) continue;
    out.emplace_back(option.name, option.get(flags));
  }
  return out;
}

/// All that a trial's numbers depend on beside its index.
std::string settings_line(const char* what, const StudyRows& rows, const std::vector<SelectFlags>& learners,
                          const std::vector<std::string>& names) {
  Fingerprint print;
  print.add(rows.training.x);
  print.add(rows.training.y);
  for (const auto& flags : learners) {
    for (const auto& [name, value] : settings_used(flags)) print.add(name + "=" + value);
  }
  return fmt::format("gnomon {} compare, {} of {}, {} rows, seed {}, settings and data {}", version(), what,
                     join(names, " "), rows.training.x.rows(), rows.request.seed, print.text());
}

/// Fails if a result would be written over the data.
void check_folder(const CompareFlags& flags) {
  if (!std::filesystem::is_directory(flags.folder)) return;  // then nothing is in it
  std::vector<NamedFile> outputs;
  for (const char* name :
       {"trials.csv", "splits.csv", "learners.csv", "table.csv", "table.md", "result.json", "report.html"})
    outputs.push_back(
        {fmt::format("the result '{}'", name), (std::filesystem::path(flags.folder) / name).string()});
  check_files(input_files(flags.learners.front().study), outputs);
}

std::vector<compare::Trial> trials_from(const Matrix& rows, std::size_t criteria, Index points) {
  std::vector<compare::Trial> trials;
  for (const auto& row : rows.rowwise())
    trials.push_back(compare::trial_from(row.transpose(), criteria, points));
  return trials;
}

/// The way from the rows to all that was found, step by step.
class ComparisonRun {
 public:
  ComparisonRun(const CompareFlags& flags, const Progress& progress)
      : flags_(flags),
        progress_(progress),
        rows_(study_rows(flags.learners.front().study, progress)),
        scale_(scale_from_name(flags.learners.front().study.scale)) {}

  ComparedCriteria run() {
    require(rows_.training.y.cols() == 1, "compare takes one target at a time, not {}",
            rows_.training.y.cols());
    const bool on_points = rows_.request.metric && rows_.request.metric->kind == Metric::Kind::points;
    require(!on_points || (flags_.splits == 0 && flags_.learners.size() < 2),
            "--metric on points and --splits cannot go together: every split scales its own inputs");
    describe();
    simulate();
    split_criteria();
    split_learners();
    return std::move(found_);
  }

 private:
  void describe() {
    found_.source = flags_.data;
    found_.target = rows_.training.target_names.front();
    found_.learner = rows_.request.learner.name();
    found_.rows = rows_.training.x.rows();
    found_.features = rows_.training.x.cols();
    found_.seed = rows_.request.seed;
    found_.settings = settings_used(flags_.learners.front());
    found_.notes = rows_.notes;
  }

  TrialStore store(const char* file) const { return {flags_.folder, flags_.resume, progress_, file}; }

  void simulate() {
    const compare::Simulation simulation(rows_.training, rows_.request, progress_);
    found_.criteria = simulation.criteria();
    found_.left_out = simulation.left_out();
    found_.world = simulation.world();
    found_.shown_lambdas = simulation.shown_lambdas();
    if (flags_.trials == 0) return;
    const auto points = static_cast<Index>(found_.shown_lambdas.size());
    const Matrix rows =
        store("trials.csv")
            .run(settings_line("data sets", rows_, {flags_.learners.front()}, found_.criteria),
                 compare::trial_columns(found_.criteria, points), flags_.trials,
                 [&](Index i) { return compare::to_numbers(simulation.trial(i)); });
    found_.trials = trials_from(rows, found_.criteria.size(), points);
    rank_all(simulation);
    const Vector seconds = simulation.seconds();
    for (std::size_t c = 0; c < found_.criteria.size(); ++c)
      found_.seconds[found_.criteria[c]] = seconds[static_cast<Index>(c)];
  }

  void rank_all(const compare::Simulation& simulation) {
    std::vector<Index> group;
    for (std::size_t i = 0; i < found_.trials.size(); ++i)
      group.push_back(static_cast<Index>(i) % simulation.combinations());
    found_.ranked = compare::rank(found_.criteria, found_.trials, group);
    found_.recommendation = compare::recommendation(found_.ranked);
    for (Index g = 0; g < std::min(simulation.combinations(), flags_.trials); ++g) {
      std::vector<compare::Trial> own;
      for (std::size_t i = 0; i < group.size(); ++i)
        if (group[i] == g) own.push_back(found_.trials[i]);
      found_.groups.push_back({simulation.truth_name(g), simulation.noise_name(g),
                               static_cast<Index>(own.size()), compare::rank(found_.criteria, own)});
    }
  }

  void split_criteria() {
    if (flags_.splits == 0) return;
    found_.splits = flags_.splits;
    SelectionRequest request = rows_.request;
    request.criteria = found_.criteria;
    const Matrix rows =
        store("splits.csv")
            .run(settings_line("splits", rows_, {flags_.learners.front()}, found_.criteria),
                 compare::trial_columns(found_.criteria, 0), flags_.splits, [&](Index i) {
                   return compare::to_numbers(compare::split_trial(rows_.training, request, scale_, i));
                 });
    found_.on_splits = compare::rank(found_.criteria, trials_from(rows, found_.criteria.size(), 0), {},
                                     compare::split_overlap(found_.rows));
    if (found_.recommendation.empty()) found_.recommendation = compare::recommendation(found_.on_splits);
  }

  void split_learners() {
    if (flags_.learners.size() < 2) return;
    found_.splits = flags_.splits > 0 ? flags_.splits : learner_splits;
    std::vector<std::string> names;
    std::vector<SelectionRequest> requests;
    for (const SelectFlags& flags : flags_.learners) {
      requests.push_back(flags.study.request);
      names.push_back(requests.back().learner.name());
      requests.back().seed = rows_.request.seed;
      requests.back().metric = rows_.request.metric;
    }
    std::vector<std::string> columns = names;
    columns.emplace_back("mean");
    const Matrix errors = store("learners.csv")
                              .run(settings_line("learners", rows_, flags_.learners, names), columns,
                                   found_.splits, [&](Index i) {
                                     Vector own(static_cast<Index>(columns.size()));
                                     for (std::size_t l = 0; l < requests.size(); ++l)
                                       own[static_cast<Index>(l)] =
                                           compare::split_error(rows_.training, requests[l], scale_, i);
                                     own[own.size() - 1] =
                                         compare::split_error_of_mean(rows_.training, rows_.request.seed, i);
                                     return own;
                                   });
    found_.learners = compare::rank_errors(columns, errors, compare::split_overlap(found_.rows));
    found_.learner_recommendation = learner_sentence();
    if (found_.recommendation.empty()) found_.recommendation = found_.learner_recommendation;
  }

  std::string learner_sentence() const {
    std::vector<std::string> ties;
    for (std::size_t l = 1; l < found_.learners.size(); ++l)
      if (found_.learners[l].ties) ties.push_back(found_.learners[l].name);
    return fmt::format("{} has the least held-out error{}.", found_.learners.front().name,
                       ties.empty() ? "" : fmt::format("; within two standard errors of it: {}", join(ties)));
  }

  const CompareFlags& flags_;
  const Progress& progress_;
  StudyRows rows_;
  Scale scale_;
  ComparedCriteria found_;
};

/// Everything as Markdown, which is also what the terminal shows.
std::string text_of_comparison(const ComparedCriteria& found) {
  std::string text = found.recommendation + "\n";
  if (!found.ranked.empty() || !found.on_splits.empty()) text += "\n" + markdown_of(table_of(found));
  if (!found.learners.empty())
    text += fmt::format("\n{}\n\n{}", found.learner_recommendation, markdown_of(learner_table(found)));
  text += "\n";
  for (const auto& line : explanations(found)) text += "- " + line + "\n";
  for (const auto& note : found.notes) text += "- " + note + "\n";
  return text;
}

void run(const CompareFlags& flags) {
  const SelectFlags& first = flags.learners.front();
  require(first.threads >= 0, "--threads {} is not allowed; give 0 (all cores) or more", first.threads);
  require(flags.trials == 0 || flags.trials >= 2, "--trials {} is too few; a spread needs 2 or more",
          flags.trials);
  require(flags.splits == 0 || flags.splits >= 2, "--splits {} is too few; a spread needs 2 or more",
          flags.splits);
  require(flags.trials > 0 || flags.splits > 0 || flags.learners.size() > 1,
          "--trials 0 leaves nothing to compare by; give --splits too");
  set_threads(first.threads);
  check_folder(flags);
  const ComparedCriteria found = ComparisonRun(flags, terminal_progress(first.outputs.quiet)).run();
  const std::filesystem::path folder(flags.folder);
  const auto write = [&](const char* name, const std::string& text) {
    write_file((folder / name).string(), text);
  };
  const std::string text = text_of_comparison(found);
  write("table.csv", csv_of(number_table(found)));
  write("table.md",
        fmt::format("# Which criterion to trust: {} of {}\n\n{}", found.target, found.source, text));
  write("result.json", json_of(found).dump(2) + "\n");
  write("report.html", page_of(found));
  fmt::print("{}\nWritten: {}/result.json, table.csv, table.md, report.html\n", text, flags.folder);
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  auto flags = std::make_shared<CompareFlags>();
  auto* command = app.add_subcommand(
      "compare", "Which criterion to trust on data like yours: simulated on your own inputs, or on splits");
  command->add_option("data", flags->data, "CSV or TSV with a header row; .gz and - (stdin) too")->required();
  command->add_option("-o,--output", flags->folder, "folder for tables, JSON, trials and report")
      ->capture_default_str();
  command->add_option("--trials", flags->trials, "simulated data sets; 0: none")->capture_default_str();
  command
      ->add_option("--splits", flags->splits,
                   "random splits of the real targets; 0: none (20 where several learners are named)")
      ->capture_default_str();
  command->add_flag("--resume", flags->resume, "go on from the data sets in the folder");
  for (const auto& option : select_options()) {
    if (std::find(not_of_compare.begin(), not_of_compare.end(), option.name) == not_of_compare.end())
      add_flag(*command, option, flags->typed);
  }
  command->callback([flags, &action] {
    flags->learners = flags_by_learner(flags->data, flags->typed);
    action = [flags] { run(*flags); };
  });
}

}  // namespace gnomon::app
