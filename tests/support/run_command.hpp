// A command of the lockstep program, as a user types it.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lockstep::test {

// The command does not take such words.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Words are the command's name and its arguments. Returns the command's verdict, which the program
// would exit with. Throws UsageError, and what the command throws.
int run_command(void (*add)(CLI::App& app), const std::vector<std::string>& words);

}  // namespace lockstep::test
