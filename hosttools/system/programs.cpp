#include "system/programs.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "system/write_file.hpp"

namespace lockstep::host {

namespace fs = std::filesystem;

namespace {

bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::vector<Tool> host_tools() {
  return {{"cmake", "cmake"}, {"ninja", "ninja-build"}, {"c++", "g++"}};
}

void require_tools(const std::string& option, const std::vector<Tool>& tools,
                   const std::string& setup) {
  std::string programs, packages;
  for (const Tool& tool : tools) {
    if (is_installed(tool.program)) continue;
    programs += (programs.empty() ? "" : ", ") + tool.program;
    packages += " " + tool.packages;
  }
  if (programs.empty()) return;
  throw MissingTools(option + ": not found: " + programs +
                     "; run toolchain/setup " + setup + " or install" + packages);
}

bool run_program(const std::vector<std::string>& words, const std::string& output,
                 const std::string& errors) {
  std::string command;
  for (const std::string& word : words) command += shell_quoted(word) + " ";
  if (!output.empty()) command += ">" + shell_quoted(output);
  if (!errors.empty()) command += " 2>" + shell_quoted(errors);
  return std::system(command.c_str()) == 0;
}

namespace {

// Beside the program's folder, in a build as where it is installed; a build has links there.
fs::path share() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path() / "share";
}

}  // namespace

std::string shared_file(const std::string& name) {
  std::error_code error;
  const fs::path file = fs::canonical(share() / "lockstep" / name, error);
  if (error) throw Error(name + ": is not in " + share().string() + "; install Lockstep again");
  return file.string();
}

std::string etl_folder() { return (share() / "lockstep-etl").string(); }

std::string eigen_folder() { return (share() / "lockstep-eigen").string(); }

std::string page_file() { return (share() / "lockstep-view" / "page.html").string(); }

std::string mpi_file() { return (share() / "lockstep-mpi" / "lockstep_mpi.so").string(); }

std::string own_command() {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  std::istringstream words(read_text("/proc/self/cmdline"));
  std::string command = "lockstep", word;
  std::getline(words, word, '\0');
  while (std::getline(words, word, '\0')) {
    const bool plain = !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
    command += " " + (plain ? word : shell_quoted(word));
  }
  return command;
}

std::string read_text(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void keep_file(const std::string& path, const std::string& text) {
  if (read_text(path) != text) write_file(path, text);
}

}  // namespace lockstep::host
