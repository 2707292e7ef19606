// A selection becomes a page and a JSON object: what needs gnomon::report beside gnomon::gnomon.

#include <fmt/format.h>
#include <gnomon/gnomon.hpp>

int main() {
  gnomon::Random random(1);
  const gnomon::Synthetic toy = gnomon::make_synthetic("sinc", 60, 0.2, random);
  gnomon::Study study{.source = "sinc"};
  study.selection = gnomon::select({.x = toy.x, .y = toy.y, .weight = {}, .target_names = {"y"}},
                                   {.learner = "ridge", .basis = "polynomial:5", .criteria = {"gcv"}});
  study.x = toy.x, study.y = toy.y, study.feature_names = {"x"};
  const std::string page = gnomon::html_report(study);
  fmt::print("{}", gnomon::text_report(study, false));
  const bool said = page.find("generalized cross-validation") != std::string::npos;
  return said && gnomon::json_report(study).contains("learner") ? 0 : 1;
}
