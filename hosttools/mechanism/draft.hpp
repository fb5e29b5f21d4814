// What a mechanism's file says, element by element and with its lines, before it is known to make
// sense. Values that cannot be read are absent and have a finding.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/constraint/prescribed.hpp"
#include "lockstep/contact/records.hpp"
#include "mechanism/words.hpp"
#include "text/finding.hpp"
#include "urdf/draft.hpp"

namespace lockstep::host {

struct DraftMaterial {
  double friction = 0, restitution = 0;
};

// Of the ground: an infinite plane.
struct DraftGround {
  Triple normal = {0, 0, 1};
  double offset = 0;
  DraftMaterial material;
  int line = 0;
};

// A shape on a body.
struct DraftBodyShape {
  std::optional<contact::ShapeType> type;
  Triple half = {};
  double radius = 0;
  bool is_point = false;
  DraftPose origin;
  DraftMaterial material;
  int line = 0;
};

struct DraftBody {
  std::string name;
  std::optional<maximal::BodyType> type;
  DraftInertial inertial;  // its origin is the initial pose
  std::vector<DraftBodyShape> collisions;
  Triple scale = {1, 1, 1}, linear = {}, angular = {}, scale_rate = {}, force = {}, moment = {};
  int line = 0, scale_line = 0, velocity_line = 0;

  std::string label() const { return "body " + quote(name); }
};

// Where a constraint takes hold of a body.
struct DraftHold {
  Reference body;  // empty: the world
  std::optional<DraftPose> origin;
};

// On the coordinate that a constraint leaves free, and its dry friction.
struct DraftBound {
  std::optional<double> lower, upper;
  double restitution = 0, friction = 0;
  int line = 0;
};

// A spring, a damper and an inertia on that coordinate: a row of its own, that yields.
struct DraftPassive {
  double damping = 0, stiffness = 0, rest = 0, armature = 0;
  int line = 0;

  bool yields() const { return damping != 0 || stiffness != 0 || armature != 0; }
};

struct DraftConstraint {
  std::string name;
  const ConstraintWords* type = nullptr;
  DraftHold a, b;
  std::optional<DraftPose> at;  // both, in the world
  DraftAxis axis;
  std::map<std::string, Triple> parameters;  // by the names of ConstraintWords; a number is first
  std::optional<maximal::Swing<double>> motion;
  std::optional<DraftBound> bound;
  std::optional<DraftPassive> passive;
  DraftSoftness soft;
  constraint::Standing standing = constraint::Standing::kOrdered;
  int line = 0;

  std::string label() const { return "constraint " + quote(name); }
};

// A coupling: the sum of factor * coordinate over constraints that leave one free.
struct DraftSum {
  struct Term {
    Reference constraint;
    double factor = 1;
  };
  std::string name;
  std::vector<Term> terms;
  std::optional<double> offset;  // none: what the sum is at the start
  DraftSoftness soft;
  int line = 0;

  std::string label() const { return "coupling " + quote(name); }
};

struct DraftMechanism {
  std::string name;
  Triple gravity = {0, 0, -9.81};
  std::optional<DraftGround> ground;
  std::vector<DraftBody> bodies;
  std::vector<DraftConstraint> constraints;
  std::vector<DraftSum> couplings;
};

// From XML: reads names and numbers strictly and reports what it cannot read.
DraftMechanism parse_mechanism(const std::string& text, Findings& findings);

}  // namespace lockstep::host
