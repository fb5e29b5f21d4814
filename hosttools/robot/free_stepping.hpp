// Steps rigid bodies that nothing ties together (mechanism/free_bodies.hpp). Where something is in
// reach of something else, joint space's bounded stepper does, by Newton's method, from the forces
// of the last step; where nothing is, the mechanism's own stepper.
#pragma once

#include "mechanism/free_bodies.hpp"
#include "robot/bounded_tables.hpp"
#include "robot/maximal_stepping.hpp"

namespace lockstep::host {

template <class T>
class FreeStepping : public MaximalStepping<T> {
 public:
  using typename MaximalStepping<T>::State;
  using typename MaximalStepping<T>::Loads;

  // `freely` steps the bodies as if nothing touched.
  FreeStepping(const Mechanism& mechanism, const MaximalSettings& settings,
               std::unique_ptr<MaximalStepping<T>> freely)
      : freely_(std::move(freely)),
        tree_(floating_tree(mechanism)),
        model_(to_table<T>(tree_)),
        shapes_(tree_),
        stepper_(*model_, TreeRows<T>(tree_), {},
                 {shapes_.colliders(), shapes_.pairs(),
                  AnyGround<T>(maximal::to_ground<T>(mechanism.ground))}),
        in_(stepper_.make_input()),
        loads_(stepper_.make_wrenches()),
        touching_(Eigen::VectorXd::Zero(6 * bodies())) {
    settings_.dt = static_cast<T>(settings.dt);
  }

  Status step(State& state, const Loads& loads) override {
    take_in(state, loads);
    const Status status = stepper_.step(in_, settings_, {.external = &loads_});
    if (!has_moved(status)) return status;
    touching_.setZero();
    touches_ = stepper_.result().row_count > 0;
    if (!touches_) return freely_->step(state, loads);
    unsolved_ += status == Status::kStoppedShort;
    note_forces(state);
    give_out(state);
    return status;
  }
  Eigen::VectorXd lambda() const override { return {}; }
  ConstraintErrors<T> errors() const override { return {}; }
  Eigen::VectorXd touching() const override { return touching_; }
  int dropped() const override { return touches_ ? stepper_.result().contacts_left_out : 0; }
  StepCounts counts() const override {
    StepCounts counts = freely_->counts();
    counts.unsolved += unsolved_;
    return counts;
  }
  std::vector<KeptForce> kept() const override { return kept_forces(stepper_.result()); }
  Status recall(const std::vector<KeptForce>& kept) override { return recall_kept(kept, stepper_); }

 private:
  Eigen::Index bodies() const { return static_cast<Eigen::Index>(tree_.bodies.size()); }
  Mat3<T> R_WB(int body) const { return quaternion_rotation(in_.q.data() + 7 * body + 3); }
  static Vec3<T> vec3(const T* from) { return {from[0], from[1], from[2]}; }
  static void put(const Vec3<T>& from, T* to) { to[0] = from.x, to[1] = from.y, to[2] = from.z; }

  // Twists and loads of joint space are along the body's axes.
  void take_in(const State& state, const Loads& loads) {
    in_.q = state.x;
    in_.gravity = loads.gravity;
    for (int i = 0; i < bodies(); ++i) {
      for (const int half : {6 * i, 6 * i + 3}) {
        put(transpose_times(R_WB(i), vec3(state.v.data() + half)), in_.v.data() + half);
        put(transpose_times(R_WB(i), vec3(loads.force.data() + half)), loads_.data() + half);
      }
    }
  }
  void give_out(State& state) const {
    state.x = in_.q;
    for (int i = 0; i < bodies(); ++i) {
      for (const int half : {6 * i, 6 * i + 3}) {
        put(R_WB(i) * vec3(in_.v.data() + half), state.v.data() + half);
      }
    }
    state.time = state.time + settings_.dt;
  }
  // What contacts do to each body: force and moment about its centre of mass, at the start.
  void note_forces(const State& state) {
    for (const auto& own : stepper_.result().contacts()) {
      const Vec3<T> force = own.normal * own.contact.normal + own.friction;
      const auto add = [&](int body, const T& sign) {
        if (body == kWorld) return;
        const Vec3<T> push = sign * force;
        const Vec3<T> arm = own.contact.point - vec3(state.x.data() + 7 * body);
        const Vec3<T> turn = cross(arm, push);
        int at = 6 * body;
        for (const T& part : {push.x, push.y, push.z, turn.x, turn.y, turn.z}) {
          touching_[at++] += static_cast<double>(part);
        }
      };
      add(own.contact.a, T(1)), add(own.contact.b, T(-1));
    }
  }

  std::unique_ptr<MaximalStepping<T>> freely_;
  Tree tree_;
  std::unique_ptr<TableModel<T, kHostBodies>> model_;
  TreeColliders<T> shapes_;
  HostBoundedStepper<T> stepper_;
  typename HostBoundedStepper<T>::Input in_;
  typename HostBoundedStepper<T>::Wrenches loads_;
  BoundedSettings<T> settings_;
  Eigen::VectorXd touching_;
  bool touches_ = false;
  int unsolved_ = 0;
};

}  // namespace lockstep::host
