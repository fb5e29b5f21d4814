// Where a link is, how it moves, and its Jacobian: from the link up to the world, joint by joint,
// so that only the joints that move the link are looked at. Linear before angular, everything at
// the link's origin; R_WL and p_WL place the link frame L in the world.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <string_view>

#include "lockstep/border.hpp"
#include "lockstep/joint.hpp"
#include "lockstep/problem.hpp"

namespace lockstep {

// A frame fixed to a body, such as a link, in the scalar of the computation.
template <class T>
struct LinkFrame {
  int body = kWorld;
  Placement<T> X_BL;

  constexpr LinkFrame() : LinkFrame(NamedFrame{}) {}
  constexpr explicit LinkFrame(const NamedFrame& frame)
      : body(frame.body), X_BL(to_placement(frame)) {}

 private:
  static constexpr Placement<T> to_placement(const NamedFrame& frame) {
    std::array<T, 9> R{};
    for (std::size_t i = 0; i < R.size(); ++i) R[i] = static_cast<T>(frame.R_BF[i]);
    const auto& p = frame.p_BF;
    return {Mat3<T>::from_rows(R),
            {static_cast<T>(p[0]), static_cast<T>(p[1]), static_cast<T>(p[2])}};
  }
};

// Never defined: a compiler that comes here while it looks up a name stops.
void the_model_has_no_link_of_this_name();

// A link of an emitted model by its name in the URDF, found while compiling.
template <EmittedModel Model, class T = double>
consteval LinkFrame<T> link_frame(std::string_view name) {
  for (std::size_t i = 0; i < Model::kFrameNames.size(); ++i) {
    if (Model::kFrameNames[i] == name) return LinkFrame<T>(Model::kFrames[i]);
  }
  the_model_has_no_link_of_this_name();
  return {};
}

// The axes that a twist's components are along.
enum class Axes : std::uint8_t {
  kOfWorld = 0,
  kOfLink = 1,
};

// Model: a struct that `lockstep compile` emitted, or a TableModel<T, capacity>. T: a plain number.
template <class Model, class T = double>
class Kinematics : private Problem<typename ViewOf<Model, T>::Type, T> {
 public:
  using View = typename ViewOf<Model, T>::Type;
  using typename Problem<View, T>::Configs;
  using typename Problem<View, T>::Dofs;
  using Problem<View, T>::Problem;

  using Rotation = Eigen::Matrix<T, 3, 3, Eigen::DontAlign>;
  using Place = Eigen::Matrix<T, 3, 1, Eigen::DontAlign>;
  struct Pose {
    Rotation R_WL = Rotation::Identity();
    Place p_WL = Place::Zero();  // m
  };
  using Twist = Eigen::Matrix<T, 6, 1, Eigen::DontAlign>;  // m/s, rad/s
  // J v is the link's twist; a column a degree of freedom.
  using Jacobian = Eigen::Matrix<T, 6, View::kIsStatic ? View::kMaxDofs : Eigen::Dynamic,
                                 Eigen::ColMajor | Eigen::DontAlign, 6, View::kMaxDofs>;

  static Twist make_twist() { return Twist::Zero(); }
  Jacobian make_jacobian() const { return Jacobian::Zero(6, this->model().counts().v); }

  // Each returns a status; on any but kOk the output is as it was.
  [[nodiscard]] Status pose(const Configs& q, const LinkFrame<T>& link, Pose& out) const {
    if (const Status status = check(q, link); status != Status::kOk) return status;
    const Pose result = to_pose(walk(q, link, []<JointType>(const auto&...) {}));
    if (!finite(result)) return Status::kOverflow;
    out = result;
    return Status::kOk;
  }

  [[nodiscard]] Status twist(const Configs& q, const Dofs& v, const LinkFrame<T>& link, Axes axes,
                             Twist& out) const {
    if (v.size() != this->model().counts().v) return Status::kWrongSize;
    if (const Status status = check(q, link); status != Status::kOk) return status;
    if (!all_finite(v.data(), static_cast<int>(v.size()))) return Status::kNotFinite;
    Spatial<T> sum{};
    const Placement<T> X_WL =
        walk(q, link, [&]<JointType kJoint>(const BodyData<T>& body, const Placement<T>& X_BL) {
          Spatial<T> joint{};
          add_joint_motion<kJoint>(joint, v.data() + body.v);
          sum = sum + twist_to_child(X_BL, joint);
        });
    Twist result;
    write(axes, X_WL, sum, result.data());
    if (!all_finite(result.data(), 6)) return Status::kOverflow;
    out = result;
    return Status::kOk;
  }

  [[nodiscard]] Status jacobian(const Configs& q, const LinkFrame<T>& link, Axes axes,
                                Jacobian& out) const {
    if (out.cols() != this->model().counts().v) return Status::kWrongSize;
    if (const Status status = check(q, link); status != Status::kOk) return status;
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
    if (!all_finite(result.data(), static_cast<int>(result.size()))) return Status::kOverflow;
    out = result;
    return Status::kOk;
  }

 private:
  Status check(const Configs& q, const LinkFrame<T>& link) const {
    const View& model = this->model();
    if (q.size() != model.counts().q) return Status::kWrongSize;
    if (link.body < kWorld || link.body >= model.body_count()) return Status::kBadFrame;
    if (!finite(to_pose(link.X_BL))) return Status::kNotFinite;
    return check_configuration<T>(model, q.data()).status(0);
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

  static Pose to_pose(const Placement<T>& X) {
    Pose pose;
    pose.R_WL << X.R.x.x, X.R.y.x, X.R.z.x, X.R.x.y, X.R.y.y, X.R.z.y, X.R.x.z, X.R.y.z, X.R.z.z;
    pose.p_WL << X.p.x, X.p.y, X.p.z;
    return pose;
  }
  static bool finite(const Pose& pose) {
    return all_finite(pose.R_WL.data(), 9) && all_finite(pose.p_WL.data(), 3);
  }

  // A twist in link axes, along the axes that are asked for.
  static void write(Axes axes, const Placement<T>& X_WL, const Spatial<T>& V, T* out) {
    const bool world = axes == Axes::kOfWorld;
    const Vec3<T> l = world ? X_WL.R * V.linear : V.linear;
    const Vec3<T> w = world ? X_WL.R * V.angular : V.angular;
    out[0] = l.x, out[1] = l.y, out[2] = l.z;
    out[3] = w.x, out[4] = w.y, out[5] = w.z;
  }
};

}  // namespace lockstep
