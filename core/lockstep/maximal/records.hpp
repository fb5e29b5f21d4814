// A mechanism's bodies as plain numbers, as constraint/records.hpp has its constraints.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/constraint/records.hpp"

namespace lockstep::maximal {

using namespace constraint;
using lockstep::at;

inline constexpr int kMaxBodyNumbers = 7;  // mass and inertia

struct BodyRecord {
  int type = 0;  // in Types::Bodies
  std::array<double, kMaxBodyNumbers> numbers = {};
  constexpr bool operator==(const BodyRecord&) const = default;
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
