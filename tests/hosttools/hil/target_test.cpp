#include "hil/target.hpp"

#include <CppUTest/TestHarness.h>

#include "hosttools/hil/link_text.hpp"
#include "support/scratch_folder.hpp"
#include "text/error.hpp"

using lockstep::host::Error;
using lockstep::host::hil::open_transport;
using lockstep::host::hil::parse_target;
using lockstep::host::hil::Target;
using lockstep::test::receive;

TEST_GROUP(Target){};

TEST(Target, HostEmulatorAndPortAreTold) {
  CHECK_TRUE(parse_target("host").kind == Target::Kind::kHost);
  const Target emulator = parse_target("qemu:cortex-m55");
  CHECK_TRUE(emulator.kind == Target::Kind::kEmulator);
  STRCMP_EQUAL("cortex-m55", emulator.detail.c_str());
  const Target port = parse_target("/dev/ttyACM0");
  CHECK_TRUE(port.kind == Target::Kind::kSerial);
  STRCMP_EQUAL("/dev/ttyACM0", port.detail.c_str());
}

TEST(Target, OthersAreRefusedWithTheChoices) {
  for (const char* text : {"", "qemu:", "qemu:cortex-m0", "qemu:/dev/null", "ttyACM0", "Host"}) {
    try {
      parse_target(text);
      FAIL(text);
    } catch (const Error& error) {
      STRCMP_EQUAL(
          ("--target " + std::string(text) +
           ": no such target; give host, qemu:cortex-m4f, qemu:cortex-m7, "
           "qemu:cortex-m55, qemu:riscv32, qemu:riscv64 or a serial port such as /dev/ttyACM0")
              .c_str(),
          error.what());
    }
  }
}

TEST(Target, AHostsFirmwareIsAProgram) {
  const lockstep::test::ScratchFolder folder;
  const std::string image = folder.write("firmware", "#!/bin/sh\necho here\nexit 4\n");
  std::filesystem::permissions(image, std::filesystem::perms::owner_all);
  const auto link = open_transport(parse_target("host"), image, 0);
  STRCMP_EQUAL("here\n", receive(*link, 100).c_str());
  STRCMP_EQUAL("the firmware on the host ended with code 4", link->ended().c_str());
}

TEST(Target, AnEmulatorThatCannotStartSaysSo) {
  const auto link = open_transport(parse_target("qemu:cortex-m7"), "/no/image", 0);
  STRCMP_EQUAL("", receive(*link, 1).c_str());
  STRNCMP_EQUAL("the emulator ended with code 1", link->ended().c_str(), 30);
  CHECK_TRUE(link->ended().find(": ") != std::string::npos);
}
