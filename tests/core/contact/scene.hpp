// Free rigid bodies on a plane, stepped with contacts: semi-implicit Euler, one solve a step.
#pragma once

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <vector>

#include "core/rows/sweep.hpp"
#include "lockstep/contact/contact_step.hpp"
#include "lockstep/contact/detect.hpp"
#include "lockstep/maximal/rigid_body.hpp"
#include "lockstep/rows/dense.hpp"
#include "lockstep/rows/pivoting.hpp"

namespace lockstep::test {

template <class T>
struct Scene {
  static constexpr int kContacts = 8, kRows = 3 * kContacts;
  using Body = maximal::RigidBody<T>;
  using Velocity = typename Body::Velocity;
  using Rows = maximal::Blocks<T, 3, 6, 6>;

  std::vector<Body> bodies;
  std::vector<typename Body::Pose> poses;
  std::vector<Velocity> velocities;
  std::vector<contact::Collider<T>> colliders;
  std::vector<contact::ColliderPair> pairs;
  contact::Plane<T> ground;
  contact::StepOptions<T> options;
  Vec3<T> gravity = {T(0), T(0), T(-9.81)};
  T dt = T(1e-3), margin = T(0.02);
  bool sweeps = false;  // by Gauss-Seidel

  contact::ContactList<T, kContacts> contacts;
  rows::Solution<T, kRows> solution;

  int add(const Body& body, const contact::Shape<T>& shape, const Vec3<T>& p,
          const contact::Material<T>& material) {
    bodies.push_back(body);
    poses.push_back({.p = p});
    velocities.push_back({});
    const int i = static_cast<int>(bodies.size()) - 1;
    colliders.push_back({i, origin().X, shape, material});
    return i;
  }

  void step() {
    place();
    const int count = contacts.size();
    std::vector<Rows> rows(static_cast<std::size_t>(count));
    for (int c = 0; c < count; ++c) combine(contacts[c], rows[index(c)]);
    const std::vector<Velocity> free = free_accelerations();

    rows::System<T, kRows> system;
    rows::Values<T, kRows> velocity{};
    system.count = 3 * count;
    std::vector<Velocity> response(index(2 * system.count));  // to a unit impulse, on A and on B
    for (int i = 0; i < system.count; ++i) {
      for (const int side : {0, 1}) {
        const int body = body_of(i, side);
        if (body != kWorld) response[index(2 * i + side)] = accelerate(body, J(rows, i, side));
      }
    }
    for (int i = 0; i < system.count; ++i) {
      const Rows& own = rows[index(i / 3)];
      velocity[index(i)] = own.velocity_error[index(i % 3)];
      system.b[index(i)] = own.c[index(i % 3)];
      for (const int side : {0, 1}) {
        const int body = body_of(i, side);
        if (body == kWorld) continue;
        system.b[index(i)] += inner(J(rows, i, side), free[index(body)]);
        for (int j = 0; j < system.count; ++j) {
          for (const int other : {0, 1}) {
            if (body_of(j, other) != body) continue;
            system.A[index(i)][index(j)] += inner(J(rows, i, side), response[index(2 * j + other)]);
          }
        }
      }
    }
    CHECK(contact::to_impulses<T>(contacts.span(), 0, velocity, dt, options, system) ==
          Status::kOk);
    solve(system);
    for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
      Velocity& v = velocities[index(i)];
      for (std::size_t k = 0; k < 6; ++k) v[k] += dt * free[index(i)][k];
    }
    for (int i = 0; i < system.count; ++i) {
      for (const int side : {0, 1}) {
        const int body = body_of(i, side);
        if (body == kWorld) continue;
        for (std::size_t k = 0; k < 6; ++k) {
          velocities[index(body)][k] += solution.mu[index(i)] * response[index(2 * i + side)][k];
        }
      }
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      CHECK(bodies[i].integrate(poses[i], velocities[i], dt) == Status::kOk);
    }
  }
  void run(double seconds) {
    const int steps = static_cast<int>(std::lround(seconds / static_cast<double>(dt)));
    for (int i = 0; i < steps; ++i) step();
  }

  // J, with the height taken along -gravity.
  double energy() const {
    double sum = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto M = bodies[i].mass_matrix(poses[i]);
      for (std::size_t r = 0; r < 6; ++r) {
        for (std::size_t c = 0; c < 6; ++c) {
          sum += 0.5 * static_cast<double>(velocities[i][r] * M[r][c] * velocities[i][c]);
        }
      }
      sum -= static_cast<double>(bodies[i].mass * dot(gravity, poses[i].p));
    }
    return sum;
  }
  // N, of the contacts' normals.
  double pressing() const {
    double sum = 0;
    for (int i = 0; i < contacts.size(); ++i) sum += static_cast<double>(solution.mu[index(3 * i)]);
    return sum / static_cast<double>(dt);
  }

 private:
  struct Origin {
    Placement<T> X;
  };
  static Origin origin() {
    const T o(0), one(1);
    return {{{{one, o, o}, {o, one, o}, {o, o, one}}, {}}};
  }
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static T inner(const Velocity& a, const Velocity& b) {
    T sum(0);
    for (std::size_t k = 0; k < 6; ++k) sum += a[k] * b[k];
    return sum;
  }
  int body_of(int row, int side) const {
    return side == 0 ? contacts[row / 3].a : contacts[row / 3].b;
  }
  static const Velocity& J(const std::vector<Rows>& rows, int i, int side) {
    const Rows& own = rows[index(i / 3)];
    return side == 0 ? own.J_A[index(i % 3)] : own.J_B[index(i % 3)];
  }

  void place() {
    std::vector<Placement<T>> X_WB;
    for (const auto& pose : poses) X_WB.push_back({quaternion_rotation(pose.q.data()), pose.p});
    const int count = static_cast<int>(bodies.size());
    CHECK(contact::check<T>(colliders, pairs, ground, count) == Status::kOk);
    CHECK(contact::detect<T>(colliders, pairs, X_WB, ground, margin, contacts) == Status::kOk);
    LONGS_EQUAL(0, contacts.dropped());
  }

  void combine(const contact::Contact<T>& contact, Rows& rows) const {
    const auto kinematics = [&](int i) {
      return bodies[index(i)].kinematics(poses[index(i)], velocities[index(i)], origin().X);
    };
    const auto touching = contact::touching(contact);
    if (contact.b == kWorld) {
      const auto world = maximal::World<T>{}.kinematics({}, {}, origin().X);
      put(touching, kinematics(contact.a), world, rows);
    } else {
      put(touching, kinematics(contact.a), kinematics(contact.b), rows);
    }
  }

  template <class A, class B>
  static void put(const constraint::Between<contact::Touch<T>>& touching, const A& a, const B& b,
                  Rows& rows) {
    constraint::put_on_bodies(touching.rows(a.frame, b.frame, T(0)), a, b, rows);
  }

  Velocity accelerate(int i, const Velocity& force) const {
    const auto M = bodies[index(i)].mass_matrix(poses[index(i)]);
    rows::SymmetricFactor<T, 6> factor;
    factor.factor([&](int r, int c) { return M[index(r)][index(c)]; }, 6, T(0));
    Velocity result;
    factor.solve(force, result);
    return result;
  }
  std::vector<Velocity> free_accelerations() const {
    std::vector<Velocity> all;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      Velocity force = weight(bodies[i], poses[i], gravity);
      const Velocity inertial = bodies[i].inertial_force(poses[i], velocities[i]);
      for (std::size_t k = 0; k < 6; ++k) force[k] += inertial[k];
      all.push_back(accelerate(static_cast<int>(i), force));
    }
    return all;
  }

  void solve(const rows::System<T, kRows>& system) {
    solution = {};
    Status status;
    if (sweeps) {
      status = gauss_seidel(system, rows::GaussSeidelOptions<T>{.sweeps = 5000}, solution);
    } else {
      rows::PivotingSolver<T, kRows> solver;
      status = solver.solve(system, {}, solution);
    }
    CHECK(status == Status::kOk || status == Status::kNotConverged);
    unsolved += status == Status::kOk ? 0 : 1;
  }

 public:
  int unsolved = 0;  // steps whose solver stopped short
};

template <class T>
maximal::RigidBody<T> solid_box(T mass, const Vec3<T>& half) {
  const T x = half.x * half.x, y = half.y * half.y, z = half.z * half.z, third = mass / T(3);
  return {mass, {third * (y + z), T(0), T(0), third * (x + z), T(0), third * (x + y)}};
}
template <class T>
maximal::RigidBody<T> solid_sphere(T mass, T radius) {
  const T I = T(0.4) * mass * radius * radius;
  return {mass, {I, T(0), T(0), I, T(0), I}};
}

}  // namespace lockstep::test
