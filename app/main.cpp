#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "core/text.hpp"
#include "flags.hpp"
#include "gnomon/core/error.hpp"
#include "gnomon/core/parallel.hpp"
#include "gnomon/core/progress.hpp"
#include "gnomon/version.hpp"
#include "man_page.hpp"
#include "output.hpp"

/// OpenBLAS starts its threads before main(), and they wait awake for a while. We hold it to one thread, so they may go at once; it
/// starts them anew where they are asked for, as after a fork.
extern "C" [[gnu::weak]] int blas_thread_shutdown_();

namespace {

enum ExitCode { done = 0, cannot_serve = 1, wrong_usage = 2, interrupted = 130 };

/// OpenBLAS picks its kernels by the processor's model number and falls back to those of 2004 for models
/// newer than itself: several times slower. On a Core 2 the kernels of its own end in a crash (dtrtri, at half of
/// the orders above 260), those of 2004 do not. It reads the choice from the environment before main(), so we start
/// over, once.
void prefer_better_blas(char** argv) {
#if defined(__x86_64__)
  constexpr const char* variable = "OPENBLAS_CORETYPE";
  const std::string_view core = gnomon::blas_core_name();
  const bool outdated = core == "Prescott" || core == "Core2" || core == "Nehalem" || core == "Generic";
  const char* better = __builtin_cpu_supports("avx512f") ? "SkylakeX"
                       : __builtin_cpu_supports("avx2")  ? "Haswell"
                       : core == "Core2"                 ? "Prescott"
                                                         : nullptr;
  if (!outdated || !better || std::getenv(variable)) return;
  setenv(variable, better, 1);
  execv("/proc/self/exe", argv);  // on failure: go on with the kernels at hand
#else
  (void)argv;
#endif
}

/// A matrix that is freed leaves its memory to the next one, in place of giving it back to the system and asking for it again, page by
/// page and cleared.
void keep_freed_memory() {
#if defined(__GLIBC__)
  constexpr int everything = std::numeric_limits<int>::max();
  mallopt(M_MMAP_THRESHOLD, everything);
  mallopt(M_TRIM_THRESHOLD, everything);
#endif
}

/// argv as one line, arguments with blanks quoted.
std::string as_typed(int argc, char** argv) {
  std::string line = "gnomon";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    line += word.find(' ') == std::string::npos ? " " + word : " '" + word + "'";
  }
  return line;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// CLI11 lists what it could not place; we name the first unknown flag and the nearest known one, or the first argument
/// that nothing takes.
std::string misplaced(const CLI::App& app, int argc, char** argv) {
  for (const auto* command : app.get_subcommands()) {
    std::vector<std::string> known;
    for (const auto* option : command->get_options()) {
      for (const auto& name : option->get_lnames()) known.push_back("--" + name);
    }
    for (int i = 2; i < argc; ++i) {
      const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
      if (word.starts_with("--") && std::find(known.begin(), known.end(), word) == known.end()) {
        return fmt::format("unknown flag '{}'{}", word, gnomon::suggestion(word, known));
      }
    }
  }
  const auto left = app.remaining(true);
  if (left.empty()) return "an argument is left over";
  if (left.front().starts_with('-')) return fmt::format("unknown flag '{}'", left.front());
  return fmt::format("argument '{}' is one too many", left.front());
}

int complain(const std::exception& error, int code) {
  fmt::print(stderr, "gnomon: {}\n", gnomon::app::spoken(error.what(), gnomon::app::flag_of));
  return code;
}

/// A text that was asked for, on a standard output that may be full.
int print(const std::string& text) {
  try {
    gnomon::app::write_file("-", text);
    return done;
  } catch (const std::exception& error) {
    return complain(error, cannot_serve);
  }
}

/// An empty value, as where a variable of the shell is not set, must not mean that nothing was asked for.
void refuse_empty_values(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands())
    for (const CLI::Option* option : command->get_options())
      for (const std::string& value : option->results())
        if (value.empty())
          throw gnomon::UsageError(
              fmt::format("{} is empty; give a value, or leave it out", option->get_name()));
}

/// The first option that was given more than once, or nothing.
std::string given_twice(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands())
    for (const CLI::Option* option : command->get_options())
      if (option->count() > 1) return option->get_name();
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  prefer_better_blas(argv);
  keep_freed_memory();
  const gnomon::BlasThreads one(1);
  if (blas_thread_shutdown_) blas_thread_shutdown_();
  CLI::App app(
      "How wrong will a regression model be on data it has not seen, and which regularization makes it least "
      "wrong?",
      "gnomon");
  app.set_version_flag("--version", std::string("gnomon ") + gnomon::version());
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  gnomon::app::command_line() = as_typed(argc, argv);
  gnomon::app::Action action;
  gnomon::app::add_select(app, action);
  gnomon::app::add_compare(app, action);
  gnomon::app::add_predict(app, action);
  gnomon::app::add_inspect(app, action);
  gnomon::app::add_weights(app, action);
  gnomon::app::add_demo(app, action);
  gnomon::app::add_reproduce(app, action);
  // Not in help: the build makes the page that is installed.
  if (argc == 2 && std::string_view(argv[1]) == "--man") return print(gnomon::app::man_page(app));
  const auto commands = command_names(app);
  if (argc > 1 && argv[1][0] != '-' &&
      std::find(commands.begin(), commands.end(), argv[1]) == commands.end()) {
    fmt::print(stderr, "gnomon: unknown command '{}'; commands: {}{}\n", argv[1], gnomon::join(commands),
               gnomon::suggestion(argv[1], commands));
    return wrong_usage;
  }
  try {
    app.parse(argc, argv);
    refuse_empty_values(app);
    action();
    return done;
  } catch (const CLI::Success& help) {  // or the version
    std::ostringstream text;
    app.exit(help, text);
    return print(text.str());
  } catch (const CLI::ExtrasError& error) {
    fmt::print(stderr, "gnomon: {} (see gnomon {} --help)\n", misplaced(app, argc, argv),
               argc > 1 ? argv[1] : "");
    return wrong_usage;
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string twice = given_twice(app);
    fmt::print(
        stderr, "gnomon: {}\n",
        twice.empty() ? error.what() : twice + " is given twice; give it once, several values with commas");
    return wrong_usage;
  } catch (const CLI::ParseError& error) {
    const bool known = argc > 1 && argv[1][0] != '-';
    const std::string why = known ? error.what() : "name a command: " + gnomon::join(commands);
    fmt::print(stderr, "gnomon: {} (see gnomon {}--help)\n", why, known ? std::string(argv[1]) + " " : "");
    return wrong_usage;
  } catch (const gnomon::Interrupted&) {
    fmt::print(stderr, "gnomon: interrupted; no result was written\n");
    return interrupted;
  } catch (const gnomon::UsageError& error) {
    return complain(error, wrong_usage);
  } catch (const std::bad_alloc&) {
    fmt::print(
        stderr,
        "gnomon: not enough memory for this problem; use fewer rows, or a basis instead of a kernel\n");
    return cannot_serve;
  } catch (const std::exception& error) {
    return complain(error, cannot_serve);
  }
}
