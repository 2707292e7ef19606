#include "man_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>

#include "core/text.hpp"
#include "gnomon/version.hpp"
#include "select_options.hpp"

namespace gnomon::app {
namespace {

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// Text in which nothing has a meaning to man. A minus is written as one, so that flags can be copied.
std::string plain(std::string text) {
  text = replaced(replaced(std::move(text), "\\", "\\e"), "-", "\\-");
  return text.starts_with('.') || text.starts_with('\'') ? "\\&" + text : text;
}

std::string bold(const std::string& text) { return "\\fB" + plain(text) + "\\fR"; }

/// Markdown of one paragraph: links become their text, code and emphasis bold.
std::string from_markdown(std::string text) {
  static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))"), code("`([^`]*)`"), strong(R"(\*\*([^*]*)\*\*)");
  text = plain(std::regex_replace(text, link, "$1"));
  return std::regex_replace(std::regex_replace(text, code, "\\fB$1\\fR"), strong, "\\fB$1\\fR");
}

/// What the flags of `select` mean, by name.
std::map<std::string, std::string> meanings() {
  std::map<std::string, std::string> all;
  for (const auto& option : select_options())
    all[option.name] = from_markdown(filled(option.manual, option.allowed, option.get(SelectFlags{}), "`"));
  return all;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const auto& name : option.get_snames()) names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

bool is_hidden(const CLI::Option& option) { return option.get_group().empty(); }

/// "--lambda VALUE", bold but for the value.
std::string heading_of(const CLI::Option& option) {
  std::vector<std::string> names = names_of(option);
  std::transform(names.begin(), names.end(), names.begin(), bold);
  const bool takes_value = option.get_items_expected_max() > 0;
  return join(names) + (takes_value ? " \\fIVALUE\\fR" : "");
}

std::string meaning_of(const CLI::Option& option, const std::map<std::string, std::string>& in_full) {
  if (!option.get_lnames().empty()) {
    if (const auto found = in_full.find(option.get_lnames().front()); found != in_full.end())
      return found->second;
  }
  const std::string by_default = option.get_default_str();
  return plain(option.get_description() + (by_default.empty() ? "" : fmt::format(" [{}]", by_default)));
}

std::string arguments_of(const CLI::App& command) {
  std::string text;
  for (const auto* option : command.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name = fmt::format("\\fI{}\\fR", plain(option->get_name(true)));
    text += option->get_required() ? " " + name : " [" + name + "]";
  }
  return text;
}

std::string synopsis_of(const CLI::App& command) {
  return fmt::format("{}{} [flags]\n.br\n", bold("gnomon " + command.get_name()), arguments_of(command));
}

std::string section_of(const CLI::App& command) {
  const auto in_full = command.get_name() == "select" ? meanings() : std::map<std::string, std::string>();
  std::string text =
      fmt::format(".SS gnomon {}\n{}.\n", plain(command.get_name()), plain(command.get_description()));
  for (const auto* option : command.get_options()) {
    if (is_hidden(*option) || option->get_lnames() == std::vector<std::string>{"help"}) continue;
    const std::string heading = option->get_positional()
                                    ? fmt::format("\\fI{}\\fR", plain(option->get_name(true)))
                                    : heading_of(*option);
    text += fmt::format(".TP\n{}\n{}\n", heading, meaning_of(*option, in_full));
  }
  return text;
}

}  // namespace

std::string man_page(const CLI::App& app) {
  std::string synopsis, sections;
  for (const auto* command : app.get_subcommands({})) {
    synopsis += synopsis_of(*command);
    sections += section_of(*command);
  }
  return fmt::format(
      ".TH GNOMON 1 \"\" \"gnomon {0}\" \"User Commands\"\n"
      ".nh\n.ad l\n"  // a flag broken at its hyphen could not be copied
      ".SH NAME\ngnomon \\- estimates of generalization error and the regularization they choose\n"
      ".SH SYNOPSIS\n{1}.B gnomon \\-\\-version\n"
      ".SH DESCRIPTION\n{2}\n.PP\n"
      "Everywhere lambda multiplies the penalty against the plain sum of squared residuals.\n"
      ".SH COMMANDS\n{3}"
      ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthe data or the request cannot be served; one line on standard "
      "error says "
      "what, where and what to do\n.TP\n2\nwrong usage\n.TP\n130\ninterrupted\n"
      ".SH EXAMPLES\n.nf\ngnomon demo\ngnomon select data.csv \\-\\-target y \\-\\-report report.html "
      "\\-\\-model model.gnomon\n"
      "gnomon predict model.gnomon new.csv \\-o predictions.csv \\-\\-interval 0.9\n.fi\n",
      version(), synopsis, plain(app.get_description()), sections);
}

}  // namespace gnomon::app
