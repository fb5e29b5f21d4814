// A mechanism with shapes and bounds under both steppers, for the tests; compiled as
// test_steppers.hpp says.
#pragma once

#include <span>

#include "core/maximal/test_mechanism.hpp"
#include "lockstep/maximal/contacts.hpp"

namespace lockstep::test {

template <class T = double, int kMaxContacts = 20>
struct Touching {
  using Table = typename TestRun<T>::Table;
  using Contacts = maximal::Contacts<Table, kMaxContacts, 4>;

  explicit Touching(const TestMechanism& mechanism);
  ~Touching();
  Touching(Touching&&) noexcept;

  void touch(int body, const contact::Shape<T>& shape, const contact::Material<T>& material,
             const Placement<double>& X = kAtOrigin) {
    colliders.push_back({body, convert(X), shape, material});
  }
  static Placement<T> convert(const Placement<double>& X) {
    const auto vec = [](const Vec3<double>& a) {
      return Vec3<T>{static_cast<T>(a.x), static_cast<T>(a.y), static_cast<T>(a.z)};
    };
    return {{vec(X.R.x), vec(X.R.y), vec(X.R.z)}, vec(X.p)};
  }

  Status try_assign();
  void assign() { CHECK_TRUE(Status::kOk == try_assign()); }
  Status try_step(bool by_impulses);
  void step(bool by_impulses) {
    CHECK_TRUE(has_moved(try_step(by_impulses)));
    LONGS_EQUAL(0, contacts->dropped());
  }
  void steps(bool by_impulses, int count) {
    for (int i = 0; i < count; ++i) step(by_impulses);
  }
  // N, on a body, of the last step.
  Vec3<double> force(int body) const {
    const auto v = contacts->contact_impulse();
    const int first = run.place(body).v;
    const double dt = static_cast<double>(impulses.dt);
    return {static_cast<double>(v[first]) / dt, static_cast<double>(v[first + 1]) / dt,
            static_cast<double>(v[first + 2]) / dt};
  }

  TestRun<T> run;
  maximal::ImpulseSettings<T> impulses;
  std::vector<contact::Collider<T>> colliders;
  std::vector<contact::ColliderPair> pairs;
  std::vector<maximal::JointBound<T>> bounds;
  contact::Plane<T> ground;
  maximal::ContactSettings<T> settings;
  std::unique_ptr<Contacts> contacts;
  TestImpulses<Sparse<T>> impulse_stepper;
};

template <class T, int kMaxContacts>
Touching<T, kMaxContacts>::Touching(const TestMechanism& mechanism)
    : run(mechanism),
      contacts(std::make_unique<Contacts>(run.table())),
      impulse_stepper(run.table()) {
  run.settings.integrator = Integrator::kSemiImplicitEuler;
  run.settings.dt = impulses.dt = T(1e-3);
}
template <class T, int kMaxContacts>
Touching<T, kMaxContacts>::~Touching() = default;
template <class T, int kMaxContacts>
Touching<T, kMaxContacts>::Touching(Touching&&) noexcept = default;
template <class T, int kMaxContacts>
Status Touching<T, kMaxContacts>::try_assign() {
  return contacts->assign({colliders, pairs, ground}, bounds, settings);
}
template <class T, int kMaxContacts>
Status Touching<T, kMaxContacts>::try_step(bool by_impulses) {
  return by_impulses ? impulse_stepper.core().step(run.state, run.loads, impulses, *contacts)
                     : run.stepper().core().step(run.state, run.loads, run.settings, *contacts);
}

extern template struct Touching<double>;
extern template struct Touching<float>;
extern template struct Touching<double, 2>;

inline RigidBody box_body(double mass, const Vec3<double>& half) {
  const double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z, third = mass / 3;
  return {mass, {third * (y + z), 0, 0, third * (x + z), 0, third * (x + y)}};
}
inline RigidBody ball_body(double mass, double radius) {
  const double I = 0.4 * mass * radius * radius;
  return {mass, {I, 0, 0, I, 0, I}};
}

}  // namespace lockstep::test
