// What the parts of same_bits share: numbers that need nobody's library, and hashes that are told.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lockstep/eigen.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/lanes.hpp"
#include "lockstep/status.hpp"

namespace lockstep::test {

// A line of the output, and a second where one of the run's statuses was an error: `worst`, the
// first. `scalar` is a word.
void tell(const char* what, const char* scalar, std::uint64_t hash, Status worst);

// Each tells hashes of its own.
void tell_solvers();
void tell_kinematics();
void tell_steppers();
void tell_loops();
void tell_contacts();
void tell_mechanisms();
void tell_bounces();
void tell_devices();
void tell_link();

// Between -1 and 1, from integers only: the standard library's distributions may differ.
class Random {
 public:
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(static_cast<std::int64_t>(state_) >> 11) * 0x1p-52;
  }
  template <class Vector>
  void fill(Vector& vector, double scale) {
    for (auto& value : vector.reshaped()) {
      value = static_cast<typename Vector::Scalar>(next() * scale);
    }
  }

 private:
  std::uint64_t state_ = 2026;
};

// The hash of a run, and whether all of it went.
template <class T>
class Witness {
 public:
  explicit Witness(const char* what) : what_(what) {}
  ~Witness() { tell(what_, std::is_same_v<T, float> ? "float" : "double", hash_.value(), worst_); }
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

  void add(Status status) {
    hash_.add(static_cast<std::uint8_t>(status));
    if (!has_moved(status) && has_moved(worst_)) worst_ = status;
  }
  void add(T value) { hash_.add(value); }
  void add(int value) { hash_.add(value); }
  template <class Derived>
  void add(const Eigen::DenseBase<Derived>& values) {
    for (const auto& value : values.reshaped()) hash_.add(value);
  }
  template <class Output>
  void add_output(const Output& out) {
    add(out.vdot), add(out.reaction), add(out.lambda);
  }

 private:
  const char* what_;
  Hash hash_;
  Status worst_ = Status::kOk;
};

}  // namespace lockstep::test
