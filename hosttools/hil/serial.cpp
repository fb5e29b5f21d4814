#include "hil/serial.hpp"

#include <fcntl.h>
#include <glob.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "hil/descriptor.hpp"
#include "text/error.hpp"

namespace lockstep::host::hil {

namespace {

struct Speed {
  unsigned baud;
  speed_t code;
};
constexpr Speed kSpeeds[] = {{9600, B9600},       {19200, B19200},     {38400, B38400},
                             {57600, B57600},     {115200, B115200},   {230400, B230400},
                             {460800, B460800},   {921600, B921600},   {1000000, B1000000},
                             {2000000, B2000000}, {3000000, B3000000}, {4000000, B4000000}};

speed_t speed_of(const std::string& path, unsigned baud) {
  const auto found = std::ranges::find(kSpeeds, baud, &Speed::baud);
  if (found != std::end(kSpeeds)) return found->code;
  std::string known;
  for (const Speed& speed : kSpeeds) known += " " + std::to_string(speed.baud);
  throw Error(path + ": " + std::to_string(baud) + " baud is no speed of a port; give one of" +
              known);
}

std::string ports_found() {
  glob_t found{};
  int flags = 0;
  for (const char* pattern : {"/dev/serial/by-id/*", "/dev/ttyACM*", "/dev/ttyUSB*"}) {
    ::glob(pattern, flags, nullptr, &found);
    flags = GLOB_APPEND;
  }
  std::string ports;
  for (std::size_t i = 0; i < found.gl_pathc; ++i) ports += std::string(" ") + found.gl_pathv[i];
  ::globfree(&found);
  return ports.empty() ? "no port was found: plug the board in" : "ports found:" + ports;
}

[[noreturn]] void fail(const std::string& path, int error) {
  std::string remedy = ports_found();
  if (error == EACCES) {
    remedy = "join its group with `sudo usermod -aG dialout $USER` and log in again";
  } else if (error == EBUSY) {
    remedy = "another program holds it: end that one";
  } else if (error == ENOTTY) {
    remedy = "it is no serial port; " + remedy;
  }
  throw Error(path + ": cannot be opened (" + std::strerror(error) + "); " + remedy);
}

class Serial final : public DescriptorTransport {
 public:
  explicit Serial(Descriptor port) : DescriptorTransport(std::move(port)) {}

  std::string ended() override {
    return trouble().empty() ? "" : trouble() + "; is the board plugged in and running?";
  }

 private:
  ssize_t put(int file, std::span<const std::uint8_t> bytes) override {
    return ::write(file, bytes.data(), bytes.size());
  }
};

}  // namespace

std::unique_ptr<Transport> open_serial(const std::string& path, unsigned baud) {
  const speed_t speed = speed_of(path, baud);
  // without O_NONBLOCK, open would wait for a modem's carrier
  Descriptor port(::open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  termios settings{};
  if (port.get() < 0 || ::tcgetattr(port.get(), &settings) != 0) fail(path, errno);
  ::cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  settings.c_cflag &= ~static_cast<tcflag_t>(CSTOPB | CRTSCTS);
  if (::cfsetspeed(&settings, speed) != 0 || ::tcsetattr(port.get(), TCSANOW, &settings) != 0 ||
      ::ioctl(port.get(), TIOCEXCL) != 0 || ::tcflush(port.get(), TCIOFLUSH) != 0) {
    fail(path, errno);
  }
  return std::make_unique<Serial>(std::move(port));
}

}  // namespace lockstep::host::hil
