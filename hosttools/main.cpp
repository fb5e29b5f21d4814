#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>

#include "options/program.hpp"

namespace {

// Ends the program at once: as an exception, it could meet a destructor that needs memory too.
[[noreturn]] void out_of_memory() {
  constexpr std::string_view kWhy =
      "lockstep: the memory does not suffice; give a smaller file, or raise its limit (ulimit "
      "-v)\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kWhy.data(), kWhy.size());
  std::_Exit(1);
}

// Before the static objects of other files, which need memory too.
[[gnu::constructor(101)]] void prepare() { std::set_new_handler(out_of_memory); }

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond its limit is an error that is told, not an end
  try {
    const int code = lockstep::host::run_tool(argc, argv, "lockstep " LOCKSTEP_VERSION);
    if (std::cout.flush()) return code;
    std::cerr << "standard output: cannot be written; choose another output\n";
    return 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
