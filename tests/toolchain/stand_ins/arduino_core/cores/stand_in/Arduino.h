// What the sketch calls, declared: it is compiled with this, and not run.
#pragma once

unsigned long micros();
struct Port {
  void begin(unsigned long baud);
  void print(const char* text);
  void print(char letter);
  void print(int number);
  void println();
};
extern Port Serial;
void setup();
void loop();
