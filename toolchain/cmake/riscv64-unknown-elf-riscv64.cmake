# RISC-V of 64 bits, float and double in hardware.
set(LOCKSTEP_CPU_FLAGS "-march=rv64gc -mabi=lp64d")
set(LOCKSTEP_DOUBLE_FPU ON)
set(LOCKSTEP_BOARD virt CACHE STRING "files of the board in firmware/boards")
include("${CMAKE_CURRENT_LIST_DIR}/riscv64-unknown-elf.cmake")
