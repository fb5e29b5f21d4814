#include <unistd.h>

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

}  // namespace

int main(int argc, char** argv) {
  std::set_new_handler(out_of_memory);
  try {
    return lockstep::host::run_program(argc, argv, "lockstep " LOCKSTEP_VERSION);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
