// How rows yield: loops and couplings of a robot, constraints of a mechanism.
#pragma once

#include <string>

#include "lockstep/model.hpp"
#include "system/json_file.hpp"
#include "text/number.hpp"

namespace lockstep::host {

// "yields with stiffness 1e+04, damping 20", each row in its own unit; nothing if it does not
template <class Record>
std::string softness(const Record& record) {
  if (!yields(record)) return "";
  std::string text =
      "yields with stiffness " + brief(record.stiffness) + ", damping " + brief(record.damping);
  if constexpr (requires { record.armature; }) {
    if (record.armature != 0) text += ", armature " + brief(record.armature);
  }
  return text;
}

template <class Record>
void add_softness(const Record& record, Json& to) {
  if (!yields(record)) return;
  to["stiffness"] = record.stiffness;
  to["damping"] = record.damping;
  if constexpr (requires { record.armature; }) {
    if (record.armature != 0) to["armature"] = record.armature;
  }
}

}  // namespace lockstep::host
