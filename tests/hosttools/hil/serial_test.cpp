#include "hil/serial.hpp"

#include <CppUTest/TestHarness.h>
#include <pty.h>
#include <unistd.h>

#include "hosttools/hil/link_text.hpp"
#include "text/error.hpp"

using lockstep::host::Error;
using lockstep::host::hil::open_serial;
using lockstep::test::receive;
using lockstep::test::send;

namespace {

std::string complaint(const std::string& path, unsigned baud) {
  try {
    open_serial(path, baud);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

// A pseudo-terminal: its far end stands for the board.
TEST_GROUP(Serial) {
  int board = -1;
  std::string path;

  void setup() override {
    int port = -1;
    char name[64];
    LONGS_EQUAL(0, ::openpty(&board, &port, name, nullptr, nullptr));
    path = name;
    ::close(port);
  }
  void teardown() override { unplug(); }

  void unplug() {
    if (board >= 0) ::close(board);
    board = -1;
  }
};

TEST(Serial, EveryByteGoesThroughAsItIs) {
  const auto link = open_serial(path, 921600);
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  LONGS_EQUAL(256, ::write(board, all.data(), all.size()));
  CHECK_TRUE(receive(*link, 256) == all);
  send(*link, all);
  std::string back;
  while (back.size() < 256) {
    char bytes[256];
    const ssize_t count = ::read(board, bytes, sizeof bytes);
    CHECK_TRUE(count > 0);
    back.append(bytes, static_cast<std::size_t>(count));
  }
  CHECK_TRUE(back == all);
  STRCMP_EQUAL("", link->ended().c_str());
}

TEST(Serial, APulledPlugIsTold) {
  const auto link = open_serial(path, 115200);
  unplug();
  STRCMP_EQUAL("", receive(*link, 1).c_str());
  CHECK_TRUE(link->ended().ends_with("; is the board plugged in and running?"));
}

TEST(Serial, AMissingPortIsNamedWithARemedy) {
  const std::string text = complaint("/dev/ttyACM77", 115200);
  STRNCMP_EQUAL("/dev/ttyACM77: cannot be opened (No such file or directory); ", text.c_str(), 61);
  CHECK_TRUE(text.find("no port was found: plug") != std::string::npos ||
             text.find("ports found: /dev/") != std::string::npos);
}

TEST(Serial, WhatIsNoPortAndWhatIsNoSpeedIsRefused) {
  CHECK_TRUE(complaint("/dev/null", 115200).find("it is no serial port") != std::string::npos);
  CHECK_TRUE(complaint(path, 12345).find("give one of 9600 ") != std::string::npos);
}
