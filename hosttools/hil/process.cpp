#include "hil/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <thread>

#include "hil/descriptor.hpp"
#include "text/error.hpp"
#include "text/number.hpp"

namespace lockstep::host::hil {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kKeptLines = 20, kKeptColumns = 400;

// The last lines of a text that comes in pieces.
class Tail {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      if (c == '\n') {
        end_line();
      } else if (line_.size() < kKeptColumns && c != '\r') {
        line_ += c;
      }
    }
  }

  std::string text() const {
    std::string all = listed(lines_, "\n");
    if (!line_.empty()) all += (all.empty() ? "" : "\n") + line_;
    return all;
  }

 private:
  void end_line() {
    if (line_.empty()) return;
    lines_.push_back(std::move(line_));
    line_.clear();
    if (lines_.size() > kKeptLines) lines_.pop_front();
  }

  std::deque<std::string> lines_;
  std::string line_;
};

std::string how_it_ended(int status) {
  if (WIFEXITED(status)) return "ended with code " + std::to_string(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  return "was ended by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
}

class Process final : public DescriptorTransport {
 public:
  Process(std::string name, pid_t child, Descriptor link, Descriptor errors)
      : DescriptorTransport(std::move(link), std::move(errors)),
        name_(std::move(name)),
        child_(child) {}

  ~Process() override {
    if (reap(0ms)) return;
    ::kill(-child_, SIGTERM);
    if (reap(1s)) return;
    ::kill(-child_, SIGKILL);
    reap(1s);
  }

  std::string ended() override {
    // who closes the link is about to end
    if (!reap(trouble().empty() ? 0ms : 100ms)) {
      return trouble().empty() ? "" : name_ + " " + trouble() + with_errors();
    }
    return name_ + " " + how_it_ended(status_) + with_errors();
  }

 private:
  ssize_t put(int file, std::span<const std::uint8_t> bytes) override {
    return ::send(file, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }

  void hear(std::string_view text) override { errors_.add(text); }

  std::string with_errors() {
    listen_aside();
    const std::string text = errors_.text();
    return text.empty() ? "" : ": " + text;
  }

  bool reap(std::chrono::milliseconds limit) {
    const auto until = std::chrono::steady_clock::now() + limit;
    while (!reaped_) {
      reaped_ = ::waitpid(child_, &status_, WNOHANG) == child_;
      if (reaped_ || std::chrono::steady_clock::now() >= until) break;
      std::this_thread::sleep_for(2ms);
    }
    return reaped_;
  }

  std::string name_;
  pid_t child_;
  bool reaped_ = false;
  int status_ = 0;
  Tail errors_;
};

struct Pipe {
  Descriptor from, to;
};

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(std::string("no pipe: ") + std::strerror(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

// After the fork: only calls that are safe in a copy of who knows what.
[[noreturn]] void become(char* const* words, pid_t parent, int link, int errors, int report) {
  ::setpgid(0, 0);  // so that it can be ended with what it starts
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
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

std::unique_ptr<Transport> start_process(const std::string& name,
                                         const std::vector<std::string>& words) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw Error(std::string("no socket: ") + std::strerror(errno));
  }
  Descriptor ours(ends[0]), theirs(ends[1]);
  Pipe errors = make_pipe(), report = make_pipe();
  ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(errors.from.get(), F_SETFL, O_NONBLOCK);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  const pid_t parent = ::getpid(), child = ::fork();
  if (child < 0) throw Error(std::string("no process: ") + std::strerror(errno));
  if (child == 0) {
    become(arguments.data(), parent, theirs.get(), errors.to.get(), report.to.get());
  }
  ::setpgid(child, child);  // here too: whoever comes first
  auto process = std::make_unique<Process>(name, child, std::move(ours), std::move(errors.from));
  report.to.reset();
  int error = 0;  // stays when exec closes the pipe
  if (::read(report.from.get(), &error, sizeof error) > 0) {
    throw Error(words[0] + ": cannot be run (" + std::strerror(error) +
                "); give a program that exists and may be executed");
  }
  return process;
}

}  // namespace lockstep::host::hil
