// What a row is, from step to step, and the forces that rows had: where Gauss-Seidel starts from.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <span>

#include "lockstep/rows/row.hpp"

namespace lockstep {

enum class RowOf : std::uint8_t {
  kModel,     // loops, then couplings
  kLower,     // a joint's lower limit, or its speed downwards
  kUpper,     // the same upwards
  kFriction,  // of a joint
  kDrive,
  kTendon,
  kOwn,  // the caller's
  kContact,
};

// Its number is that of the model's row, the joint's body or bound, the tendon or the own row; a
// contact has its bodies instead, and the rows between them are counted.
struct RowKey {
  RowOf of = RowOf::kModel;
  int number = 0;
  int other = kWorld, count = 0;
  constexpr bool operator==(const RowKey&) const = default;
};

namespace rows {

template <class T, int kMaxRows>
struct WarmStart {
  int row_count = 0;
  std::array<RowKey, at(kMaxRows)> keys = {};
  Values<T, kMaxRows> forces = {};  // in whatever unit they were put in

  // Zero of a row that was not there.
  T of(const RowKey& key) const {
    for (int i = 0; i < row_count; ++i) {
      if (keys[at(i)] == key) return forces[at(i)];
    }
    return T(0);
  }
  // The same from `hint` on, which follows: rows that stand in the last step's order are found at
  // once. False if it was not there.
  bool find(const RowKey& key, int& hint, T& force) const {
    for (int i = 0; i < row_count; ++i, ++hint) {
      if (hint >= row_count) hint = 0;
      if (!(keys[at(hint)] == key)) continue;
      force = forces[at(hint++)];
      return true;
    }
    return false;
  }
  void forget() { row_count = 0; }
  // As if these had been the last step's. Unchanged unless kOk.
  Status recall(std::span<const RowKey> of, std::span<const T> values) {
    if (of.size() != values.size() || of.size() > at(kMaxRows)) return Status::kWrongSize;
    if (!all_finite(values.data(), static_cast<int>(values.size()))) return Status::kNotFinite;
    row_count = static_cast<int>(of.size());
    for (std::size_t i = 0; i < of.size(); ++i) keys[i] = of[i], forces[i] = values[i];
    return Status::kOk;
  }
};

}  // namespace rows
}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
