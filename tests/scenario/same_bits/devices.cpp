// What stands between a controller and an arm, and what an observer makes of it: drivetrains,
// encoders, an inertial unit, force and torque, noise, loads, prediction, efforts from outside.
#include "hashes.hpp"
#include "lockstep/devices/drive_figures.hpp"
#include "lockstep/devices/drivetrains.hpp"
#include "lockstep/devices/inertial.hpp"
#include "lockstep/integrate/joint_stepper.hpp"
#include "lockstep/observe/disturbance.hpp"
#include "lockstep/observe/predictor.hpp"
#include "lockstep/observe/ratings.hpp"
#include "six_axis_arm.hpp"

namespace lockstep::test {

namespace {

constexpr int kJoints = static_cast<int>(six_axis_arm::kBodies.size());
constexpr int kDelay = 3;
constexpr Integrator kEuler = Integrator::kSemiImplicitEuler;

// A motor and gear each: rigid, behind a spring, behind a spring with backlash, in turn.
template <class T>
Drivetrain<T> train_of(int joint) {
  const MotorFigures motor = {.torque_constant = 0.036,
                              .resistance = 0.942,
                              .voltage = 24,
                              .current = 7,
                              .inertia = 1.68e-5,
                              .time_constant = 0.0005,
                              .friction = 0.0086,
                              .damping = 1e-6};
  GearFigures gear = {.ratio = 100,
                      .efficiency = 0.8,
                      .coulomb = 0.5,
                      .stiction = 0.9,
                      .stribeck = 0.1,
                      .damping = 0.05};
  if (joint % 3 != 0) gear.stiffness = 4700, gear.spring_damping = 1;
  if (joint % 3 == 2) gear.backlash = 0.002;
  return to_drivetrain<T>(motor, gear, joint % 2 == 0 ? kDelay : 0);
}

template <class T>
struct Rig {
  using Robot = Driven<six_axis_arm>;
  JointStepper<Robot, T> stepper;
  Drivetrains<Robot, T> drives;
  InertialMotion<Robot, T> motion;
  Predictor<Robot, kDelay, T> predictor;
  DisturbanceObserver<Robot, T> observer;
  std::array<Drivetrain<T>, kJoints> trains;
  std::array<EncoderState<T>, kJoints> encoders;
};

template <class T>
void add(Witness<T>& witness, const Vec3<T>& a) {
  witness.add(a.x), witness.add(a.y), witness.add(a.z);
}

template <class T>
void tell_all() {
  static Rig<T> rig;
  constexpr T dt = T(0.001);
  Encoder<T> encoder = {.resolution = T(0.001534),
                        .offset = T(0.01),
                        .noise = T(0.0002),
                        .differentiates = true,
                        .time_constant = T(0.004)};
  const Imu<T> imu = {.frame = LinkFrame<T>(six_axis_arm::kFrames.back()),
                      .force_offset = {T(0.1), T(0), T(-0.2)},
                      .rate_offset = {T(0), T(0.01), T(0)},
                      .force_noise = T(0.02),
                      .rate_noise = T(0.002),
                      .force_resolution = T(0.0024),
                      .rate_resolution = T(0.0001),
                      .channel = 100};
  const ForceTorque<T> wrist = {.body = kJoints - 1,
                                .force_noise = T(0.1),
                                .torque_noise = T(0.01),
                                .force_resolution = T(0.05),
                                .torque_resolution = T(0.001),
                                .channel = 200};
  const JointLoad<T> rating = {.axial = T(900), .radial = T(700), .tilting = T(60)};

  Witness<T> drives("Drivetrains"), encoders("Encoder"), units("Imu"), wrenches("ForceTorque"),
      loads("ratings"), ahead("Predictor"), outside("DisturbanceObserver");
  for (int k = 0; k < kJoints; ++k) rig.trains[at(k)] = train_of<T>(k);
  drives.add(rig.drives.set(rig.trains));
  encoders.add(encoder.check()), units.add(imu.check()), wrenches.add(wrist.check());
  rig.encoders = {};
  rig.predictor.clear();
  auto state = rig.stepper.make_input();
  outside.add(rig.observer.start(state.q, state.v, state.gravity));
  Random random;
  for (int i = 0; i < 500; ++i) {
    const NoiseKey key = {.seed = 7, .step = static_cast<std::uint64_t>(i)};
    auto command = state.tau;
    random.fill(command, 150);
    auto predicted = state;
    ahead.add(rig.predictor.predict(predicted, kDelay, dt, kEuler));
    ahead.add(predicted.q), ahead.add(predicted.v);
    ahead.add(rig.predictor.sent(command));

    drives.add(rig.drives.drive(state.v, command, dt));
    state.tau = rig.drives.tau();
    rig.drives.add_smooth_friction(state.v, T(0.05));
    drives.add(rig.drives.tau()), drives.add(rig.drives.friction());
    drives.add(rig.stepper.step(state, dt, kEuler, rig.drives.gains()));
    rig.drives.follow(state.v, state.tau, dt);
    drives.add(state.q), drives.add(state.v), drives.add(state.tau);
    for (int k = 0; k < kJoints; ++k) {
      const T& q = state.q[k];
      drives.add(rig.drives.motor_position(k, q));
      encoder.channel = static_cast<std::uint32_t>(k);
      EncoderState<T>& own = rig.encoders[at(k)];
      read(encoder, own, q, state.v[k], dt, key);
      encoders.add(own.position), encoders.add(own.velocity);
    }
    const auto& output = rig.stepper.output();
    units.add(rig.motion.move(state.q, state.v, output.vdot, state.gravity));
    const Inertial<T> felt = read(imu, rig.motion.at_frame(imu.frame), key);
    add(units, felt.force), add(units, felt.rate);
    const T* r = output.reaction.data() + 6 * wrist.body;
    const Spatial<T> told = read(wrist, Spatial<T>{{r[0], r[1], r[2]}, {r[3], r[4], r[5]}}, key);
    add(wrenches, told.linear), add(wrenches, told.angular);
    for (int k = 0; k < kJoints; ++k) {
      const auto bodies = ViewOf<six_axis_arm, T>::Type::bodies();
      loads.add(share_of(joint_load(bodies[at(k)], output.reaction.data() + 6 * k), rating));
    }
    outside.add(rig.observer.update(state.q, state.v, state.tau, state.gravity, T(30), dt));
    outside.add(rig.observer.external());
  }
}

}  // namespace

void tell_devices() {
  tell_all<float>();
  tell_all<double>();
}

}  // namespace lockstep::test
