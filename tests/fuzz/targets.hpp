// Everything that reads what strangers wrote, each as a function of bytes. What is wrong with the
// bytes has to come as the one error that its reader throws; what is read has to be sound. A
// complaint aborts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lockstep::fuzz {

using Bytes = std::span<const std::uint8_t>;

struct Target {
  const char* name;  // of its folder in corpus/
  bool (*run)(Bytes);  // whether the bytes were taken
};
std::span<const Target> targets();

void complain_unless(bool holds, const char* what);  // ends the program

// readers.cpp
bool urdf(Bytes);
bool mechanism(Bytes);
bool states(Bytes);
bool start(Bytes);
bool scenario(Bytes);
bool record(Bytes);
bool torques(Bytes);
bool heights(Bytes);
bool stl(Bytes);
bool obj(Bytes);
bool collada(Bytes);
// link.cpp
bool frames(Bytes);
bool session(Bytes);

}  // namespace lockstep::fuzz
