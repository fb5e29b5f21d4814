// What steppers ask of contacts, for mechanisms that touch nothing; contacts.hpp has the answers of
// those that do.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/status.hpp"

namespace lockstep::maximal {

struct NoContacts {
  static constexpr bool kNone = true;
  static constexpr bool touches() { return false; }
  static constexpr bool stopped_short() { return false; }
  static constexpr void begin() {}
  static Status find(const auto&, const auto&) { return Status::kOk; }
  static Status find_touched(const auto&, const auto&) { return Status::kOk; }
  static constexpr bool collides(const auto&, const auto&) { return false; }
  // never asked
  static Status press(const auto&, const auto&, const auto&, auto&) { return Status::kOk; }
  static Status collide(const auto&, const auto&, auto&) { return Status::kOk; }
  static Status support(const auto&, const auto&, bool, auto&) { return Status::kOk; }
  static Status settle(const auto&, const auto&, bool, auto&) { return Status::kOk; }
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
