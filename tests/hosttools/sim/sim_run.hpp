// `lockstep sim` as a user runs it: arguments in; files, the summary on standard output and the one
// line of an error out.
#pragma once

#include <CppUTest/TestHarness.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "commands.hpp"
#include "record/csv.hpp"
#include "support/run_command.hpp"
#include "support/scratch_folder.hpp"
#include "text/error.hpp"

namespace lockstep::test {

// A record, column by column, without their units.
using Columns = std::map<std::string, std::vector<double>>;

class SimRun {
 public:
  ScratchFolder folder;

  static std::string model(const std::string& name) {
    return LOCKSTEP_MODELS_DIR "/" + name + ".urdf";
  }

  // Returns the summary. Throws what the command throws.
  std::string operator()(const std::vector<std::string>& arguments) const {
    return run(host::add_sim_command, "sim", arguments);
  }
  // Another command in the same folder.
  std::string run(void (*add)(CLI::App&), const char* name,
                  std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), name);
    const StandardOutput redirected(folder.path("summary.txt"));
    exit_code = run_command(add, arguments);
    return folder.read("summary.txt");
  }
  mutable int exit_code = 0;  // of the last run

  Columns record(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--csv", folder.path("out.csv")});
    (*this)(arguments);
    std::istringstream lines(folder.read("out.csv"));
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> names = host::csv_fields(line).value();
    Columns columns;
    while (std::getline(lines, line)) {
      const std::vector<std::string> fields = host::csv_fields(line).value();
      for (std::size_t i = 0; i < names.size(); ++i) {
        columns[names[i].substr(0, names[i].find(" ["))].push_back(
            std::strtod(fields[i].c_str(), nullptr));
      }
    }
    return columns;
  }

  // The text of the last state, every bit of it.
  std::string last_state(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--save", folder.path("last.json")});
    (*this)(arguments);
    return folder.read("last.json");
  }

  std::string complaint(const std::vector<std::string>& arguments) const {
    try {
      (*this)(arguments);
    } catch (const host::Error& error) {
      return error.what();
    }
    return "";
  }

 private:
  // Standard output goes to a file as long as this lives.
  class StandardOutput {
   public:
    explicit StandardOutput(const std::string& path)
        : before_(::dup(STDOUT_FILENO)),
          file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600)) {
      std::fflush(stdout);
      ::dup2(file_, STDOUT_FILENO);
    }
    ~StandardOutput() {
      ::dup2(before_, STDOUT_FILENO);
      ::close(before_);
      ::close(file_);
    }
    StandardOutput(const StandardOutput&) = delete;
    StandardOutput& operator=(const StandardOutput&) = delete;

   private:
    int before_, file_;
  };
};

}  // namespace lockstep::test
