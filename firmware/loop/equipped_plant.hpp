// A plant whose joints are driven and measured as real ones are. What it is commanded passes
// through drivetrains, what it tells comes from sensors, and its hash is over both; without either
// it is the plant that it is made of. Its state is that plant's: drivetrains and sensors begin anew
// at `start`.
#pragma once

#include <array>
#include <utility>

#include "loop/device_loop.hpp"
#include "loop/plant.hpp"

namespace lockstep::firmware {

// Base: a Plant, or derived of one. Store: figures() and readings(), of the robot's devices.
template <class Base, class Store>
class EquippedPlant : private Store, public Base {
 public:
  using typename Base::Configs;
  using typename Base::Dofs;
  using typename Base::Model;
  using typename Base::Motion;
  using typename Base::T;
  using PlantSettings = Settings<typename Base::View, T>;

  template <class... More>
  explicit EquippedPlant(const Robot<Model, T>& robot, const More&... more)
      : EquippedPlant(Store(), robot, more...) {}
  template <class... More>
  EquippedPlant(Store&& store, const Robot<Model, T>& robot, const More&... more)
      : Store(std::move(store)),
        Base(robot, more...),
        devices_(robot, Store::figures(), Store::readings()),
        told_(Base::motion()),
        sent_(told_.tau) {}

  // Where springs hold the robot to waves, they are drives that know the state.
  static constexpr bool can(const PlantSettings& settings) {
    return Base::can(settings) && settings.drive != link::DriveMode::kHoldWaves &&
           settings.integrator == Integrator::kSemiImplicitEuler;
  }

  Status set_state(std::uint64_t step, std::uint64_t hash) {
    const Status status = Base::set_state(step, hash);
    if (status == Status::kOk) told_ = Base::motion();
    return status;
  }
  Status start(const PlantSettings& settings) {
    const Status status = Base::start(settings);
    told_ = Base::motion();
    if (status != Status::kOk || !devices_.any()) return status;
    devices_.start(told_.v);
    sent_ = told_.tau;
    return measure(settings);
  }

  // What a controller knows: q and v as they are measured, the efforts that acted last.
  const Motion& told() const { return devices_.any() ? told_ : Base::motion(); }
  // What was asked of the drivetrains last.
  const Dofs& sent() const { return sent_; }
  const DeviceLoop<Model, T>& devices() const { return devices_; }

  // One step in time. On failure the state stays as it was.
  Status advance(const PlantSettings& settings) {
    if (!devices_.any()) return Base::advance(settings);
    next_ = sent_;
    Status status = Base::drive(settings, told_.q, told_.v, sent_, next_);
    if (status != Status::kOk) return status;
    sent_ = next_;
    status = devices_.advance(static_cast<Base&>(*this), settings, sent_);
    if (!has_moved(status)) return status;
    const Status measured = measure(settings);
    return measured == Status::kOk ? status : measured;
  }

 private:
  Status measure(const PlantSettings& settings) {
    const Status status = devices_.measure(static_cast<const Base&>(*this), settings);
    if (status != Status::kOk) return status;
    told_ = Base::motion();
    told_.q = devices_.q(), told_.v = devices_.v();
    devices_.add_to(Base::running_hash());
    return Status::kOk;
  }

  DeviceLoop<Model, T> devices_;
  Motion told_;
  Dofs sent_, next_;
};

// The devices of a compiled model, Model::Devices<T>.
template <class Model, class T>
class StaticDevices {
  using Devices = typename Model::template Devices<T>;

 public:
  static constexpr DeviceFigures<T> figures() {
    return {.seed = Devices::kSeed,
            .trains = Devices::kTrains,
            .friction = Devices::kFriction,
            .encoders = Devices::kEncoders,
            .imus = Devices::kImus,
            .wrenches = Devices::kWrenches};
  }
  DeviceReadings<T> readings() { return {encoders_, imus_, wrenches_}; }

 private:
  std::array<EncoderState<T>, Devices::kEncoders.size()> encoders_ = {};
  std::array<Inertial<T>, Devices::kImus.size()> imus_ = {};
  std::array<Spatial<T>, Devices::kWrenches.size()> wrenches_ = {};
};

template <class Model, class T>
struct ChoosePlant {
  using Type = Plant<Model, T>;
};
template <class Model, class T>
requires EquippedModel<Model>
struct ChoosePlant<Model, T> {
  using Type = EquippedPlant<Plant<Model, T>, StaticDevices<Model, T>>;
};
template <class Model, class T>
using PlantOf = typename ChoosePlant<Model, T>::Type;

}  // namespace lockstep::firmware
