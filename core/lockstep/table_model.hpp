// A model at run time, in storage of a fixed capacity: for host tools that read any robot, for
// boards that receive one over a link, for robots too large to unroll into flash.
// The same kernels run over it as over a StaticModel, and give the same bits.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <etl/vector.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "lockstep/border.hpp"
#include "lockstep/joint.hpp"
#include "lockstep/status.hpp"

namespace lockstep {

// kRotors: whether joints may have rotors, springs and drives. Tables without them need less code.
template <class T, int kCapacity, bool kRotors = true>
class TableModel {
 public:
  static constexpr int kMaxBodies = kCapacity;
  static constexpr int kMaxConfigs = 7 * kCapacity, kMaxDofs = 6 * kCapacity;
  static constexpr int kMaxMultipliers = 6 * kCapacity;
  static constexpr bool kIsStatic = false;
  static constexpr bool kHasRotors = kRotors;
  static constexpr bool kHasSprings = kRotors, kIsDriven = kRotors, kIsSoft = true;

  void clear() { keep(0); }

  // Forgets all bodies but the first.
  void keep(int count) {
    if (count >= body_count()) return;
    const BodyData<T>& next = bodies_[static_cast<std::size_t>(count)];
    counts_ = {next.q, next.v, next.lambda};
    bodies_.resize(static_cast<std::size_t>(count));
  }

  // Appends a body and gives it its place in q, v and lambda, or returns why not and stays as it
  // was.
  Status add(const BodyData<T>& body) {
    const Status status =
        check(body, body_count(), [&](int i) { return bodies_[static_cast<std::size_t>(i)]; });
    if (status == Status::kOk) append(body);
    return status;
  }

  // Takes over the bodies, or returns why not and stays as it was.
  Status assign(std::span<const Body> bodies) {
    const auto data = [&](int i) {
      return to_body_data<T>(bodies[static_cast<std::size_t>(i)], {});
    };
    for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
      const Status status = check(data(i), i, data);
      if (status != Status::kOk) return status;
    }
    clear();
    for (const Body& body : bodies) append(to_body_data<T>(body, {}));
    return Status::kOk;
  }

  int body_count() const { return static_cast<int>(bodies_.size()); }
  Counts counts() const { return counts_; }
  std::span<const BodyData<T>> bodies() const { return {bodies_.data(), bodies_.size()}; }

  template <class F>
  void backward(F&& f) const {
    for (int i = 0; i < body_count(); ++i) visit(i, f);
  }
  template <class F>
  void forward(F&& f) const {
    for (int i = body_count() - 1; i >= 0; --i) visit(i, f);
  }

 private:
  template <class F>
  void visit(int i, F& f) const {
    const BodyData<T>& body = bodies_[static_cast<std::size_t>(i)];
    dispatch(body.joint, [&]<JointType kJoint>() { f.template operator()<kJoint>(i, body); });
  }

  // Whether a body may be number `index`, after those that earlier(i) gives.
  template <class Earlier>
  static Status check(const BodyData<T>& body, int index, Earlier&& earlier) {
    if (index >= kCapacity) return Status::kTooManyBodies;
    if (body.parent < kWorld || body.parent >= index) return Status::kBadParent;
    if (static_cast<int>(body.joint) >= kJointTypes) return Status::kBadJoint;
    if ((body.geared || body.stiffness != T(0)) && !kRotors) return Status::kGeared;
    if (body.geared && dof_count(body.joint) != 1) return Status::kBadJoint;
    if (body.parent != kWorld && earlier(body.parent).leader != kNone) return Status::kBadParent;
    if (body.leader != kNone) {
      if (!kRotors) return Status::kGeared;
      if (body.leader < 0 || body.leader >= index) return Status::kBadParent;
      const BodyData<T> leader = earlier(body.leader);
      if (leader.parent != body.parent || leader.leader != kNone) return Status::kBadParent;
      if (dof_count(body.joint) != 1 || dof_count(leader.joint) != 1) return Status::kBadJoint;
      if (body.geared || !leader.geared) return Status::kBadInertia;
    }
    return check_body(body);
  }

  void append(BodyData<T> body) {
    body.q = counts_.q;
    body.v = counts_.v;
    body.lambda = counts_.lambda;
    bodies_.push_back(body);
    counts_.add(body.joint);
  }

  etl::vector<BodyData<T>, static_cast<std::size_t>(kCapacity)> bodies_;
  Counts counts_;
};

// A table that knows its joints by name. The names live with the caller; a board that receives its
// robot has none, and keeps no room for them.
template <class T, int kCapacity, bool kRotors = true>
class NamedTableModel : public TableModel<T, kCapacity, kRotors> {
 public:
  // Takes over the bodies and the names of the joints that carry them, or returns why not and stays
  // as it was.
  Status assign(std::span<const Body> bodies, std::span<const std::string_view> joints) {
    if (bodies.size() != joints.size()) return Status::kWrongSize;
    const Status status = TableModel<T, kCapacity, kRotors>::assign(bodies);
    if (status == Status::kOk) names_ = joints;
    return status;
  }

  // Nothing where there is no such joint.
  std::optional<JointIndex> joint(std::string_view name) const {
    for (std::size_t i = 0; i < names_.size() && i < this->bodies().size(); ++i) {
      const BodyData<T>& body = this->bodies()[i];
      if (names_[i] == name) return JointIndex{static_cast<int>(i), body.q, body.v};
    }
    return {};
  }

 private:
  std::span<const std::string_view> names_;
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
