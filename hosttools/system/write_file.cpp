#include "system/write_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "text/error.hpp"

namespace lockstep::host {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error(path + ": cannot be written (" + why + "); choose another output");
}

// An open file, written to with every error looked at. Returns errno or 0.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int write_and_close(int file, std::string_view text) {
  if (file < 0) return errno;
  const int error = write_all(file, text);
  // an interrupted close has closed
  return ::close(file) != 0 && errno != EINTR && error == 0 ? errno : error;
}

// A new file with this text, under its name only when it is whole: until then it has none, where
// the file system can do that, and so nothing stays of a program that is killed.
int write_new(const std::string& path, std::string_view text) {
  const fs::path folder = fs::path(path).parent_path();
  const int nameless =
      ::open(folder.empty() ? "." : folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (nameless < 0) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) return errno;
    const int error = write_and_close(file, text);
    if (error != 0) ::unlink(path.c_str());
    return error;
  }
  int error = write_all(nameless, text);
  const std::string name = "/proc/self/fd/" + std::to_string(nameless);
  if (error == 0 &&
      ::linkat(AT_FDCWD, name.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) != 0) {
    error = errno;
  }
  ::close(nameless);
  return error;
}

}  // namespace

void write_file(const std::string& path, std::string_view text) {
  if (path == "-") {
    if (const int error = write_all(STDOUT_FILENO, text); error != 0) {
      fail("standard output", std::strerror(error));
    }
    return;
  }
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) fail(path, "it is a folder");
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (const int error = write_and_close(file, text); error != 0) fail(path, std::strerror(error));
    return;
  }
  // a link stays a link: what it points to is replaced
  const fs::path target = fs::exists(status) ? fs::canonical(path, ignored) : fs::path(path);
  const std::string temporary = target.string() + "." + std::to_string(::getpid()) + ".tmp";
  int error = write_new(temporary, text);
  if (error != 0) fail(path, std::strerror(error));
  if (std::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail(path, std::strerror(error));
  }
}

}  // namespace lockstep::host
