// What a state and its model tell beside forward dynamics: places, Jacobians, the mass matrix,
// efforts, momentum, energy.
#include "lockstep/kinematics.hpp"

#include "hashes.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "lockstep/joint_space.hpp"
#include "lockstep/mass_matrix.hpp"
#include "lockstep/observe/momentum.hpp"
#include "quadruped_passes.hpp"
#include "six_axis_arm.hpp"

namespace lockstep::test {

namespace {

template <class Model, class T>
struct Tools {
  InverseDynamics<Model, T> inverse;
  MassMatrix<Model, T> mass;
  Kinematics<Model, T> kinematics;
  GeneralizedMomentum<Model, T> momentum;
};

template <class Model, class T>
void tell_tools(const char* what) {
  static Tools<Model, T> tools;
  Witness<T> witness(what);
  auto in = tools.inverse.make_input();
  auto external = tools.inverse.make_wrenches();
  auto tau = tools.inverse.make_output();
  auto M = tools.mass.make_output();
  auto p = tools.momentum.make_output();
  using Kin = Kinematics<Model, T>;
  typename Kin::Pose pose;
  typename Kin::Twist twist = Kin::make_twist();
  auto jacobian = tools.kinematics.make_jacobian();
  auto of_centre = tools.kinematics.make_centre_jacobian();
  typename Kin::Place centre;
  typename Kin::Momentum whole;
  typename Kin::Energy energy;
  const auto upright = in.q;
  constexpr int kFrames = static_cast<int>(Model::kFrames.size());
  Random random;
  for (int i = 0; i < 60; ++i) {
    random.fill(in.q, 300);  // many turns
    if (in.q.size() != in.v.size()) in.q.template head<7>() = upright.template head<7>();
    random.fill(in.v, 2);
    random.fill(in.vdot, 20);
    random.fill(external, 5);
    witness.add(tools.inverse.inverse_dynamics(in, external, tau)), witness.add(tau);
    witness.add(tools.inverse.gravity_torque(in.q, in.gravity, tau)), witness.add(tau);
    witness.add(tools.mass.mass_matrix(in.q, M)), witness.add(M);
    witness.add(tools.momentum.momentum(in.q, in.v, in.gravity, p));
    witness.add(p.p), witness.add(p.force);
    const LinkFrame<T> link(Model::kFrames[at(i % kFrames)]);
    witness.add(tools.kinematics.pose(in.q, link, pose));
    witness.add(pose.R_WL), witness.add(pose.p_WL);
    for (const Axes axes : {Axes::kOfWorld, Axes::kOfLink}) {
      witness.add(tools.kinematics.twist(in.q, in.v, link, axes, twist)), witness.add(twist);
      witness.add(tools.kinematics.jacobian(in.q, link, axes, jacobian)), witness.add(jacobian);
    }
    witness.add(tools.kinematics.centre_of_mass(in.q, centre)), witness.add(centre);
    witness.add(tools.kinematics.centre_jacobian(in.q, of_centre)), witness.add(of_centre);
    witness.add(tools.kinematics.momentum(in.q, in.v, whole));
    witness.add(whole.linear), witness.add(whole.angular), witness.add(whole.about_centre);
    witness.add(tools.kinematics.energy(in.q, in.v, in.gravity, energy));
    witness.add(energy.kinetic), witness.add(energy.potential);
  }
}

template <class T>
void tell_trig() {
  Witness<T> witness("sine and cosine");
  Random random;
  constexpr double kMost = std::is_same_v<T, float> ? 1.2e4 : 2.6e7;
  for (int i = 0; i < 20000; ++i) {
    T s, c;
    sincos(static_cast<T>(random.next() * (i % 2 == 0 ? 4 : kMost)), s, c);
    witness.add(s), witness.add(c);
  }
}

template <class T>
void tell_all() {
  tell_trig<T>();
  tell_tools<six_axis_arm, T>("kinematics and efforts, arm");
  tell_tools<quadruped_passes, T>("kinematics and efforts, quadruped");
}

}  // namespace

void tell_kinematics() {
  tell_all<float>();
  tell_all<double>();
}

}  // namespace lockstep::test
