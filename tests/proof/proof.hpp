// What a proof speaks to; environment.c gives it to CBMC. A proof opens `private` to set any state.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
void any_bytes(void* to, std::size_t size);  // of any value
void assume(int holds);                      // nothing else is looked at
void must(int hold);
}

template <class T>
T any() {
  T value;
  any_bytes(&value, sizeof value);
  return value;
}
inline bool any_bool() { return (any<std::uint8_t>() & 1) != 0; }

#define PROOF extern "C" __attribute__((export_name("prove"))) void prove()
