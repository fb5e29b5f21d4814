// Other programs that some commands need: compilers, the emulator, the project's own scripts.
#pragma once

#include <string>
#include <vector>

#include "text/error.hpp"

namespace lockstep::host {

// What is needed is not installed; the message tells what to install.
class MissingTools : public Error {
 public:
  using Error::Error;
};

struct Tool {
  std::string program, packages;  // Debian's
};

std::vector<Tool> host_tools();  // to build for this host

// Throws MissingTools; `option` is what asked for them, `setup` the option of toolchain/setup that
// installs them.
void require_tools(const std::string& option, const std::vector<Tool>& tools,
                   const std::string& setup = "--chips");

// Runs words[0] with the rest as its arguments, standard output into a file or, without one, as
// ours; errors too. True if it ended well. Ends with us when the user interrupts.
bool run_program(const std::vector<std::string>& words, const std::string& output = {},
                 const std::string& errors = {});

// A script or source of ours; `name` is a path in the project's tree. Throws Error when it is gone.
std::string shared_file(const std::string& name);

// The folder that holds etl/version.h, for what is built from these.
std::string etl_folder();

// The folder that holds Eigen/Core as this was built; what is installed has none of its own.
std::string eigen_folder();

// The page of `--report`, which is there if node was when this program was built.
std::string page_file();

// The module that joins the ranks of mpirun, which is there if MPI was when this program was built.
std::string mpi_file();

// What the user typed, as a shell takes it; the program is called lockstep wherever it is.
std::string own_command();

// The whole file, or nothing if there is none.
std::string read_text(const std::string& path);

// Writes a file, which stays as it is, and as old, where it says that already: a folder that was
// built is not built again.
void keep_file(const std::string& path, const std::string& text);

}  // namespace lockstep::host
