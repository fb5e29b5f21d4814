// Begins an example where its own system would; the compile line says which.
#include "boards/board.hpp"
#include "boards/port.hpp"

void lockstep::port::make_safe() {}  // no motors

#if defined(ARDUINO)
void setup();
void loop();
int lockstep::board::application() {
  setup();
  for (;;) loop();
}
#elif defined(ESP_PLATFORM)
#include "stand_in.hpp"

extern "C" void app_main();
extern "C" int printf(const char* format, ...) {
  va_list values;
  va_start(values, format);
  stand_in::print(format, values);
  va_end(values);
  return 0;
}
int lockstep::board::application() {
  app_main();
  return 1;
}
#else
int example_main();  // main, renamed by the compile line
int lockstep::board::application() { return example_main(); }
#endif
