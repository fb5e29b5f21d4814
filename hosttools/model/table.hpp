// Tree -> the run-time model of the core, for tools that solve any robot without compiling it.
#pragma once

#include <memory>

#include "lockstep/table_model.hpp"
#include "model/tree.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"

namespace lockstep::host {

// Room for the largest robots; Eigen's limit for one object without the heap allows little more.
inline constexpr int kHostBodies = 2048;

// On the heap: the table is too large for a stack.
template <class T, int kCapacity = kHostBodies>
std::unique_ptr<TableModel<T, kCapacity>> to_table(const Tree& tree) {
  auto model = std::make_unique<TableModel<T, kCapacity>>();
  if (const Status status = model->assign(tree.bodies); status != Status::kOk) {
    throw Error("robot " + quote(tree.name) + ": " + to_string(status) + " (" +
                std::to_string(tree.bodies.size()) + " bodies, room for " +
                std::to_string(kCapacity) + ")");
  }
  return model;
}

}  // namespace lockstep::host
