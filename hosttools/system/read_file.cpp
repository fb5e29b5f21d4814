#include "system/read_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "text/error.hpp"

namespace lockstep::host {

FileText try_read_file(const std::filesystem::path& file, std::size_t most) {
  FileText text;
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  int error = descriptor < 0 ? errno : 0;
  std::string block(std::size_t{1} << 16, '\0');
  while (error == 0 && text.bytes.size() <= most) {
    const ssize_t count = ::read(descriptor, block.data(), block.size());
    if (count == 0) break;
    if (count > 0) {
      text.bytes.append(block, 0, static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (descriptor >= 0) ::close(descriptor);
  if (error != 0) text.trouble = std::string("cannot be read (") + std::strerror(error) + ")";
  return text;
}

std::string read_file(const std::filesystem::path& file, std::size_t most,
                      const std::string& remedy) {
  FileText text = try_read_file(file, most);
  if (text.trouble.empty() && text.bytes.size() > most) {
    text.trouble = "is larger than " + std::to_string(most / kMebibyte) + " MiB";
  }
  if (!text.trouble.empty()) throw Error(file.string() + ": " + text.trouble + "; " + remedy);
  return std::move(text.bytes);
}

}  // namespace lockstep::host
