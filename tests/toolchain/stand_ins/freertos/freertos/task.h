// Stand-in for FreeRTOS's: the tick.
#pragma once


#include "freertos/FreeRTOS.h"
inline TickType_t xTaskGetTickCount() {
  stand_in::start();
  return 0;
}
inline void vTaskDelayUntil(TickType_t* woken, TickType_t ticks) {
  *woken += ticks;
  stand_in::end_after(*woken);
  while (stand_in::milliseconds() < *woken) lockstep::board::idle();
}
