// A small arm behind drivetrains of every part, seen by sensors of every kind and by observers, for
// a second at 1 kHz: the same on a host and on a chip, as a static model and as a table.
#pragma once

#include <array>

#include "lockstep/devices/drivetrains.hpp"
#include "lockstep/devices/inertial.hpp"
#include "lockstep/hash.hpp"
#include "lockstep/integrate/joint_stepper.hpp"
#include "lockstep/observe/disturbance.hpp"
#include "lockstep/observe/predictor.hpp"
#include "lockstep/observe/ratings.hpp"
#include "lockstep/table_model.hpp"
#include "lockstep/trig.hpp"

namespace lockstep::test {

inline constexpr int kDrivenJoints = 3, kDrivenSteps = 1000;

struct DrivenArm {
  static constexpr std::uint64_t kHash = 0;
  static constexpr bool kIsDriven = true;
  static constexpr std::array<Node, 0> kForward = {};
  static constexpr std::array<Body, kDrivenJoints> kBodies = {{
      {.mass = 1.2, .h = {0.18, 0, 0.02}, .inertia = {0.01, 0, 0, 0.04, 0, 0.04}, .damping = 0.1},
      {.parent = 0,
       .R_PJ = {1, 0, 0, 0, 0, -1, 0, 1, 0},
       .p_PJ = {0.3, 0, 0},
       .mass = 0.8,
       .h = {0.1, 0.01, 0},
       .inertia = {0.005, 0, 0, 0.02, 0, 0.02},
       .armature = 0.17},
      {.parent = 1,
       .joint = JointType::kPrismatic,
       .p_PJ = {0.25, 0, 0},
       .mass = 0.3,
       .inertia = {0.001, 0, 0, 0.001, 0, 0.001}},
  }};
};

template <class T>
inline constexpr std::array<Drivetrain<T>, kDrivenJoints> kDrivenTrains = {{
    {.delay = 1,
     .effort = T(25.2),
     .time_constant = T(0.0005),
     .stall = T(91.7),
     .back_emf = T(13.8),
     .efficiency = T(0.75),
     .coulomb = T(1.9),
     .stiction = T(2.3),
     .stribeck = T(0.05),
     .damping = T(0.4),
     .inertia = T(0.168),
     .stiffness = T(4700),
     .spring_damping = T(2),
     .backlash = T(0.002)},
    {.delay = 3,
     .effort = T(12),
     .time_constant = T(0.001),
     .stall = T(20),
     .back_emf = T(3),
     .efficiency = T(0.8),
     .coulomb = T(0.5),
     .stiction = T(0.7),
     .stribeck = T(0.1),
     .damping = T(0.2)},
    {.effort = T(30), .coulomb = T(1), .stiction = T(1)},
}};

// Form: DrivenArm, or a table.
template <class Form, class T>
class DrivenMotion : private Problem<typename ViewOf<Form, T>::Type, T> {
 public:
  using View = typename ViewOf<Form, T>::Type;
  using typename Problem<View, T>::Dofs;
  using typename Problem<View, T>::Input;

  explicit DrivenMotion(const View& model)
      : Problem<View, T>(model),
        stepper_(model),
        trains_(model),
        felt_(model),
        observer_(model),
        predictor_(model),
        state_(stepper_.make_input()),
        command_(state_.v),
        before_(state_.v) {}

  // Adds every number to the hash; false if anything failed.
  bool run(Hash& hash) {
    if (trains_.set(kDrivenTrains<T>) != Status::kOk) return false;
    if (observer_.start(state_.q, state_.v, state_.gravity) != Status::kOk) return false;
    for (int step = 0; step < kDrivenSteps; ++step) {
      if (!measure(static_cast<std::uint64_t>(step), hash) || !advance(step, hash)) return false;
    }
    return true;
  }

 private:
  static constexpr T kDt = T(0.001);

  bool measure(std::uint64_t step, Hash& hash) {
    const NoiseKey key = {.seed = 7, .step = step};
    for (int i = 0; i < kDrivenJoints; ++i) {
      const Encoder<T> encoder = {.resolution = T(0.0005) * T(i),
                                  .offset = T(0.01) * T(i),
                                  .noise = i == 1 ? T(0) : T(0.0002),
                                  .differentiates = i != 0,
                                  .time_constant = T(0.002) * T(i / 2),
                                  .channel = static_cast<std::uint32_t>(i)};
      EncoderState<T>& own = read_[at(i)];
      read(encoder, own, T(state_.q[i]), T(state_.v[i]), kDt, key);
      hash.add(own.position);
      hash.add(own.velocity);
    }
    Imu<T> imu;
    imu.frame.body = 2;
    imu.force_noise = T(0.02), imu.rate_noise = T(0.002), imu.rate_resolution = T(0.0001);
    imu.channel = 3;
    const Dofs vdot = (state_.v - before_) / kDt;
    if (felt_.move(state_.q, state_.v, vdot, state_.gravity) != Status::kOk) return false;
    const Inertial<T> felt = read(imu, felt_.at_frame(imu.frame), key);
    add(felt.force, hash), add(felt.rate, hash);

    const ForceTorque<T> sensor = {.force_noise = T(0.05),
                                   .torque_noise = T(0.002),
                                   .force_resolution = T(0.01),
                                   .channel = 9};
    const auto& wrenches = stepper_.output().reaction;
    const T* own = wrenches.data() + 6;
    const Spatial<T> wrench =
        read(sensor, {{own[0], own[1], own[2]}, {own[3], own[4], own[5]}}, key);
    add(wrench.linear, hash), add(wrench.angular, hash);
    const std::array<JointLoad<T>, kDrivenJoints> ratings = {
        {{T(100), T(50), T(20), T(28)}, {.radial = T(30), .tilting = T(4)}, {.torque = T(2)}}};
    const auto heaviest = heaviest_load<T>(this->model().bodies(), wrenches, ratings);
    hash.add(static_cast<std::uint32_t>(heaviest.body));
    hash.add(heaviest.share);
    before_ = state_.v;
    return true;
  }

  bool advance(int step, Hash& hash) {
    T way{}, cosine{};
    sincos(T(step) * T(0.006), way, cosine);
    for (int i = 0; i < kDrivenJoints; ++i) {
      const T goal = (i == 2 ? T(0.1) : T(0.8)) * way;
      command_[i] = T(120) * (goal - read_[at(i)].position) - T(9) * read_[at(i)].velocity;
    }
    auto ahead = state_;
    if (predictor_.predict(ahead, 3, kDt, Integrator::kSemiImplicitEuler) != Status::kOk) {
      return false;
    }
    if (predictor_.sent(command_) != Status::kOk) return false;
    hash.add_all(ahead.q);
    hash.add_all(ahead.v);

    if (trains_.drive(state_.v, command_, kDt) != Status::kOk) return false;
    trains_.add_smooth_friction(state_.v, T(0.02));
    state_.tau = trains_.tau();
    const Status status =
        stepper_.step(state_, kDt, Integrator::kSemiImplicitEuler, trains_.gains());
    if (status != Status::kOk) return false;
    trains_.follow(state_.v, state_.tau, kDt);
    hash.add_all(state_.q);
    hash.add_all(state_.v);
    hash.add_all(state_.tau);
    hash.add(trains_.state(0).rate);
    hash.add(trains_.state(0).stretch);
    // of some of it the observer is not told: that comes from outside
    Dofs known = state_.tau;
    if (step >= 300 && step < 400) known[1] = known[1] - T(5);
    if (observer_.update(state_.q, state_.v, known, state_.gravity, T(50), kDt) != Status::kOk) {
      return false;
    }
    hash.add_all(observer_.external());
    return true;
  }

  static void add(const Vec3<T>& a, Hash& hash) {
    for (const T& x : {a.x, a.y, a.z}) hash.add(x);
  }

  JointStepper<Form, T> stepper_;
  Drivetrains<Form, T> trains_;
  InertialMotion<Form, T> felt_;
  DisturbanceObserver<Form, T> observer_;
  Predictor<Form, 4, T> predictor_;
  Input state_;
  Dofs command_, before_;
  std::array<EncoderState<T>, kDrivenJoints> read_ = {};
};

// Both forms of the model, one after the other.
template <class T>
class DrivenMotions {
 public:
  // The hash over every number, or 0 if a step failed or the forms differ.
  std::uint64_t run() {
    Hash of_static, of_table;
    if (table_.status != Status::kOk || !static_.run(of_static) || !in_table_.run(of_table)) {
      return 0;
    }
    return of_static.value() == of_table.value() ? of_static.value() : 0;
  }

 private:
  using Table = TableModel<T, kDrivenJoints>;
  struct ArmTable : Table {  // what moves it wants to know its size
    Status status = this->assign(DrivenArm::kBodies);
  };

  ArmTable table_;
  DrivenMotion<DrivenArm, T> static_{StaticModel<DrivenArm, T>()};
  DrivenMotion<Table, T> in_table_{table_};
};

}  // namespace lockstep::test
