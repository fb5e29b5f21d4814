// A bare Cortex-M4F: SysTick wakes a loop once a millisecond, the loop holds an arm. Ends with a
// hash on the UART that on_host.cpp prints too.
#include <cstdint>

#include "hold.hpp"

namespace {

volatile std::uint32_t& at(std::uintptr_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(address);
}

// the CMSDK UART of the MPS2 board
void put(char c) {
  while ((at(0x40004004) & 1u) != 0) {
  }
  at(0x40004000) = static_cast<std::uint32_t>(c);
}
void put(const char* text) {
  while (*text != '\0') put(*text++);
}
void put_hex(std::uint64_t value) {
  for (int shift = 60; shift >= 0; shift -= 4) put("0123456789abcdef"[(value >> shift) & 15u]);
}

// the emulator's exit, with a code
[[noreturn]] void leave(std::uint32_t code) {
  const std::uint32_t block[] = {0x20026, code};
  register std::uint32_t what asm("r0") = 0x20;
  register const std::uint32_t* where asm("r1") = block;
  asm volatile("bkpt 0xAB" : : "r"(what), "r"(where) : "memory");
  while (true) {
  }
}

volatile std::uint32_t ticks = 0;
Hold hold;

}  // namespace

extern "C" void systick_handler() { ticks = ticks + 1; }

int main() {
  at(0x40004008) = 1;      // UART: transmit
  at(0xE000E014) = 24999;  // SysTick: 25 MHz, a period of 1 ms
  at(0xE000E018) = 0;
  at(0xE000E010) = 7;  // the CPU's clock, interrupt, on

  hold.start();
  for (std::uint32_t done = 0; done < Hold::kTicks; ++done) {
    while (ticks == done) asm volatile("wfi");
    if (!hold.tick()) leave(1);
  }
  put("held for 500 ticks, hash ");
  put_hex(hold.hash());
  put('\n');
  leave(ticks < Hold::kTicks ? 2 : 0);
}
