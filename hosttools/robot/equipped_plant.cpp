#include "robot/equipped_plant.hpp"

namespace lockstep::host {

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

template <class T>
DeviceTables<T>::DeviceTables(const Devices& devices, int bodies) {
  if (!devices.any()) return;
  seed_ = devices.seed;
  trains_.resize(static_cast<std::size_t>(bodies));
  friction_.resize(trains_.size());
  for (const JointDrive& own : devices.drives) {
    trains_[at(own.body)] = narrow<T>(own.train);
    friction_[at(own.body)] = static_cast<T>(own.friction);
  }
  for (const JointEncoder& own : devices.encoders) {
    encoders_.push_back({own.body, own.q, own.v, own.at_motor, narrow<T>(own.figures)});
  }
  for (const LinkImu& own : devices.imus) imus_.push_back(narrow<T>(own.figures));
  for (const JointWrench& own : devices.wrenches) wrenches_.push_back(narrow<T>(own.figures));
  read_.resize(encoders_.size());
  felt_.resize(imus_.size());
  passed_.resize(wrenches_.size());
}

std::vector<RecordColumn> DeviceRow::columns() const {
  std::vector<RecordColumn> columns;
  const auto place = [](bool slides) { return slides ? "m" : "rad"; };
  const auto speed = [](bool slides) { return slides ? "m/s" : "rad/s"; };
  for (const JointDrive& own : devices_.drives) {
    const char* unit = own.slides ? "N" : "N m";
    columns.push_back({"command." + own.joint, unit});
    columns.push_back({"motor." + own.joint, unit});
    if (!own.train.is_elastic()) continue;
    columns.push_back({"q_motor." + own.joint, place(own.slides)});
    columns.push_back({"v_motor." + own.joint, speed(own.slides)});
  }
  for (const JointEncoder& own : devices_.encoders) {
    columns.push_back({"q_measured." + own.joint, place(own.slides)});
    columns.push_back({"v_measured." + own.joint, speed(own.slides)});
  }
  const auto add = [&](const std::string& name, const char* letter, const char* unit) {
    for (const char* axis : {"x", "y", "z"}) columns.push_back({name + letter + axis, unit});
  };
  for (const LinkImu& own : devices_.imus) {
    add("imu." + own.name + ".", "a", "m/s^2");
    add("imu." + own.name + ".", "w", "rad/s");
  }
  for (const JointWrench& own : devices_.wrenches) {
    add("wrench." + own.joint + ".", "f", "N");
    add("wrench." + own.joint + ".", "m", "N m");
  }
  return columns;
}

template <class T>
void DeviceRow::measured(const EquippedHostPlant<T>& plant) {
  row_.clear();
  const auto add = [&](const T& x) { row_.push_back(static_cast<double>(x)); };
  const auto add_vector = [&](const Vec3<T>& a) { add(a.x), add(a.y), add(a.z); };
  const auto& loop = plant.devices();
  for (const JointDrive& own : devices_.drives) {
    row_.resize(row_.size() + 2);  // known after the step
    if (!own.train.is_elastic()) continue;
    add(loop.motor_position(own.body, plant.motion().q[own.q]));
    add(loop.motor(own.body).rate);
  }
  for (const EncoderState<T>& own : loop.readings().encoders) add(own.position), add(own.velocity);
  for (const Inertial<T>& own : loop.readings().imus) add_vector(own.force), add_vector(own.rate);
  for (const Spatial<T>& own : loop.readings().wrenches) {
    add_vector(own.linear), add_vector(own.angular);
  }
}

template <class T>
void DeviceRow::acted(const EquippedHostPlant<T>& plant) {
  std::size_t column = 0;
  for (const JointDrive& own : devices_.drives) {
    row_[column] = static_cast<double>(plant.sent()[own.v]);
    row_[column + 1] = static_cast<double>(plant.devices().motor(own.body).current);
    column += own.train.is_elastic() ? 4 : 2;
  }
}

template class DeviceTables<float>;
template class DeviceTables<double>;
template void DeviceRow::measured(const EquippedHostPlant<float>&);
template void DeviceRow::measured(const EquippedHostPlant<double>&);
template void DeviceRow::acted(const EquippedHostPlant<float>&);
template void DeviceRow::acted(const EquippedHostPlant<double>&);

}  // namespace lockstep::host

namespace lockstep::firmware {
template class EquippedPlant<host::HostPlant<float>, host::DeviceTables<float>>;
template class EquippedPlant<host::HostPlant<double>, host::DeviceTables<double>>;
}  // namespace lockstep::firmware
