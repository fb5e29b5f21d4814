# Cortex-M7, float and double in hardware.
set(LOCKSTEP_CPU_FLAGS "-mcpu=cortex-m7 -mfpu=fpv5-d16")
set(LOCKSTEP_DOUBLE_FPU ON)
set(LOCKSTEP_BOARD mps2 CACHE STRING "files of the board in firmware/boards")
include("${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake")
