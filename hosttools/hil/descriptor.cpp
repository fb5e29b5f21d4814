#include "hil/descriptor.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace lockstep::host::hil {

namespace {

constexpr std::chrono::seconds kWriteLimit(2);  // a frame takes milliseconds, at any speed

bool may_try_again(int error) { return error == EAGAIN || error == EINTR; }

}  // namespace

DescriptorTransport::DescriptorTransport(Descriptor link, Descriptor aside)
    : link_(std::move(link)), aside_(std::move(aside)) {}

void DescriptorTransport::listen_aside() {
  char text[1024];
  while (aside_.get() >= 0) {
    const ssize_t count = ::read(aside_.get(), text, sizeof text);
    if (count > 0) {
      hear({text, static_cast<std::size_t>(count)});
    } else if (count == 0) {
      aside_.reset();
    } else if (errno != EINTR) {
      return;
    }
  }
}

bool DescriptorTransport::wait_for(short events, Clock::time_point until) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd files[] = {{link_.get(), events, 0}, {aside_.get(), POLLIN, 0}};  // -1 is passed over
    const int ready = ::poll(files, 2, static_cast<int>(std::max<decltype(left)>(left, 0)));
    if (files[1].revents != 0) listen_aside();
    if (files[0].revents != 0) return true;
    if (ready <= 0 && Clock::now() >= until) return false;
  }
}

void DescriptorTransport::write(std::span<const std::uint8_t> bytes) {
  const auto limit = Clock::now() + kWriteLimit;
  while (!bytes.empty() && trouble_.empty()) {
    if (!wait_for(POLLOUT, limit)) {
      trouble_ = "takes no more bytes";
      return;
    }
    const ssize_t count = put(link_.get(), bytes);
    if (count >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    } else if (errno == EPIPE || errno == ECONNRESET) {
      return;  // what it sent before is still to be read, and then its end
    } else if (!may_try_again(errno)) {
      trouble_ = std::strerror(errno);
    }
  }
}

std::size_t DescriptorTransport::read(std::span<std::uint8_t> bytes,
                                      std::chrono::milliseconds wait) {
  if (bytes.empty() || !trouble_.empty()) return 0;
  const auto until = Clock::now() + wait;
  while (wait_for(POLLIN, until)) {
    const ssize_t count = ::read(link_.get(), bytes.data(), bytes.size());
    if (count > 0) return static_cast<std::size_t>(count);
    if (count < 0 && may_try_again(errno)) continue;
    trouble_ = count == 0 || errno == ECONNRESET ? "closed the link" : std::strerror(errno);
    break;
  }
  return 0;
}

}  // namespace lockstep::host::hil
