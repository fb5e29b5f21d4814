# require_tools_of CPU: skips the test where its compiler or emulator is missing, and sets `prefix`, of
# the names of the compiler's programs.
require_tools_of() {
  local tool emulator=qemu-system-arm option=--chips
  prefix=arm-none-eabi
  if [[ $1 == riscv* ]]; then
    prefix=riscv64-unknown-elf
    emulator=qemu-system-$1
    option=--riscv
  fi
  for tool in "$prefix-g++" "$emulator"; do
    command -v "$tool" >/dev/null && continue
    echo "$(basename "$0"): skipped, no $tool; toolchain/setup $option installs it"
    exit 77
  done
}
