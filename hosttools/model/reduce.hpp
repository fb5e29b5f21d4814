// Description -> Tree. Fixed joints are lumped into the body that carries them, body frames are
// turned onto the joint axes, bodies stand depth first, parents first, siblings in the file's
// order. Plain double arithmetic in one order: every host computes the same bits. Throws Error when
// the robot has no tree, or a joint has no inertia to move.
#pragma once

#include "model/tree.hpp"
#include "text/finding.hpp"
#include "urdf/description.hpp"

namespace lockstep::host {

struct ReduceOptions {
  // What a link without a parent is: a part of the world, or a body that moves freely. A massless
  // one that holds nothing but a floating joint only says that the robot floats: it stays a part of
  // the world, and kFixed makes that joint rigid.
  enum class Base { kAsWritten, kFixed, kFloating };
  Base base = Base::kAsWritten;
  bool ignore_damping = false;
  bool ignore_mimic = false;
  int most_pairs = 256;            // of shapes that may meet without the file saying so
  bool accept_unphysical = false;  // negative masses and moments become zero
  bool freeze_massless = false;    // joints that have nothing to move are held
  double inertia_floor = 0;        // kg m^2, added where a joint has nothing to move
};

// What the last three options changed is told as warnings.
Tree reduce(const Description& description, const ReduceOptions& options, Findings& findings);
Tree reduce(const Description& description, const ReduceOptions& options);

}  // namespace lockstep::host
