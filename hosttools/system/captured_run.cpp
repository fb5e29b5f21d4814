#include "system/captured_run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "text/error.hpp"

namespace lockstep::host {

namespace {

// Closed when the object goes.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw Error("no pipe to another program; try again");
  }
  ~Pipe() {
    close_writing();
    ::close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  void close_writing() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_ = {-1, -1};
};

// Until both are at their end; false if one is longer than `most`.
bool read_both(int output, int errors, std::size_t most, CapturedRun& run) {
  std::array<pollfd, 2> ends = {pollfd{output, POLLIN, 0}, pollfd{errors, POLLIN, 0}};
  const std::array<std::string*, 2> texts = {&run.output, &run.errors};
  std::string block(std::size_t{1} << 16, '\0');
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (::poll(ends.data(), ends.size(), -1) < 0) {
      if (errno == EINTR) continue;  // what it told before is no longer so
      return false;
    }
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const ssize_t count = ::read(ends[i].fd, block.data(), block.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) {
        ends[i].fd = -1;  // poll passes it over
        continue;
      }
      texts[i]->append(block, 0, static_cast<std::size_t>(count));
      if (texts[i]->size() > most) return false;
    }
  }
  return true;
}

}  // namespace

CapturedRun run_captured(const std::vector<std::string>& words, std::size_t most) {
  CapturedRun run;
  Pipe output, errors;
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, output.writing(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors.writing(), STDERR_FILENO);
  pid_t child = 0;
  run.found =
      ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ) == 0;
  ::posix_spawn_file_actions_destroy(&actions);
  output.close_writing();
  errors.close_writing();
  if (!run.found) return run;
  const bool whole = read_both(output.reading(), errors.reading(), most, run);
  if (!whole) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  run.ended_well = whole && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return run;
}

}  // namespace lockstep::host
