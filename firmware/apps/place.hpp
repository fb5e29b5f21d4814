// Static memory that nobody sets up before main or tears down after it.
#pragma once

#include <cstddef>
#include <new>

namespace lockstep::firmware {

template <class T>
struct Place {
  alignas(T) std::byte bytes[sizeof(T)];
  T& get() { return *std::launder(reinterpret_cast<T*>(bytes)); }
};

}  // namespace lockstep::firmware
