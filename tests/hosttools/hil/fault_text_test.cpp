#include "hil/fault_text.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;
using host::hil::fault_text;

TEST_GROUP(FaultText){};

TEST(FaultText, TellsWhatHappenedWhereAndWhen) {
  STRCMP_EQUAL(
      "hard fault: an undefined instruction at step 1001; pc 0x08001234, lr 0x08004321, cfsr "
      "0x00010000, hfsr 0x40000000; `arm-none-eabi-addr2line -e IMAGE 0x08001234` names the line",
      fault_text({.there = true,
                  .count = 1,
                  .step = 1001,
                  .exception = 3,
                  .pc = 0x08001234,
                  .lr = 0x08004321,
                  .cfsr = 0x00010000,
                  .hfsr = 0x40000000})
          .c_str());
  STRCMP_EQUAL("no fault", fault_text({}).c_str());
}

TEST(FaultText, AddressesAndInterruptsAreNamed) {
  // as a Cortex-M4F told when its stack met the guard
  const std::string overflow =
      fault_text({.there = true, .count = 2, .exception = 3, .cfsr = 0x92, .mmfar = 0x200001f0});
  CHECK_TRUE(overflow.find("hard fault: data where none may be accessed; no access to the stack on "
                           "entry of an exception: it overflowed, at address 0x200001f0") == 0);
  CHECK_TRUE(overflow.find("the last of 2") != std::string::npos);
  CHECK_TRUE(fault_text({.there = true, .exception = 54}).find("interrupt 38, which nobody") == 0);
  CHECK_TRUE(fault_text({.there = true, .exception = 6, .cfsr = 1u << 20})
                 .find("usage fault: the stack overflowed") == 0);
}

TEST(FaultText, ARiscvHasItsOwnNumbersAndNames) {
  // as the emulated riscv32 told when its stack met the guard
  STRCMP_EQUAL(
      "data written where none may be, as when the stack overflows at step 43, the last of 2; pc "
      "0x80000750, ra 0x8000076c, sp 0x80400100, mtval 0x80400178; `riscv64-unknown-elf-addr2line "
      "-e IMAGE 0x80000750` names the line",
      fault_text({.there = true,
                  .count = 2,
                  .step = 43,
                  .exception = 7,
                  .cpu = link::Cpu::kRiscv,
                  .pc = 0x80000750,
                  .lr = 0x8000076c,
                  .frame = 0x80400100,
                  .mmfar = 0x80400178})
          .c_str());
  CHECK_TRUE(fault_text({.there = true, .exception = 2, .cpu = link::Cpu::kRiscv})
                 .find("an illegal instruction") == 0);
  CHECK_TRUE(fault_text({.there = true, .exception = 256 + 11, .cpu = link::Cpu::kRiscv})
                 .find("interrupt 11, which nobody") == 0);
  CHECK_TRUE(fault_text({.there = true, .exception = 2, .cpu = link::Cpu(2)})
                 .find("a fault of a CPU that this tool does not know") == 0);
}
