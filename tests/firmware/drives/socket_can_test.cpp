// Frames as the kernel has them, and two sockets on a virtual bus where there is one: `vcan0`, by
//   ip link add dev vcan0 type vcan && ip link set vcan0 mtu 72 up
#include "drives/socket_can.hpp"

#include <CppUTest/TestHarness.h>

#include <cstdio>

#include "drives/moteus.hpp"

using namespace lockstep::drives;

namespace {

CanFrame torque() { return moteus::torque_command(3, 0.5f, 1, 0.02f); }

void check_equal(const CanFrame& expected, const CanFrame& actual) {
  LONGS_EQUAL(expected.id, actual.id);
  LONGS_EQUAL(expected.size, actual.size);
  MEMCMP_EQUAL(expected.data.data(), actual.data.data(), expected.size);
}

}  // namespace

TEST_GROUP(SocketCan){};

TEST(SocketCan, NumbersOfMoreThanElevenBitsAreExtended) {
  CanFrame frame = torque();
  canfd_frame raw = to_linux(frame);
  LONGS_EQUAL(0x80008003, raw.can_id);
  LONGS_EQUAL(48, raw.len);
  CHECK_TRUE((raw.flags & CANFD_BRS) != 0);
  check_equal(frame, from_linux(raw));
  frame.id = 0x300;
  raw = to_linux(frame);
  LONGS_EQUAL(0x300, raw.can_id);
  check_equal(frame, from_linux(raw));
}

TEST(SocketCan, WhatIsNotThereIsNotOpened) {
  SocketCan bus;
  CHECK_FALSE(bus.open("lockstep_none"));
  CanFrame frame;
  CHECK_FALSE(bus.send(torque()));
  CHECK_FALSE(bus.receive(frame));
}

TEST(SocketCan, FramesPassAVirtualBus) {
  SocketCan ours, theirs;
  if (!ours.open("vcan0")) {
    std::puts("left out: no vcan0");
    return;
  }
  CHECK_TRUE(theirs.open("vcan0"));
  CHECK_TRUE(ours.send(torque()));
  CanFrame frame;
  CHECK_TRUE(theirs.receive(frame));
  check_equal(torque(), frame);
  CHECK_FALSE(theirs.receive(frame));
}
