// Which rule should choose λ, and λ together with the kernel's width? Test error of the chosen fit over the least on the
// grid of all widths and λ, by number of rows; real sets in two halves, one to choose a rule on and one to confirm it, and
// families made on the spot.
//
//   study_kernel_ridge FOLDER [share] [penalty] > kernel_ridge.csv     one line per rule, group of problems and n
//
// A rule adds up  w·n·log L + (1−w)·E + p·(log₂(width/median) − c)²  with L the leave-one-out or ten-fold error and E the
// evidence, −2 log of the restricted likelihood; or it is one criterion alone.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <mutex>

#include "problems.hpp"
#include "represent/width.hpp"

namespace {

using namespace gnomon;
using namespace gnomon::regret;

const std::vector<std::pair<Index, int>> sizes{{25, 60}, {50, 60}, {100, 40}, {200, 24}, {400, 12}, {800, 6}};
const std::vector<double> width_powers{-2, -1, 0, 1, 2, 3};

struct Candidate {
  double power;  ///< log₂(width/median)
  double loo, cv, evidence, gcv, aicc, sic, error;
};

struct Judged {
  std::vector<Candidate> all;
  Matrix predictions;  ///< test rows × candidates
  Draw data;
};

double test_error(const Draw& d, const Vector& prediction) {
  return (prediction - d.y_test).squaredNorm() / static_cast<double>(d.y_test.size()) + d.noise;
}

Judged candidates_of(Draw d, Penalty penalty, std::uint64_t seed) {
  Judged out;
  out.data = std::move(d);
  const Draw& data = out.data;
  const double median = median_distance(data.x, Vector());
  std::vector<Vector> predictions;
  for (const double power : width_powers) {
    SelectionRequest request;
    request.penalty = penalty;
    request.width = median * std::exp2(power);
    request.criteria = {"loo", "cv", "evidence", "gcv", "aicc", "sic"};
    request.metric = Metric{Metric::Kind::train, {}, "train"};
    request.search = Search::grid;
    request.seed = seed;
    const Selection s = select({data.x, data.y, Vector(), {"y"}}, request);
    const SelectionPath& path = *s.targets[0].path();
    const Smoother smoother(
        data.x, data.y, Vector(),
        {.representation = s.model.linear()->representation, .filter = s.filter, .strategy = Strategy::full});
    for (std::size_t k = 0; k < path.lambda.size(); ++k) {
      const auto at = [&](std::size_t c) { return path.criteria[c].curve.value[static_cast<Index>(k)]; };
      predictions.emplace_back(smoother.fit({&path.lambda[k], 1}).predict(data.x_test).col(0));
      out.all.push_back(
          {power, at(0), at(1), at(2), at(3), at(4), at(5), test_error(data, predictions.back())});
    }
  }
  out.predictions.resize(data.x_test.rows(), static_cast<Index>(predictions.size()));
  for (std::size_t k = 0; k < predictions.size(); ++k)
    out.predictions.col(static_cast<Index>(k)) = predictions[k];
  return out;
}

/// A value per candidate; the least one is chosen, NaN never.
struct Chooser {
  std::string name;
  std::function<double(const Candidate&, double n)> score;
  bool widths = true;      ///< of all widths, or of the median one
  double temperature = 0;  ///< positive: the fits are averaged with weights exp(−score/(2·temperature))
  bool one_width =
      false;  ///< those of the width with the least score alone: an average over λ, still one expansion
};

std::vector<Chooser> rules() {
  std::vector<Chooser> out;
  for (const bool widths : {false, true}) {
    const std::string where = widths ? "" : "median/";
    const auto add = [&](const std::string& name, double Candidate::*value) {
      out.push_back({where + name, [value](const Candidate& c, double) { return c.*value; }, widths});
    };
    add("loo", &Candidate::loo), add("cv", &Candidate::cv), add("evidence", &Candidate::evidence);
    add("gcv", &Candidate::gcv), add("aicc", &Candidate::aicc), add("sic", &Candidate::sic);
    for (const bool folds : {false, true}) {
      for (const double w : {0.0, 0.25, 0.5, 0.65, 0.75, 0.85, 1.0}) {
        for (const double p : {0.0, 0.5, 1.0, 2.0}) {
          for (const double centre : {0.0, 0.25, 0.5, 1.0}) {
            if ((p == 0 && centre != 0) || (!widths && p != 0)) continue;
            const auto score = [=](const Candidate& c, double n) {
              return (w > 0 ? w * n * std::log(folds ? c.cv : c.loo) : 0) +
                     (w < 1 ? (1 - w) * c.evidence : 0) + p * (c.power - centre) * (c.power - centre);
            };
            const std::string name =
                fmt::format("{}{} w{} p{} c{}", where, folds ? "cv" : "loo", w, p, centre);
            out.push_back({name, score, widths});
            if (w >= 0.5 && w < 1 && (p == 0 || (p == 1 && centre == 0.25)))
              for (const double t : {0.5, 1.0, 2.0}) {
                out.push_back({fmt::format("{} mean t{}", name, t), score, widths, t});
                if (widths)
                  out.push_back({fmt::format("{} mean over λ t{}", name, t), score, widths, t, true});
              }
          }
        }
      }
    }
  }
  return out;
}

double error_of(const Chooser& rule, const Judged& table) {
  const double n = static_cast<double>(table.data.y.size());
  std::vector<double> score;
  double least = HUGE_VAL;
  std::size_t at = 0;
  for (std::size_t k = 0; k < table.all.size(); ++k) {
    const Candidate& c = table.all[k];
    const double s = rule.widths || c.power == 0 ? rule.score(c, n) : undefined;
    score.push_back(s);
    if (s < least) least = s, at = k;
  }
  if (!(least < HUGE_VAL)) return undefined;
  if (rule.temperature == 0) return table.all[at].error;
  Vector weight = Vector::Zero(static_cast<Index>(score.size()));
  for (std::size_t k = 0; k < score.size(); ++k)
    if (std::isfinite(score[k]) && (!rule.one_width || table.all[k].power == table.all[at].power))
      weight[static_cast<Index>(k)] = std::exp(-(score[k] - least) / (2 * rule.temperature));
  weight /= weight.sum();
  return test_error(table.data, table.predictions * weight);
}

}  // namespace

int main(int argc, char** argv) {
  const double share = argc > 2 ? std::atof(argv[2]) : 1;
  const Penalty penalty =
      argc > 3 && std::string(argv[3]) == "coefficients" ? Penalty::coefficients : Penalty::function;
  std::vector<Problem> problems = real_sets(argc > 1 ? argv[1] : "../shared/data");
  for (Problem& made : made_families()) problems.push_back(std::move(made));
  const std::vector<Chooser> all = rules();
  const std::vector<DataSet> tasks =
      data_sets(problems, {sizes.rbegin(), sizes.rend()}, share, 0);  // the long ones first
  // ratios by rule, problem and n
  std::map<std::pair<std::string, Index>, std::vector<std::vector<double>>> ratios;
  std::mutex lock;
  parallel_for(static_cast<Index>(tasks.size()), [&](Index i) {
    const DataSet& t = tasks[static_cast<std::size_t>(i)];
    const Judged table = candidates_of(draw(*t.problem, t.n, t.stream), penalty, t.stream);
    double best = HUGE_VAL;
    for (const Candidate& c : table.all) best = std::min(best, c.error);
    std::vector<double> errors;
    for (const Chooser& rule : all) errors.push_back(error_of(rule, table) / best);
    const std::lock_guard guard(lock);
    auto& cell = ratios[{t.problem->name, t.n}];
    cell.resize(all.size());
    for (std::size_t r = 0; r < all.size(); ++r) cell[r].push_back(errors[r]);
  });
  fmt::print("problem;group;n;rule;mean;tail;count\n");
  for (const auto& [key, cell] : ratios) {
    const auto problem =
        std::find_if(problems.begin(), problems.end(), [&](const Problem& p) { return p.name == key.first; });
    const char* group = problem->x.size() == 0 ? "made" : problem->chooses ? "choose" : "confirm";
    for (std::size_t r = 0; r < all.size(); ++r) {
      std::vector<double> v = cell[r];
      std::sort(v.begin(), v.end());
      double sum = 0;
      for (const double x : v) sum += x;
      fmt::print("{};{};{};{};{:.5g};{:.5g};{}\n", key.first, group, key.second, all[r].name,
                 sum / static_cast<double>(v.size()),
                 v[static_cast<std::size_t>(0.95 * static_cast<double>(v.size() - 1) + 0.5)], v.size());
    }
  }
}
