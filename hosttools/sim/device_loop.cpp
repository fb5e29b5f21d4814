#include "sim/device_loop.hpp"

namespace lockstep::host::sim {

namespace {

template <class T>
Vec3<T> narrow(const Vec3<double>& a) {
  return {static_cast<T>(a.x), static_cast<T>(a.y), static_cast<T>(a.z)};
}

template <class T>
Drivetrain<T> narrow(const Drivetrain<double>& a) {
  const auto cast = [](double x) { return static_cast<T>(x); };
  return {.delay = a.delay,
          .effort = cast(a.effort),
          .time_constant = cast(a.time_constant),
          .stall = cast(a.stall),
          .back_emf = cast(a.back_emf),
          .efficiency = cast(a.efficiency),
          .coulomb = cast(a.coulomb),
          .stiction = cast(a.stiction),
          .stribeck = cast(a.stribeck),
          .damping = cast(a.damping),
          .inertia = cast(a.inertia),
          .stiffness = cast(a.stiffness),
          .spring_damping = cast(a.spring_damping),
          .backlash = cast(a.backlash)};
}

template <class T>
Encoder<T> narrow(const Encoder<double>& a) {
  return {.resolution = static_cast<T>(a.resolution),
          .offset = static_cast<T>(a.offset),
          .noise = static_cast<T>(a.noise),
          .differentiates = a.differentiates,
          .time_constant = static_cast<T>(a.time_constant),
          .channel = a.channel};
}

template <class T>
Imu<T> narrow(const Imu<double>& a) {
  Imu<T> result;
  result.frame = a.frame;
  result.force_offset = narrow<T>(a.force_offset);
  result.rate_offset = narrow<T>(a.rate_offset);
  result.force_noise = static_cast<T>(a.force_noise);
  result.rate_noise = static_cast<T>(a.rate_noise);
  result.force_resolution = static_cast<T>(a.force_resolution);
  result.rate_resolution = static_cast<T>(a.rate_resolution);
  result.channel = a.channel;
  return result;
}

template <class T>
ForceTorque<T> narrow(const ForceTorque<double>& a) {
  return {.body = a.body,
          .force_noise = static_cast<T>(a.force_noise),
          .torque_noise = static_cast<T>(a.torque_noise),
          .force_resolution = static_cast<T>(a.force_resolution),
          .torque_resolution = static_cast<T>(a.torque_resolution),
          .channel = a.channel};
}

}  // namespace

std::vector<RecordColumn> device_columns(const Devices& devices) {
  std::vector<RecordColumn> columns;
  const auto place = [](bool slides) { return slides ? "m" : "rad"; };
  const auto speed = [](bool slides) { return slides ? "m/s" : "rad/s"; };
  for (const JointDrive& own : devices.drives) {
    const char* unit = own.slides ? "N" : "N m";
    columns.push_back({"command." + own.joint, unit});
    columns.push_back({"motor." + own.joint, unit});
    if (!own.train.is_elastic()) continue;
    columns.push_back({"q_motor." + own.joint, place(own.slides)});
    columns.push_back({"v_motor." + own.joint, speed(own.slides)});
  }
  for (const JointEncoder& own : devices.encoders) {
    columns.push_back({"q_measured." + own.joint, place(own.slides)});
    columns.push_back({"v_measured." + own.joint, speed(own.slides)});
  }
  const auto add = [&](const std::string& name, const char* letter, const char* unit) {
    for (const char* axis : {"x", "y", "z"}) columns.push_back({name + letter + axis, unit});
  };
  for (const LinkImu& own : devices.imus) {
    add("imu." + own.name + ".", "a", "m/s^2");
    add("imu." + own.name + ".", "w", "rad/s");
  }
  for (const JointWrench& own : devices.wrenches) {
    add("wrench." + own.joint + ".", "f", "N");
    add("wrench." + own.joint + ".", "m", "N m");
  }
  return columns;
}

template <class T>
DeviceLoop<T>::DeviceLoop(const Devices& devices, const HostModel<T>& model, double dt,
                          const Dofs& v)
    : devices_(devices),
      dt_(static_cast<T>(dt)),
      trains_(static_cast<std::size_t>(model.body_count())),
      motors_(trains_.size()),
      drives_(model),
      motion_(model),
      readings_(devices.encoders.size()),
      felt_(devices.imus.size()),
      wrenches_(devices.wrenches.size()),
      v_(v),
      before_(v),
      command_(v) {
  for (const JointDrive& own : devices.drives) trains_[at(own.body)] = narrow<T>(own.train);
  for (const JointEncoder& own : devices.encoders) encoders_.push_back(narrow<T>(own.figures));
  for (const LinkImu& own : devices.imus) imus_.push_back(narrow<T>(own.figures));
  (void)drives_.set(trains_);  // load_devices has checked them
  drives_.start(v);
}

template <class T>
Status DeviceLoop<T>::measure(const Plant& plant, const typename Plant::Motion& motion) {
  q_ = motion.q, v_ = motion.v;
  for (const JointDrive& own : devices_.drives) {
    motors_[at(own.body)] = {drives_.motor_position(own.body, motion.q[own.q]),
                             drives_.state(own.body).rate};
  }
  const NoiseKey key = {.seed = devices_.seed, .step = plant.step()};
  for (std::size_t i = 0; i < encoders_.size(); ++i) {
    const JointEncoder& own = devices_.encoders[i];
    const bool spring = own.at_motor && trains_[at(own.body)].is_elastic();
    const T q = spring ? drives_.motor_position(own.body, motion.q[own.q]) : motion.q[own.q];
    const T v = spring ? drives_.state(own.body).rate : motion.v[own.v];
    read(encoders_[i], readings_[i], q, v, dt_, key);
    q_[own.q] = readings_[i].position, v_[own.v] = readings_[i].velocity;
  }
  if (!imus_.empty()) {
    // the mean of the step that led here; before the first, none
    const Dofs vdot = (motion.v - before_) / dt_;
    const Status status = motion_.move(motion.q, motion.v, vdot, motion.gravity);
    if (status != Status::kOk) return status;
    for (std::size_t i = 0; i < imus_.size(); ++i) {
      felt_[i] = read(imus_[i], motion_.at_frame(imus_[i].frame), key);
    }
  }
  if (!wrenches_.empty()) {
    const Matrix6Xd reaction = plant.stepping().reaction();
    for (std::size_t i = 0; i < wrenches_.size(); ++i) {
      const ForceTorque<T> sensor = narrow<T>(devices_.wrenches[i].figures);
      const auto own = reaction.col(sensor.body).template cast<T>().eval();
      wrenches_[i] =
          read(sensor, Spatial<T>{{own[0], own[1], own[2]}, {own[3], own[4], own[5]}}, key);
    }
  }
  before_ = motion.v;
  return Status::kOk;
}

template <class T>
Status DeviceLoop<T>::advance(Plant& plant, const LoopSettings<T>& settings, const Dofs& command) {
  command_ = command;
  Status status = drives_.drive(plant.motion().v, command, dt_);
  if (status != Status::kOk) return status;
  plant.incoming().tau = drives_.tau();
  status = plant.set_command();
  if (status != Status::kOk) return status;
  plant.stepping().assist(drives_.gains());
  for (const JointDrive& own : devices_.drives) {
    if (!trains_[at(own.body)].is_lossy_at_joint()) continue;
    plant.stepping().rub(own.body, static_cast<T>(own.friction) + drives_.friction()[own.v]);
  }
  status = plant.advance(settings);
  if (has_moved(status)) drives_.follow(plant.motion().v, plant.motion().tau, dt_);
  return status;
}

template <class T>
std::vector<double> DeviceLoop<T>::row() const {
  std::vector<double> row;
  const auto add = [&](const T& x) { row.push_back(static_cast<double>(x)); };
  const auto add_vector = [&](const Vec3<T>& a) { add(a.x), add(a.y), add(a.z); };
  for (const JointDrive& own : devices_.drives) {
    const DrivetrainState<T>& state = drives_.state(own.body);
    add(command_[own.v]);
    add(state.current);
    if (!own.train.is_elastic()) continue;
    add(motors_[at(own.body)].position);
    add(motors_[at(own.body)].rate);
  }
  for (const EncoderState<T>& own : readings_) add(own.position), add(own.velocity);
  for (const Inertial<T>& own : felt_) add_vector(own.force), add_vector(own.rate);
  for (const Spatial<T>& own : wrenches_) add_vector(own.linear), add_vector(own.angular);
  return row;
}

template class DeviceLoop<float>;
template class DeviceLoop<double>;

}  // namespace lockstep::host::sim
