// Where a link is, how it moves, and its Jacobian: from the link up to the world, joint by joint,
// so that only the joints that move the link are looked at. Linear before angular, everything at
// the link's origin; R_WL and p_WL place the link frame L in the world. And of the robot as a
// whole: its centre of mass, momentum and energy, in world axes.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>

#include "lockstep/border.hpp"
#include "lockstep/eigen.hpp"
#include "lockstep/joint.hpp"
#include "lockstep/link_frame.hpp"
#include "lockstep/problem.hpp"
#include "lockstep/whole_body.hpp"

namespace lockstep {

// The axes that a twist's components are along.
enum class Axes : std::uint8_t {
  kOfWorld = 0,
  kOfLink = 1,
};

// Model and T as for Solver. A status each; for lanes one a lane, and each lane has the bits of its
// state alone. On any but kOk the output is as it was.
template <class Model, class T = double>
class Kinematics : private Problem<typename ViewOf<Model, T>::Type, T> {
 public:
  using View = typename ViewOf<Model, T>::Type;
  using typename Problem<View, T>::Configs;
  using typename Problem<View, T>::Dofs;
  using typename Problem<View, T>::Gravity;
  using Problem<View, T>::Problem;

  using Rotation = Eigen::Matrix<T, 3, 3, Eigen::DontAlign>;
  using Place = Eigen::Matrix<T, 3, 1, Eigen::DontAlign>;
  struct Pose {
    Rotation R_WL = Rotation::Identity();
    Place p_WL = Place::Zero();  // m
  };
  using Twist = Eigen::Matrix<T, 6, 1, Eigen::DontAlign>;  // m/s, rad/s
  // J v is the link's twist, or the velocity of the centre of mass; a column a degree of freedom.
  template <int kRows>
  using Columns = Eigen::Matrix<T, kRows, View::kIsStatic ? View::kMaxDofs : Eigen::Dynamic,
                                Eigen::ColMajor | Eigen::DontAlign, kRows, View::kMaxDofs>;
  using Jacobian = Columns<6>;
  using CentreJacobian = Columns<3>;
  struct Momentum {
    Place linear = Place::Zero();        // kg m/s
    Place angular = Place::Zero();       // kg m^2/s, about the world's origin
    Place about_centre = Place::Zero();  // the same about the centre of mass
  };
  struct Energy {
    T kinetic = T(0);    // J, rotors included
    T potential = T(0);  // J, of weight, zero at the world's origin
  };

  static Twist make_twist() { return Twist::Zero(); }
  Jacobian make_jacobian() const { return Jacobian::Zero(6, this->model().counts().v); }
  CentreJacobian make_centre_jacobian() const {
    return CentreJacobian::Zero(3, this->model().counts().v);
  }

  [[nodiscard]] StatusOf<T> pose(const Configs& q, const LinkFrame<T>& link, Pose& out) const {
    if (const Status status = fit(q, link); status != Status::kOk) return all_lanes(status);
    const Border<T> border = look(q, link);
    if (!any(border.passed())) return verdict(border, true);
    const Pose pose = to_pose(walk(q, link, []<JointType>(const auto&...) {}));
    return hand_out(border, {part(pose.R_WL, out.R_WL), part(pose.p_WL, out.p_WL)});
  }

  [[nodiscard]] StatusOf<T> twist(const Configs& q, const Dofs& v, const LinkFrame<T>& link,
                                  Axes axes, Twist& out) const {
    if (v.size() != this->model().counts().v) return all_lanes(Status::kWrongSize);
    if (const Status status = fit(q, link); status != Status::kOk) return all_lanes(status);
    Border<T> border = look(q, link);
    border.finite &= all_finite(v.data(), static_cast<int>(v.size()));
    if (!any(border.passed())) return verdict(border, true);
    Spatial<T> sum{};
    const Placement<T> X_WL =
        walk(q, link, [&]<JointType kJoint>(const BodyData<T>& body, const Placement<T>& X_BL) {
          Spatial<T> joint{};
          add_joint_motion<kJoint>(joint, v.data() + body.v);
          sum = sum + twist_to_child(X_BL, joint);
        });
    Twist result;
    write(axes, X_WL, sum, result.data());
    return hand_out(border, {part(result, out)});
  }

  [[nodiscard]] StatusOf<T> jacobian(const Configs& q, const LinkFrame<T>& link, Axes axes,
                                     Jacobian& out) const {
    if (out.cols() != this->model().counts().v) return all_lanes(Status::kWrongSize);
    if (const Status status = fit(q, link); status != Status::kOk) return all_lanes(status);
    const Border<T> border = look(q, link);
    if (!any(border.passed())) return verdict(border, true);
    Jacobian result = make_jacobian();
    const auto column = [&](int i) { return result.data() + 6 * i; };
    const Placement<T> X_WL =
        walk(q, link, [&]<JointType kJoint>(const BodyData<T>& body, const Placement<T>& X_BL) {
          for_free_axes<kJoint>([&](auto k, auto axis) {
            Spatial<T> unit{};
            unit[axis] = T(1);
            write(Axes::kOfLink, X_BL, twist_to_child(X_BL, unit), column(body.v + k()));
          });
        });
    for (int i = 0; i < static_cast<int>(result.cols()); ++i) {
      const T* c = column(i);
      write(axes, X_WL, {{c[0], c[1], c[2]}, {c[3], c[4], c[5]}}, column(i));
    }
    return hand_out(border, {part(result, out)});
  }

  // Of a robot without mass there is no centre: kBadInertia.
  [[nodiscard]] StatusOf<T> centre_of_mass(const Configs& q, Place& centre) {
    return of_whole(q, nullptr, [&](const Border<T>& border, const WholeBody<T>& whole) {
      const Place place = to_place(whole.centre);
      return hand_out(border, {part(place, centre)});
    });
  }

  [[nodiscard]] StatusOf<T> centre_jacobian(const Configs& q, CentreJacobian& out) {
    if (out.cols() != this->model().counts().v) return all_lanes(Status::kWrongSize);
    return of_whole(q, nullptr, [&](const Border<T>& border, const WholeBody<T>& whole) {
      CentreJacobian result = make_centre_jacobian();
      const T shrink = T(1) / whole.mass;
      this->model().backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
        const Carried<T>& part = carried_[static_cast<std::size_t>(i)];
        for_free_axes<kJoint>([&](auto k, auto axis) {
          Spatial<T> unit{};
          unit[axis] = T(1);
          const Vec3<T> momentum = part.mass * unit.linear + cross(unit.angular, part.h);
          result.col(body.v + k()) = to_place(shrink * (part.R_WB * momentum));
        });
      });
      return hand_out(border, {part(result, out)});
    });
  }

  [[nodiscard]] StatusOf<T> momentum(const Configs& q, const Dofs& v, Momentum& out) {
    return of_whole(q, &v, [&](const Border<T>& border, const WholeBody<T>& whole) {
      const auto& [linear, about_centre] = whole.momentum;
      const Momentum sum = {to_place(linear), to_place(about_centre + cross(whole.centre, linear)),
                            to_place(about_centre)};
      return hand_out(border, {part(sum.linear, out.linear), part(sum.angular, out.angular),
                               part(sum.about_centre, out.about_centre)});
    });
  }

  [[nodiscard]] StatusOf<T> energy(const Configs& q, const Dofs& v, const Gravity& gravity,
                                   Energy& out) {
    return of_whole(q, &v, [&](Border<T> border, const WholeBody<T>& whole) {
      border.finite &= all_finite(gravity.data(), 3);
      const Vec3<T> g = {gravity[0], gravity[1], gravity[2]};
      Energy sum = {whole.kinetic, -whole.mass * dot(g, whole.centre)};
      if constexpr (View::kHasSprings) {
        for (const BodyData<T>& body : this->model().bodies()) {
          const T stretch = q[body.q] - body.rest;
          const bool springs = !all(body.stiffness == T(0));
          if (springs) sum.potential = sum.potential + T(0.5) * body.stiffness * stretch * stretch;
        }
      }
      return hand_out(
          border, {Part{&sum.kinetic, &out.kinetic, 1}, Part{&sum.potential, &out.potential, 1}});
    });
  }

 private:
  static StatusOf<T> all_lanes(Status status) {
    return each_lane<T>([&](int) { return status; });
  }

  Status fit(const Configs& q, const LinkFrame<T>& link) const {
    const View& model = this->model();
    if (q.size() != model.counts().q) return Status::kWrongSize;
    const bool known = link.body >= kWorld && link.body < model.body_count();
    return known ? Status::kOk : Status::kBadFrame;
  }
  Border<T> look(const Configs& q, const LinkFrame<T>& link) const {
    Border<T> border = check_configuration<T>(this->model(), q.data());
    const Pose pose = to_pose(link.X_BL);
    border.finite &= all_finite(pose.R_WL.data(), 9);
    border.finite &= all_finite(pose.p_WL.data(), 3);
    return border;
  }

  // Calls answer(border, whole) for a robot whose bodies move with v, or rest.
  template <class F>
  StatusOf<T> of_whole(const Configs& q, const Dofs* v, F&& answer) {
    const Counts counts = this->model().counts();
    const bool fits = q.size() == counts.q && (v == nullptr || v->size() == counts.v);
    if (!fits) return all_lanes(Status::kWrongSize);
    Border<T> border = check_configuration<T>(this->model(), q.data());
    if (v != nullptr) border.finite &= all_finite(v->data(), counts.v);
    if (!any(border.passed())) return verdict(border, true);
    const WholeBody<T> whole =
        whole_body(this->model(), q.data(), v == nullptr ? nullptr : v->data(), carried_.data());
    if (!any(whole.mass > T(0))) return all_lanes(Status::kBadInertia);
    return answer(border, whole);
  }

  // What was computed, and where it goes.
  struct Part {
    const T* from;
    T* to;
    int count;
  };
  template <class Matrix>
  static Part part(const Matrix& from, Matrix& to) {
    return {from.data(), to.data(), static_cast<int>(from.size())};
  }
  static StatusOf<T> hand_out(const Border<T>& border, std::initializer_list<Part> parts) {
    Truth<T> finite = true;
    for (const Part& part : parts) finite &= all_finite(part.from, part.count);
    const Truth<T> good = border.passed() & finite;
    for (const Part& part : parts) {
      for (int i = 0; i < part.count; ++i) {
        if constexpr (kIsLanes<T>) {
          part.to[i] = select(good, part.from[i], part.to[i]);
        } else if (good) {
          part.to[i] = part.from[i];
        }
      }
    }
    return verdict(border, finite);
  }
  static StatusOf<T> verdict(const Border<T>& border, const Truth<T>& finite) {
    return each_lane<T>([&](int lane) {
      const Status handed_in = border.status(lane);
      if (handed_in != Status::kOk) return handed_in;
      return holds(finite, lane) ? Status::kOk : Status::kOverflow;
    });
  }

  // Calls f.operator()<kJoint>(body, X_BL) for every body from the link's up; returns X_WL.
  template <class F>
  Placement<T> walk(const Configs& q, const LinkFrame<T>& link, F&& f) const {
    Placement<T> X_BL = link.X_BL;
    int next = link.body;
    this->model().forward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      if (i != next) return;
      f.template operator()<kJoint>(body, X_BL);
      X_BL = place_body<kJoint>(body.X_PJ, q.data() + body.q) * X_BL;
      next = body.parent;
    });
    return X_BL;
  }

  static Place to_place(const Vec3<T>& p) { return Place(p.x, p.y, p.z); }
  static Pose to_pose(const Placement<T>& X) {
    Pose pose;
    pose.R_WL << X.R.x.x, X.R.y.x, X.R.z.x, X.R.x.y, X.R.y.y, X.R.z.y, X.R.x.z, X.R.y.z, X.R.z.z;
    pose.p_WL = to_place(X.p);
    return pose;
  }

  // A twist in link axes, along the axes that are asked for.
  static void write(Axes axes, const Placement<T>& X_WL, const Spatial<T>& V, T* out) {
    const bool world = axes == Axes::kOfWorld;
    const Vec3<T> l = world ? X_WL.R * V.linear : V.linear;
    const Vec3<T> w = world ? X_WL.R * V.angular : V.angular;
    out[0] = l.x, out[1] = l.y, out[2] = l.z;
    out[3] = w.x, out[4] = w.y, out[5] = w.z;
  }

  std::array<Carried<T>, static_cast<std::size_t>(View::kMaxBodies)> carried_{};  // room
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
