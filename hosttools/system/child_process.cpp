#include "system/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "text/error.hpp"

namespace lockstep::host {

namespace {

using namespace std::chrono_literals;

struct PipeEnds {
  Descriptor from, to;
};

PipeEnds make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(std::string("no pipe: ") + std::strerror(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

// After the fork: only calls that are safe in a copy of who knows what.
[[noreturn]] void become(char* const* words, pid_t parent, int link, int errors, int report) {
  ::setpgid(0, 0);                     // so that it can be ended with what it starts
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // which a servo takes to switch its motors off
  if (::getppid() != parent) ::_exit(1);
  if (::dup2(link, STDIN_FILENO) >= 0 && ::dup2(link, STDOUT_FILENO) >= 0 &&
      ::dup2(errors, STDERR_FILENO) >= 0) {
    ::execvp(words[0], words);
  }
  const int error = errno;
  const ssize_t ignored = ::write(report, &error, sizeof error);
  static_cast<void>(ignored);
  ::_exit(127);
}

}  // namespace

void Descriptor::reset() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

ChildProcess::ChildProcess(const std::vector<std::string>& words, Errors where) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw Error(std::string("no socket: ") + std::strerror(errno));
  }
  link = Descriptor(ends[0]);
  Descriptor theirs(ends[1]);
  PipeEnds aside = make_pipe(), report = make_pipe();
  errors = std::move(aside.from);
  ::fcntl(link.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(errors.get(), F_SETFL, O_NONBLOCK);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  const pid_t parent = ::getpid();
  child_ = ::fork();
  if (child_ < 0) throw Error(std::string("no process: ") + std::strerror(errno));
  if (child_ == 0) {
    become(arguments.data(), parent, theirs.get(),
           where == Errors::kPiped ? aside.to.get() : STDERR_FILENO, report.to.get());
  }
  ::setpgid(child_, child_);  // here too: whoever comes first
  report.to.reset();
  int error = 0;  // stays when exec closes the pipe
  ssize_t told = 0;
  do {
    told = ::read(report.from.get(), &error, sizeof error);
  } while (told < 0 && errno == EINTR);
  if (told > 0) {
    while (::waitpid(child_, &status_, 0) < 0 && errno == EINTR) {
    }
    throw Error(words[0] + ": cannot be run (" + std::strerror(error) +
                "); give a program that exists and may be executed");
  }
}

ChildProcess::~ChildProcess() {
  if (has_ended(0ms)) return;
  ::kill(-child_, SIGTERM);
  if (has_ended(1s)) return;
  ::kill(-child_, SIGKILL);
  has_ended(1s);
}

bool ChildProcess::has_ended(std::chrono::milliseconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  while (!reaped_) {
    reaped_ = ::waitpid(child_, &status_, WNOHANG) == child_;
    if (reaped_ || std::chrono::steady_clock::now() >= until) break;
    std::this_thread::sleep_for(2ms);
  }
  return reaped_;
}

std::string ChildProcess::how_it_ended() const {
  if (WIFEXITED(status_)) return "ended with code " + std::to_string(WEXITSTATUS(status_));
  const int signal = WTERMSIG(status_);
  return "was ended by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
}

}  // namespace lockstep::host
