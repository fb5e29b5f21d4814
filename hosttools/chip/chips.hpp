// The chips that are built for and emulated here, in one table.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "system/programs.hpp"

namespace lockstep::host {

struct Chip {
  std::string_view name;      // as --target takes it
  std::string_view compiler;  // the program
  bool has_double;            // in hardware
  double clock;               // Hz, of a widespread part of the kind
};

inline constexpr std::array kChips = {
    Chip{"cortex-m4f", "arm-none-eabi-g++", false, 168e6},     // STM32F4
    Chip{"cortex-m7", "arm-none-eabi-g++", true, 480e6},       // STM32H7
    Chip{"cortex-m55", "arm-none-eabi-g++", true, 400e6},      // Alif Ensemble
    Chip{"riscv32", "riscv64-unknown-elf-g++", false, 400e6},  // ESP32-P4
    Chip{"riscv64", "riscv64-unknown-elf-g++", true, 400e6},   // Kendryte K210
};

const Chip* find_chip(std::string_view name);  // none: null
std::vector<std::string> chip_names();

// Throws Error, or MissingTools that tells what to install; `name` is one of the chips.
void require_chip(const std::string& name, const std::string& scalar);

}  // namespace lockstep::host
