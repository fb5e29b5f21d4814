// What a mechanism's file says, element by element and with its lines, before it is known to make
// sense. Values that cannot be read are absent and have a finding.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/maximal/constraints/prescribed.hpp"
#include "mechanism/words.hpp"
#include "urdf/draft.hpp"
#include "urdf/finding.hpp"

namespace lockstep::host {

// How something touches.
struct DraftTouch {
  double friction = 0, restitution = 0;
  int line = 0;
};

struct DraftCollision {
  DraftTouch touch;
  std::optional<double> radius;  // of a ball about the centre of mass
};

struct DraftGround {
  DraftTouch touch;
  Triple normal = {0, 0, 1};
  double offset = 0;
};

struct DraftBody {
  std::string name;
  std::optional<maximal::BodyType> type;
  DraftInertial inertial;  // its origin is the initial pose
  Triple scale = {1, 1, 1}, linear = {}, angular = {}, scale_rate = {}, force = {}, moment = {};
  std::optional<DraftCollision> collision;
  int line = 0, scale_line = 0, velocity_line = 0;

  std::string label() const { return "body " + quote(name); }
};

// Where a constraint takes hold of a body.
struct DraftHold {
  Reference body;  // empty: the world
  std::optional<DraftPose> origin;
};

struct DraftConstraint {
  std::string name;
  const ConstraintWords* type = nullptr;
  DraftHold a, b;
  std::optional<DraftPose> at;  // both, in the world
  std::optional<Triple> axis;
  int axis_line = 0;
  std::map<std::string, Triple> parameters;  // by the names of ConstraintWords; a number is first
  std::optional<maximal::Swing<double>> motion;
  int line = 0;

  std::string label() const { return "constraint " + quote(name); }
};

struct DraftMechanism {
  std::string name;
  Triple gravity = {0, 0, -9.81};
  std::optional<DraftGround> ground;
  std::vector<DraftBody> bodies;
  std::vector<DraftConstraint> constraints;
};

}  // namespace lockstep::host
