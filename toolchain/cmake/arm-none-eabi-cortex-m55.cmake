# Cortex-M55, float and double in hardware.
set(LOCKSTEP_CPU_FLAGS "-mcpu=cortex-m55 -mfpu=auto")
set(LOCKSTEP_DOUBLE_FPU ON)
include("${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake")
