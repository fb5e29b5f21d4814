#include "chip/chips.hpp"

#include <algorithm>

namespace lockstep::host {

namespace {

// What it takes to build for a chip, and to run what was built in the emulator.
void require_tools_of(const Chip& chip) {
  std::vector<Tool> tools = {{"cmake", "cmake"}, {"ninja", "ninja-build"}};
  if (chip.name.starts_with("riscv")) {
    tools.push_back({"riscv64-unknown-elf-g++",
                     "gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf "
                     "libstdc++-arm-none-eabi-dev"});
    tools.push_back({"qemu-system-" + std::string(chip.name), "qemu-system-misc"});
    return require_tools("--target", tools, "--riscv");
  }
  tools.push_back({"arm-none-eabi-g++", "gcc-arm-none-eabi libstdc++-arm-none-eabi-newlib"});
  tools.push_back({"qemu-system-arm", "qemu-system-arm"});
  require_tools("--target", tools);
}

}  // namespace

const Chip* find_chip(std::string_view name) {
  const auto found = std::ranges::find(kChips, name, &Chip::name);
  return found == kChips.end() ? nullptr : &*found;
}

std::vector<std::string> chip_names() {
  std::vector<std::string> names;
  for (const Chip& chip : kChips) names.emplace_back(chip.name);
  return names;
}

void require_chip(const std::string& name, const std::string& scalar) {
  const Chip* chip = find_chip(name);
  if (chip == nullptr) throw Error("--target " + name + ": no such chip");
  if (scalar == "double" && !chip->has_double) {
    throw Error("--scalar double: a " + name + " has no double in hardware; use float");
  }
  require_tools_of(*chip);
}

}  // namespace lockstep::host
