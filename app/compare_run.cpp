#include "compare_run.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

#include "compare/splits.hpp"
#include "compare/trial_table.hpp"
#include "comparison_settings.hpp"
#include "core/text.hpp"
#include "experiments/trial_store.hpp"
#include "gnomon/core/error.hpp"

namespace gnomon::app {
namespace {

constexpr Index learner_splits = 20;  // of --learner a,b,c unless --splits says otherwise

TrainingData one_target(const TrainingData& data, Index target) {
  TrainingData own = data;
  own.y = data.y.col(target);
  own.target_names = {data.target_names[static_cast<std::size_t>(target)]};
  return own;
}

std::vector<compare::Trial> trials_from(const Matrix& rows, std::size_t criteria, Index points) {
  std::vector<compare::Trial> trials;
  for (const auto& row : rows.rowwise())
    trials.push_back(compare::trial_from(row.transpose(), criteria, points));
  return trials;
}

/// "trials.csv", "trials-2.csv", …
std::string numbered(const std::string& name, std::size_t number) {
  return number == 0 ? name + ".csv" : fmt::format("{}-{}.csv", name, number + 1);
}

/// Fails if a result would be written over a file that is read.
void check_folder(const CompareFlags& flags, std::size_t targets) {
  if (!std::filesystem::is_directory(flags.folder)) return;  // then nothing is in it
  std::vector<std::string> names{"table.csv", "table.md", "result.json", "report.html"};
  for (std::size_t i = 0; i < targets * flags.learners.size(); ++i)
    for (const char* name : {"trials", "splits", "learners"}) names.push_back(numbered(name, i));
  std::vector<NamedFile> outputs;
  for (const auto& name : names)
    outputs.push_back(
        {fmt::format("the result '{}'", name), (std::filesystem::path(flags.folder) / name).string()});
  check_files(input_files(flags.learners.front().study), outputs);
}

class ComparisonRun {
 public:
  ComparisonRun(StudyTables&& tables, const CompareFlags& flags, const Progress& progress)
      : flags_(flags), progress_(progress) {
    for (std::size_t l = 0; l < flags.learners.size(); ++l) {
      // NOLINTNEXTLINE(bugprone-use-after-move): moved for the last one
      StudyTables own = l + 1 < flags.learners.size() ? tables : std::move(tables);
      const SelectFlags& learner = flags.learners[l];
      learners_.push_back({&learner, study_rows(std::move(own), learner.study, progress)});
    }
    check_rows();
    check_folder(flags, static_cast<std::size_t>(first().training.y.cols()));
  }

  ComparisonResult run() {
    describe();
    for (Index t = 0; t < first().training.y.cols(); ++t) {
      target_ = t;
      ComparedTarget target;
      target.name = first().training.target_names[static_cast<std::size_t>(t)];
      for (const LearnerRows& learner : learners_) {
        part_ = static_cast<std::size_t>(t) * learners_.size() + target.learners.size();
        target.learners.push_back(compare_criteria(learner));
      }
      hold_out(target);
      recommend(target);
      result_.targets.push_back(std::move(target));
    }
    return std::move(result_);
  }

 private:
  const StudyRows& first() const { return learners_.front().rows; }

  void check_rows() const {
    for (const LearnerRows& learner : learners_) {
      const TrainingData& data = learner.rows.training;
      require(data.groups.empty(),
              "compare makes up targets row by row, and holds out single rows; leave `fold-column` and "
              "`fold-groups` out");
      require(data.classes.empty(),
              "'{}' names classes: compare adds noise to fitted numbers, and cannot make up classes",
              data.target_names.front());
      if (data.importance.size() != first().training.importance.size()) {
        const bool ratios = data.importance.size() > 0;
        fail(
            "--weights counts rows for {} and gives density ratios for {}: their errors do not compare; run "
            "one learner at a time",
            (ratios ? learners_.front() : learner).name(), (ratios ? learner : learners_.front()).name());
      }
    }
  }

  void describe() {
    const TrainingData& data = first().training;
    result_.source = flags_.data;
    result_.rows = data.x.rows();
    result_.features = data.x.cols();
    result_.seed = first().request.seed;
    result_.notes = first().notes;
    if (data.test_x.rows())
      result_.judged = ComparisonResult::Judged::at_test;
    else if (data.importance.size())
      result_.judged = ComparisonResult::Judged::weighted;
    const bool several = learners_.size() > 1;
    result_.splits = flags_.splits > 0 ? flags_.splits : several ? learner_splits : 0;
  }

  Matrix kept(const std::string& file, const std::string& settings, const std::vector<std::string>& columns,
              Index count, const std::string& doing, const std::function<Vector(Index)>& trial) const {
    const Progress named{
        progress_.report
            ? [this, doing](
                  std::string_view what,
                  double fraction) { return progress_.report(fmt::format("{}, {}", doing, what), fraction); }
            : decltype(progress_.report)()};
    return TrialStore(flags_.folder, flags_.resume, named, file).run(settings, columns, count, trial);
  }

  /// "ridge, data sets", with the target where there are several.
  std::string doing(const std::string& learner, const char* what) const {
    const auto& names = first().training.target_names;
    const std::string target = names.size() > 1 ? names[static_cast<std::size_t>(target_)] + ", " : "";
    return fmt::format("{}{}{}", target, learners_.size() > 1 && !learner.empty() ? learner + ", " : "",
                       what);
  }

  ComparedCriteria compare_criteria(const LearnerRows& learner) const {
    const TrainingData data = one_target(learner.rows.training, target_);
    ComparedCriteria found;
    found.target = data.target_names.front();
    found.learner = learner.name();
    found.settings = settings_used(*learner.flags);
    simulate(learner, data, found);
    split_criteria(learner, data, found);
    return found;
  }

  void simulate(const LearnerRows& learner, const TrainingData& data, ComparedCriteria& found) const {
    const compare::Simulation simulation(data, learner.rows.request, progress_);
    found.criteria = simulation.criteria();
    found.left_out = simulation.left_out();
    found.world = simulation.world();
    found.searches = simulation.searches();
    found.shown_lambdas = simulation.shown_lambdas();
    const Index trials = flags_.trials.value_or(found.searches ? search_trials : path_trials);
    if (trials == 0) return;
    const auto points = static_cast<Index>(found.shown_lambdas.size());
    found.trials_file = numbered("trials", part_);
    const Matrix rows =
        kept(found.trials_file, settings_line("data sets", {&learner}, data, found.criteria),
             compare::trial_columns(found.criteria, points), trials, doing(found.learner, "simulated data"),
             [&](Index i) { return compare::to_numbers(simulation.trial(i)); });
    found.trials = trials_from(rows, found.criteria.size(), points);
    rank_all(simulation, found);
    const Vector seconds = simulation.seconds();
    for (std::size_t c = 0; c < found.criteria.size(); ++c)
      found.seconds[found.criteria[c]] = seconds[static_cast<Index>(c)];
  }

  static void rank_all(const compare::Simulation& simulation, ComparedCriteria& found) {
    const Index combinations = simulation.combinations();
    std::vector<Index> group;
    for (std::size_t i = 0; i < found.trials.size(); ++i)
      group.push_back(static_cast<Index>(i) % combinations);
    found.ranked = compare::rank(found.criteria, found.trials, group);
    found.recommendation = compare::recommendation(found.ranked);
    for (Index g = 0; g < std::min(combinations, static_cast<Index>(found.trials.size())); ++g) {
      std::vector<compare::Trial> own;
      for (std::size_t i = 0; i < group.size(); ++i)
        if (group[i] == g) own.push_back(found.trials[i]);
      found.groups.push_back({simulation.truth_name(g), simulation.noise_name(g),
                              static_cast<Index>(own.size()), compare::rank(found.criteria, own)});
    }
  }

  /// Splits scale their own inputs, unless errors are measured at points that all rows were scaled with.
  Scale scale_of_splits(const LearnerRows& learner) const {
    const auto& metric = learner.rows.request.metric;
    const bool on_points = metric && metric->kind == Metric::Kind::points;
    return on_points ? Scale::none : scale_from_name(learner.flags->study.scale);
  }

  void split_criteria(const LearnerRows& learner, const TrainingData& data, ComparedCriteria& found) const {
    if (flags_.splits == 0) return;
    SelectionRequest request = learner.rows.request;
    request.criteria = found.criteria;
    const Matrix rows =
        kept(numbered("splits", part_), settings_line("splits", {&learner}, data, found.criteria),
             compare::trial_columns(found.criteria, 0), flags_.splits, doing(found.learner, "splits"),
             [&](Index i) {
               return compare::to_numbers(compare::split_trial(data, request, scale_of_splits(learner), i));
             });
    found.on_splits = compare::rank(found.criteria, trials_from(rows, found.criteria.size(), 0), {},
                                    compare::split_overlap(data.x.rows()));
    if (found.recommendation.empty()) found.recommendation = compare::recommendation(found.on_splits);
  }

  void hold_out(ComparedTarget& target) const {
    if (learners_.size() < 2) return;
    std::vector<std::string> columns;
    std::vector<const LearnerRows*> all;
    std::vector<TrainingData> data;
    for (const LearnerRows& learner : learners_) {
      columns.push_back(learner.name());
      all.push_back(&learner);
      data.push_back(one_target(learner.rows.training, target_));
    }
    columns.emplace_back("mean");
    const std::string file = numbered("learners", static_cast<std::size_t>(target_));
    const Matrix errors =
        kept(file, settings_line("learners", all, data.front(), columns), columns, result_.splits,
             doing("", "learners on splits"), [&](Index i) {
               Vector own(static_cast<Index>(columns.size()));
               for (std::size_t l = 0; l < all.size(); ++l)
                 own[static_cast<Index>(l)] =
                     compare::split_error(data[l], all[l]->rows.request, scale_of_splits(*all[l]), i);
               own[own.size() - 1] = compare::split_error_of_mean(data.front(), result_.seed, i);
               return own;
             });
    target.held_out = compare::rank_errors(columns, errors, compare::split_overlap(result_.rows));
    target.held_out_words = held_out_sentence(target.held_out);
  }

  static std::string held_out_sentence(const std::vector<compare::Score>& ranked) {
    if (ranked.front().name == "mean") return "No learner does better than the mean of the targets.";
    std::vector<std::string> ties;
    for (std::size_t l = 1; l < ranked.size(); ++l)
      if (ranked[l].ties) ties.push_back(ranked[l].name);
    return fmt::format("{} has the least held-out error{}.", ranked.front().name,
                       ties.empty() ? "" : fmt::format("; within two standard errors of it: {}", join(ties)));
  }

  static void recommend(ComparedTarget& target) {
    target.recommendation = target.held_out_words;
    if (target.held_out.empty()) target.recommendation = target.learners.front().recommendation;
    for (const ComparedCriteria& own : target.learners) {
      if (target.held_out.empty() || own.learner != target.held_out.front().name) continue;
      if (own.recommendation.empty()) continue;
      std::string words = own.recommendation;
      words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
      target.recommendation += fmt::format(" For {}: {}", own.learner, words);
    }
  }

  const CompareFlags& flags_;
  const Progress& progress_;
  std::vector<LearnerRows> learners_;
  Index target_ = 0;      // being compared
  std::size_t part_ = 0;  // number of learner and target
  ComparisonResult result_;
};

}  // namespace

std::vector<SelectFlags> flags_by_learner(const std::string& data, const Typed& typed) {
  const auto named = typed.find("learner");
  const auto learners = named == typed.end() ? std::vector<std::string>{} : split(named->second, ',');
  if (learners.size() < 2) return {read_flags(data, typed)};
  std::vector<SelectFlags> out;
  std::map<std::string, std::vector<std::string>> refused;
  for (const auto& learner : learners) {
    if (std::count(learners.begin(), learners.end(), learner) > 1)
      throw UsageError(fmt::format("--learner names {} twice", learner));
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

void check_counts(const CompareFlags& flags) {
  const int trials = flags.trials.value_or(2);
  if (trials != 0 && trials < 2)
    throw UsageError(fmt::format("--trials {} is too few; a spread needs 2 or more", trials));
  if (flags.splits != 0 && flags.splits < 2)
    throw UsageError(fmt::format("--splits {} is too few; a spread needs 2 or more", flags.splits));
  if (trials == 0 && flags.splits == 0 && flags.learners.size() <= 1)
    throw UsageError("--trials 0 leaves nothing to compare by; give --splits too");
}

ComparisonResult run_comparison(const CompareFlags& flags, const Progress& progress) {
  for (const SelectFlags& learner : flags.learners) check_study(learner.study);
  return ComparisonRun({read_table(flags.data)}, flags, progress).run();
}

ComparisonResult run_comparison(StudyTables&& tables, const CompareFlags& flags, const Progress& progress) {
  for (const SelectFlags& learner : flags.learners) check_study(learner.study);
  return ComparisonRun(std::move(tables), flags, progress).run();
}

}  // namespace gnomon::app
