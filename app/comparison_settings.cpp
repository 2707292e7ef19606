#include "comparison_settings.hpp"

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "gnomon/version.hpp"
#include "select/make_tunable.hpp"

namespace gnomon::app {
namespace {

constexpr std::array not_of_compare{"start", "classify", "combine", "json", "report", "model"};

/// FNV-1a, 64 bits: tells settings and data apart, nothing more.
class Fingerprint {
 public:
  void add(const void* bytes, std::size_t count) {
    const auto* at = static_cast<const unsigned char*>(bytes);
    for (std::size_t i = 0; i < count; ++i) hash_ = (hash_ ^ at[i]) * 0x100000001b3;
  }
  void add(const std::string& text) { add(text.data(), text.size() + 1); }
  void add(const Matrix& m) { add(m.data(), static_cast<std::size_t>(m.size()) * sizeof(double)); }
  void add(const TrainingData& data) {
    for (const Matrix* m : {&data.x, &data.y, &data.test_x}) add(*m);
    add(Matrix(data.weight));
    add(Matrix(data.importance));
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace

bool is_of_compare(const Option<SelectFlags>& option) {
  return std::find(not_of_compare.begin(), not_of_compare.end(), option.name) == not_of_compare.end();
}

std::vector<std::pair<std::string, std::string>> settings_used(const SelectFlags& flags) {
  SelectFlags used = flags;
  if (!is_tuned(used.study.request)) used.study.request.search = Search::grid;
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& option : select_options()) {
    const bool refused = option.refusal && !option.refusal(used).empty();
    if (is_of_compare(option) && option.group != "Output" && !refused)
      out.emplace_back(option.name, option.get(used));
  }
  return out;
}

std::string settings_line(const char* what, const std::vector<const LearnerRows*>& learners,
                          const TrainingData& data, const std::vector<std::string>& names) {
  Fingerprint print;
  print.add(data);
  for (const LearnerRows* learner : learners) {
    if (const auto& metric = learner->rows.request.metric) print.add(metric->points.x);
    for (const auto& [name, value] : settings_used(*learner->flags)) print.add(name + "=" + value);
  }
  return fmt::format("gnomon {} compare, {} of {}, {} rows, seed {}, settings and data {}", version(), what,
                     join(names, " "), data.x.rows(), learners.front()->rows.request.seed, print.text());
}

}  // namespace gnomon::app
