// What the page draws, as JSON: bodies with the columns of their coordinates, shapes, lines from
// joint to joint, the ground. hosttools/view/kinematics.js and scene.js read it.
#pragma once

#include <span>
#include <string>

#include "mechanism/mechanism.hpp"
#include "model/tree.hpp"
#include "page/visuals.hpp"
#include "record/record.hpp"
#include "robot/ground.hpp"
#include "text/error.hpp"

namespace lockstep::host {

// The record is not one of this robot: what() names the column and the remedy.
class RecordMismatch : public Error {
 public:
  using Error::Error;
};

// A robot whose record has the columns of its joints. Throws RecordMismatch.
std::string scene_of(const Tree& tree, const Visuals& visuals, const Bounds& bounds,
                     std::span<const RecordColumn> columns);

// A mechanism whose record has the columns of its bodies. Throws RecordMismatch.
std::string scene_of(const Mechanism& mechanism, std::span<const RecordColumn> columns);

}  // namespace lockstep::host
