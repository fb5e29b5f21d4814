#include "mechanism/table.hpp"

namespace lockstep::host {

template <class T>
std::unique_ptr<HostMechanism<T>> to_table(const Mechanism& mechanism) {
  auto table = std::make_unique<HostMechanism<T>>();
  const Status status = table->assign(mechanism.bodies, mechanism.constraints);
  if (status == Status::kOk) return table;
  throw Error("mechanism " + quote(mechanism.name) + ": " + to_string(status) + " (" +
              std::to_string(mechanism.bodies.size()) + " bodies, " +
              std::to_string(mechanism.constraints.size()) + " constraints; room for " +
              std::to_string(kHostMechanismBodies) + " bodies, " + std::to_string(kHostLoopRows) +
              " rows of loops)");
}

template std::unique_ptr<HostMechanism<float>> to_table(const Mechanism&);
template std::unique_ptr<HostMechanism<double>> to_table(const Mechanism&);

}  // namespace lockstep::host
