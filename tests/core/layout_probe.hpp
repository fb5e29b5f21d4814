// What objects of one program must agree on, whatever flags each was compiled with.
#pragma once

#include <array>
#include <cstddef>

namespace lockstep::test {

struct Layout {
  const char* type;
  std::size_t size, alignment;
};
using Layouts = std::array<Layout, 50>;

// layout_probe.cpp, compiled three times
extern const Layouts kWithoutAvx, kWithAvx2, kWithAvx512;

}  // namespace lockstep::test
