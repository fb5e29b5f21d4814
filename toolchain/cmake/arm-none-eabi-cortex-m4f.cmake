# Cortex-M4F, float in hardware only: double would be software.
set(LOCKSTEP_CPU_FLAGS "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16")
set(LOCKSTEP_DOUBLE_FPU OFF)
set(LOCKSTEP_BOARD mps2 CACHE STRING "files of the board in firmware/boards")
include("${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake")
