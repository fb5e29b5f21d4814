// A CAN-FD interface of Linux, such as can0, as a bus that never waits; open until the process ends.
#pragma once

#include <fcntl.h>
#include <linux/can.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "drives/can.hpp"

namespace lockstep::drives {

// As the kernel has frames: what is no standard number is an extended one; data at the fast rate.
inline canfd_frame to_linux(const CanFrame& frame) {
  canfd_frame raw{};
  raw.can_id = frame.id > CAN_SFF_MASK ? frame.id | CAN_EFF_FLAG : frame.id;
  raw.len = frame.size;
  raw.flags = CANFD_BRS;
  std::ranges::copy(frame.bytes(), raw.data);
  return raw;
}
inline CanFrame from_linux(const canfd_frame& raw) {
  CanFrame frame;
  frame.id = raw.can_id & ((raw.can_id & CAN_EFF_FLAG) != 0 ? CAN_EFF_MASK : CAN_SFF_MASK);
  frame.size = std::min<std::uint8_t>(raw.len, CANFD_MAX_DLEN);
  std::copy_n(raw.data, frame.size, frame.data.begin());
  return frame;
}

class SocketCan {
 public:
  SocketCan() = default;
  SocketCan(const SocketCan&) = delete;
  SocketCan& operator=(const SocketCan&) = delete;

  // False: there is no such interface, or none that takes CAN-FD.
  bool open(const char* interface) {
    file_ = socket(PF_CAN, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, CAN_RAW);
    if (file_ < 0) return false;
    const int on = 1;
    sockaddr_can address{};
    address.can_family = AF_CAN;
    address.can_ifindex = static_cast<int>(if_nametoindex(interface));
    return address.can_ifindex != 0 &&
           setsockopt(file_, SOL_CAN_RAW, CAN_RAW_FD_FRAMES, &on, sizeof on) == 0 &&
           bind(file_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  bool send(const CanFrame& frame) {
    const canfd_frame raw = to_linux(frame);
    return write(file_, &raw, CANFD_MTU) == static_cast<ssize_t>(CANFD_MTU);
  }
  // Frames of remote requests and errors are none.
  bool receive(CanFrame& frame) {
    canfd_frame raw{};
    const ssize_t size = read(file_, &raw, CANFD_MTU);
    if (size != static_cast<ssize_t>(CANFD_MTU) && size != static_cast<ssize_t>(CAN_MTU)) {
      return false;
    }
    if ((raw.can_id & (CAN_RTR_FLAG | CAN_ERR_FLAG)) != 0) raw.len = 0;
    frame = from_linux(raw);
    return true;
  }

 private:
  int file_ = -1;
};

}  // namespace lockstep::drives
