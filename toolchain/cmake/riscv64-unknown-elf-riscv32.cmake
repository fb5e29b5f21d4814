# RISC-V of 32 bits, float in hardware only: double would be software.
set(LOCKSTEP_CPU_FLAGS "-march=rv32imafc -mabi=ilp32f")
set(LOCKSTEP_DOUBLE_FPU OFF)
set(LOCKSTEP_BOARD virt CACHE STRING "files of the board in firmware/boards")
include("${CMAKE_CURRENT_LIST_DIR}/riscv64-unknown-elf.cmake")
