#include "hil/fault_text.hpp"

#include "text/number.hpp"

namespace lockstep::host::hil {

namespace {

std::string riscv_kind_of(std::uint32_t exception) {
  switch (exception) {
    case 0: return "a jump to an unaligned address";
    case 1: return "an instruction where none may be fetched";
    case 2: return "an illegal instruction, or the FPU is off";
    case 3: return "a breakpoint";
    case 4: return "an unaligned load";
    case 5: return "data read where none may be";
    case 6: return "an unaligned store";
    case 7: return "data written where none may be, as when the stack overflows";
    default: break;
  }
  if (exception < link::kFirstRiscvInterrupt) return "exception " + std::to_string(exception);
  const std::uint32_t number = exception - link::kFirstRiscvInterrupt;
  return "interrupt " + std::to_string(number) + ", which nobody handles";
}

std::string arm_kind_of(std::uint32_t exception) {
  switch (exception) {
    case 2: return "non-maskable interrupt: the loop hung, as the watchdog told, or a clock failed";
    case 3: return "hard fault";
    case 4: return "memory fault";
    case 5: return "bus fault";
    case 6: return "usage fault";
    default: break;
  }
  if (exception < 16) return "exception " + std::to_string(exception);
  return "interrupt " + std::to_string(exception - 16) + ", which nobody handles";
}

// The bits of CFSR that name a cause (Armv7-M, Armv8-M).
std::string causes_of(std::uint32_t cfsr) {
  static constexpr struct {
    int bit;
    const char* name;
  } kCauses[] = {{0, "an instruction where none may be fetched"},
                 {1, "data where none may be accessed"},
                 {3, "no access to the stack on return from an exception"},
                 {4, "no access to the stack on entry of an exception: it overflowed"},
                 {8, "an instruction could not be fetched"},
                 {9, "data at an address that does not answer"},
                 {10, "data written to an address that does not answer, some instructions before"},
                 {11, "the stack does not answer on return from an exception"},
                 {12, "the stack does not answer on entry of an exception: it overflowed"},
                 {16, "an undefined instruction"},
                 {17, "an instruction in an invalid state"},
                 {18, "an invalid return from an exception"},
                 {19, "no coprocessor: the FPU is off"},
                 {20, "the stack overflowed"},
                 {24, "an unaligned access"},
                 {25, "a division by zero"}};
  std::string text;
  for (const auto& cause : kCauses) {
    if ((cfsr >> cause.bit & 1) != 0) text += (text.empty() ? "" : "; ") + std::string(cause.name);
  }
  return text;
}

}  // namespace

std::string fault_text(const link::FaultReply& fault) {
  if (!fault.there) return "no fault";
  if (fault.cpu != link::Cpu::kArm && fault.cpu != link::Cpu::kRiscv) {
    return "a fault of a CPU that this tool does not know; use the one of the image's release";
  }
  const bool is_arm = fault.cpu == link::Cpu::kArm;
  std::string text = is_arm ? arm_kind_of(fault.exception) : riscv_kind_of(fault.exception);
  if (is_arm) {
    if (const std::string causes = causes_of(fault.cfsr); !causes.empty()) text += ": " + causes;
    if ((fault.cfsr & 1u << 7) != 0) text += format(", at address 0x%08x", fault.mmfar);
    if ((fault.cfsr & 1u << 15) != 0) text += format(", at address 0x%08x", fault.bfar);
  }
  text += " at step " + std::to_string(fault.step);
  if (fault.count > 1) text += ", the last of " + std::to_string(fault.count);
  text += is_arm ? format("; pc 0x%08x, lr 0x%08x, cfsr 0x%08x, hfsr 0x%08x; `arm-none-eabi",
                          fault.pc, fault.lr, fault.cfsr, fault.hfsr)
                 : format("; pc 0x%08x, ra 0x%08x, sp 0x%08x, mtval 0x%08x; `riscv64-unknown-elf",
                          fault.pc, fault.lr, fault.frame, fault.mmfar);
  return text + format("-addr2line -e IMAGE 0x%08x` names the line", fault.pc);
}

std::string reset_text(link::ResetReason reason) {
  switch (reason) {
    case link::ResetReason::kWatchdog: return "the hardware watchdog reset it";
    case link::ResetReason::kBrownOut: return "its supply broke down and came back";
    default: return "";
  }
}

}  // namespace lockstep::host::hil
