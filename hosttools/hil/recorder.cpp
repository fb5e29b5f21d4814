#include "hil/recorder.hpp"

#include <algorithm>

#include "hil/start.hpp"
#include "model/loop_rows.hpp"

namespace lockstep::host::hil {

namespace {

std::vector<RecordColumn> columns_of(const JointRecord& rows, const DeviceRow& devices,
                                     const TickCosts* costs) {
  std::vector<RecordColumn> columns = rows.columns();
  std::ranges::copy(devices.columns(), std::back_inserter(columns));
  if (costs != nullptr) columns.push_back(costs->column());
  return columns;
}

}  // namespace

template <class T>
Recorder<T>::Recorder(const RobotTrees& robot, const Scenario& scenario, const Plan<T>& plan,
                      std::uint64_t every, bool loads, TickCosts* costs)
    : robot_(robot),
      settings_(plan.plant),
      dt_(scenario.dt()),
      every_(every),
      map_(robot.whole, robot.computed),
      bounded_(robot.computed, plan.bounds),
      rows_(robot, plan.bounds, scenario.drive != Drive::kTorque, loads),
      devices_(plan.devices),
      costs_(costs),
      record_(columns_of(rows_, devices_, costs)),
      now_{rest(robot.whole.bodies)} {
  now_.gravity = Eigen::Vector3d(scenario.gravity.data());
  if (scenario.drive != Drive::kTorque) now_.reference.emplace();
}

// As the controller takes it: within the joints' limits.
template <class T>
JointReference Recorder<T>::reference_at(std::uint64_t step) const {
  const DenseInput merged = rest(robot_.computed.bodies);
  Eigen::VectorXd q = merged.q, v = merged.v;
  const auto& limits = settings_.limits;
  for_single_joints(robot_.computed, [&](std::size_t, const Counts& at) {
    const auto sample = settings_.waves.at(at.v, step, settings_.dt);
    const T within = std::clamp(sample.value, limits.lower[at.v], limits.upper[at.v]);
    const T rate = within == sample.value ? sample.rate : T(0);
    q[at.q] = static_cast<double>(within);
    v[at.v] += static_cast<double>(  // a wave that stands still may have a rate of -0
        std::clamp(rate, -limits.velocity[at.v], limits.velocity[at.v]));
  });
  return {map_.whole_q(q), map_.whole_v(v)};
}

template <class T>
void Recorder<T>::before(const EquippedHostPlant<T>& plant) {
  const std::uint64_t step = plant.step();
  open_.reset();
  if (step % every_ != 0 && !is_last_) return;
  open_ = step;
  read_moment(plant, map_, bounded_, now_);
  devices_.measured<T>(plant);
  if (now_.reference) now_.reference = reference_at(step);
}

template <class T>
void Recorder<T>::after(const EquippedHostPlant<T>& plant) {
  if (!open_) return;
  now_.tau = map_.whole_tau(plant.motion().tau.template cast<double>());
  Mechanics own = mechanics(robot_.whole.bodies, now_);
  own.potential += soft_row_energy(robot_.whole, now_.q) + now_.stored;
  devices_.acted<T>(plant);
  std::vector<double> row = rows_.row(now_, own);
  std::ranges::copy(devices_.values(), std::back_inserter(row));
  if (costs_ != nullptr) row.push_back(costs_->at(*open_));
  record_.add(time_of(*open_, dt_), row);
}

template class Recorder<float>;
template class Recorder<double>;

}  // namespace lockstep::host::hil
