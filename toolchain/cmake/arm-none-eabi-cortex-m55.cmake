# Cortex-M55, float and double in hardware. Without the float half of its vector unit (Helium),
# which flushes subnormal numbers to zero whatever FPSCR says: the bits would differ.
set(LOCKSTEP_CPU_FLAGS "-mcpu=cortex-m55+nomve.fp -mfpu=auto")
set(LOCKSTEP_DOUBLE_FPU ON)
set(LOCKSTEP_BOARD mps3 CACHE STRING "files of the board in firmware/boards")
include("${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake")
