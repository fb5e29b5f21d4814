#include "support/run_command.hpp"

#include <CLI/CLI.hpp>

namespace lockstep::test {

int run_command(void (*add)(CLI::App& app), const std::vector<std::string>& words) {
  CLI::App app("test");
  add(app);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // as CLI11 wants them
  } catch (const CLI::RuntimeError& verdict) {
    return verdict.get_exit_code();
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  return 0;
}

}  // namespace lockstep::test
