// What a bounded step did: the force of every row by what the row is, the contacts' forces, and how
// the rows' solver ended.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstdint>
#include <span>

#include "lockstep/contact/contact_list.hpp"
#include "lockstep/integrate/settings.hpp"
#include "lockstep/rows/warm_start.hpp"

namespace lockstep {

template <class T>
struct ContactForce {
  contact::Contact<T> contact;
  T normal;          // N
  Vec3<T> friction;  // N, on A, in the world
};

// The rows' forces are in N or N m: impulses over the time step.
template <class T, int kMaxRows, int kMaxContacts>
struct StepResult : rows::WarmStart<T, kMaxRows> {
  int contact_count = 0, contacts_left_out = 0;
  std::array<ContactForce<T>, at(kMaxContacts)> contact_forces = {};

  T violation = T(0);  // the largest by which a row fails, in m/s or rad/s
  int redundant = 0, pivots = 0, sweeps = 0;
  rows::Stop stop = rows::Stop::kConverged;
  rows::GaveUp gave_up = rows::GaveUp::kNo;
  ConstraintErrors<T> errors;  // of the model's rows, after the step

  // Zero where the row was out of reach.
  T force(RowOf of, int number) const {
    T sum(0);
    for (int i = 0; i < this->row_count; ++i) {
      const RowKey& key = this->keys[at(i)];
      if (key.of == of && key.number == number) sum = sum + this->forces[at(i)];
    }
    return sum;
  }
  // What a joint's limits and its greatest speed exert along its coordinate.
  T limit_force(int body) const { return force(RowOf::kLower, body) - force(RowOf::kUpper, body); }

  std::span<const ContactForce<T>> contacts() const {
    return {contact_forces.data(), at(contact_count)};
  }
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
