// What an inertial unit without errors feels: specific force and angular velocity of a frame on a
// body, from q, v, vdot. Twists and accelerations from the world up, in body axes, the world
// accelerating with -g (Luh, Walker, Paul 1980). Cost: one pass over the bodies for any number of
// units.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>

#include "lockstep/devices/sensors.hpp"
#include "lockstep/problem.hpp"

namespace lockstep {

// Model: as for Solver. T: a plain number.
template <class Model, class T = double>
class InertialMotion : private Problem<typename ViewOf<Model, T>::Type, T> {
 public:
  using View = typename ViewOf<Model, T>::Type;
  using typename Problem<View, T>::Configs;
  using typename Problem<View, T>::Dofs;
  using typename Problem<View, T>::Gravity;
  using Problem<View, T>::Problem;

  // On any status but kOk what was there stays.
  Status move(const Configs& q, const Dofs& v, const Dofs& vdot, const Gravity& gravity) {
    const View& model = this->model();
    const Counts counts = model.counts();
    if (q.size() != counts.q || v.size() != counts.v || vdot.size() != counts.v) {
      return Status::kWrongSize;
    }
    Border<T> border = check_configuration<T>(model, q.data());
    border.finite &= all_finite(v.data(), counts.v) && all_finite(vdot.data(), counts.v) &&
                     all_finite(gravity.data(), 3);
    if (!border.passed()) return border.status(0);
    gravity_ = {gravity[0], gravity[1], gravity[2]};
    model.backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      Moving& own = bodies_[at(i)];
      const bool grounded = body.parent == kWorld;
      JointPose<T> pose{};
      set_pose<kJoint>(body.X_PJ, q.data() + body.q, pose);
      const Moving above = grounded ? Moving{{}, {-gravity_, {}}} : bodies_[at(body.parent)];
      own.V = to_child<kJoint>(body.X_PJ, pose, above.V);
      own.a = to_child<kJoint>(body.X_PJ, pose, above.a);
      add_joint_motion<kJoint>(own.V, v.data() + body.v);
      own.a = own.a + joint_bias<kJoint>(own.V, v.data() + body.v);
      add_joint_motion<kJoint>(own.a, vdot.data() + body.v);
    });
    return Status::kOk;
  }

  // The frame's origin accelerates with a + w x V of the twist that moves with the body.
  Inertial<T> at_frame(const LinkFrame<T>& frame) const {
    const Moving body =
        frame.body == kWorld ? Moving{{}, {-gravity_, {}}} : bodies_[at(frame.body)];
    const Spatial<T> V = twist_to_child(frame.X_BL, body.V);
    const Spatial<T> a = twist_to_child(frame.X_BL, body.a);
    return {a.linear + cross(V.angular, V.linear), V.angular};
  }

 private:
  struct Moving {
    Spatial<T> V, a;
  };
  std::array<Moving, static_cast<std::size_t>(View::kMaxBodies)> bodies_ = {};
  Vec3<T> gravity_ = {};
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
