// A program that runs beside this one: its standard input and output are a socket. It ends with its
// owner, or with this program however that ends.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "system/descriptor.hpp"

namespace lockstep::host {

class ChildProcess {
 public:
  enum class Errors { kPiped, kShared };  // its standard error: our `errors`, or this program's

  // Starts words[0] with the rest as its arguments. Throws Error when it cannot be run.
  explicit ChildProcess(const std::vector<std::string>& words, Errors errors = Errors::kPiped);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // The ends of this side, which do not block: to be taken once.
  Descriptor link, errors;

  // Whether it has ended, by then.
  bool has_ended(std::chrono::milliseconds limit);
  std::string how_it_ended() const;  // "ended with code 1"

 private:
  pid_t child_ = -1;
  bool reaped_ = false;
  int status_ = 0;
};

}  // namespace lockstep::host
