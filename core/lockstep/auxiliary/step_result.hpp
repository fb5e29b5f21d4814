// What a bounded step did: the force of every row by what the row is, the contacts' forces, and how
// the rows' solver ended.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "lockstep/contact/contact_list.hpp"
#include "lockstep/integrate/settings.hpp"
#include "lockstep/rows/row.hpp"

namespace lockstep {

enum class RowOf : std::uint8_t {
  kModel,     // loops, then couplings
  kLower,     // a joint's lower end, or its speed downwards
  kUpper,     // the same upwards
  kFriction,  // of a joint
  kDrive,
  kTendon,
  kOwn,  // the caller's
  kContact,
};

// What a row is, from step to step. Its number is that of the model's row, the joint's body, the
// tendon or the own row; a contact has its bodies instead, and the rows between them are counted.
struct RowKey {
  RowOf of = RowOf::kModel;
  int number = 0;
  int other = kWorld, count = 0;
  constexpr bool operator==(const RowKey&) const = default;
};

template <class T>
struct ContactForce {
  contact::Contact<T> contact;
  T normal;          // N
  Vec3<T> friction;  // N, on A, in the world
};

template <class T, int kMaxRows, int kMaxContacts>
struct StepResult {
  int row_count = 0;
  std::array<RowKey, rows::at(kMaxRows)> keys = {};
  rows::Values<T, kMaxRows> forces = {};  // N or N m: impulses over the time step

  int contact_count = 0, contacts_left_out = 0;
  std::array<ContactForce<T>, rows::at(kMaxContacts)> contact_forces = {};

  T violation = T(0);  // the largest by which a row fails, in m/s or rad/s
  int redundant = 0, pivots = 0, sweeps = 0;
  rows::Stop stop = rows::Stop::kConverged;
  rows::GaveUp gave_up = rows::GaveUp::kNo;
  ConstraintErrors<T> drift;  // of the model's rows, after the step

  // Zero where the row was out of reach.
  T force(RowOf of, int number) const {
    T sum(0);
    for (int i = 0; i < row_count; ++i) {
      const RowKey& key = keys[rows::at(i)];
      if (key.of == of && key.number == number) sum = sum + forces[rows::at(i)];
    }
    return sum;
  }
  // What a joint's ends and its greatest speed exert along its coordinate.
  T limit_force(int body) const { return force(RowOf::kLower, body) - force(RowOf::kUpper, body); }

  std::span<const ContactForce<T>> contacts() const {
    return {contact_forces.data(), rows::at(contact_count)};
  }
};

}  // namespace lockstep
