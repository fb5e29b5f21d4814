// Draft -> urdfdom -> Description. urdfdom 3.0 logs bad input through a format string, reads
// unreadable numbers as 0, and knows neither forests nor ball joints nor loops: what it gets is
// written here, from checked values, and what it cannot hold is put back afterwards.
#include <console_bridge/console.h>
#include <tinyxml2.h>
#include <urdf_parser/urdf_parser.h>

#include <Eigen/Geometry>
#include <cmath>
#include <unordered_set>

#include "text/error.hpp"
#include "text/number.hpp"
#include "urdf/placement.hpp"
#include "urdf/read.hpp"
#include "urdf/rotation.hpp"

namespace lockstep::host {

namespace {

const char* urdfdom_type(UrdfJoint type) {
  for (const JointTypeName& row : kJointTypeNames) {
    if (row.type == type) return row.urdfdom;
  }
  return "fixed";
}

// Writes the text that urdfdom reads.
class TreeWriter {
 public:
  std::string write(const Draft& draft) {
    printer_.OpenElement("robot");
    attribute("name", draft.name);
    for (const DraftLink& link : draft.links) write_link(link);
    for (const DraftJoint& joint : draft.joints) write_joint(joint);
    join_roots(draft);
    printer_.CloseElement();
    return printer_.CStr();
  }

 private:
  void attribute(const char* name, const std::string& value) {
    printer_.PushAttribute(name, value.c_str());
  }
  void attribute(const char* name, double value) { attribute(name, write_number(value)); }
  void attribute(const char* name, const Triple& v) {
    attribute(name, write_number(v[0]) + " " + write_number(v[1]) + " " + write_number(v[2]));
  }

  template <class Value>
  void element(const char* name, const char* key, const Value& value) {
    printer_.OpenElement(name);
    attribute(key, value);
    printer_.CloseElement();
  }

  void write_link(const DraftLink& link) {
    printer_.OpenElement("link");
    attribute("name", link.name);
    if (link.inertial) {
      printer_.OpenElement("inertial");
      element("origin", "xyz", link.inertial->origin.xyz);
      element("mass", "value", *link.inertial->mass);
      printer_.OpenElement("inertia");
      constexpr const char* kNames[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
      for (std::size_t i = 0; i < 6; ++i) attribute(kNames[i], (*link.inertial->inertia)[i]);
      printer_.CloseElement();
      printer_.CloseElement();
    }
    printer_.CloseElement();
  }

  void open_joint(const std::string& name, UrdfJoint type, const std::string& parent,
                  const std::string& child) {
    printer_.OpenElement("joint");
    attribute("name", name);
    attribute("type", std::string(urdfdom_type(type)));
    element("parent", "link", parent);
    element("child", "link", child);
  }

  void write_joint(const DraftJoint& joint) {
    open_joint(joint.name, *joint.type, joint.parent.name, joint.child.name);
    element("origin", "xyz", joint.origin.xyz);
    if (joint.axis.xyz) element("axis", "xyz", *joint.axis.xyz);
    const LimitDescription limits = joint.limits.value_or(LimitDescription{});
    printer_.OpenElement("limit");  // urdfdom insists on one, with effort and velocity
    attribute("lower", limits.lower.value_or(0));
    attribute("upper", limits.upper.value_or(0));
    attribute("velocity", limits.velocity.value_or(0));
    attribute("effort", limits.effort.value_or(0));
    printer_.CloseElement();
    printer_.OpenElement("dynamics");
    attribute("damping", joint.damping);
    attribute("friction", joint.friction);
    printer_.CloseElement();
    if (joint.mimic) {
      printer_.OpenElement("mimic");
      attribute("joint", joint.mimic->joint);
      attribute("multiplier", joint.mimic->multiplier);
      attribute("offset", joint.mimic->offset);
      printer_.CloseElement();
    }
    printer_.CloseElement();
  }

  // urdfdom wants one root: a link above all roots, which the Description leaves out again.
  void join_roots(const Draft& draft) {
    std::unordered_set<std::string> taken, children;
    for (const DraftLink& link : draft.links) taken.insert(link.name);
    for (const DraftJoint& joint : draft.joints) {
      taken.insert(joint.name);
      children.insert(joint.child.name);
    }
    const auto unused = [&](std::string name) {
      while (!taken.insert(name).second) name += '_';
      return name;
    };
    const std::string world = unused("world");
    printer_.OpenElement("link");
    attribute("name", world);
    printer_.CloseElement();
    for (const DraftLink& link : draft.links) {
      if (children.contains(link.name)) continue;
      open_joint(unused("world_" + link.name), UrdfJoint::kFixed, world, link.name);
      printer_.CloseElement();
    }
  }

  tinyxml2::XMLPrinter printer_{nullptr, true};
};

// urdfdom's links own their children; a long chain would be destroyed by as deep a recursion.
class Model {
 public:
  explicit Model(const std::string& text) {
    console_bridge::noOutputHandler();
    model_ = urdf::parseURDF(text);
  }
  ~Model() {
    if (!model_) return;
    for (const auto& [name, link] : model_->links_) {
      link->child_links.clear();
      link->child_joints.clear();
    }
  }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  urdf::LinkConstSharedPtr link(const std::string& name) const {
    return model_ ? model_->getLink(name) : nullptr;
  }
  urdf::JointConstSharedPtr joint(const std::string& name) const {
    return model_ ? model_->getJoint(name) : nullptr;
  }

 private:
  urdf::ModelInterfaceSharedPtr model_;
};

Eigen::Vector3d read(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }

// written out: a library's sum may have another order on another machine
Eigen::Vector3d unit(const Eigen::Vector3d& v) {
  return v / std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

LinkDescription describe_link(const DraftLink& draft, const urdf::Link& link) {
  LinkDescription result;
  result.name = link.name;
  result.line = draft.line;
  if (!link.inertial) return result;
  const urdf::Inertial& in = *link.inertial;
  result.mass = in.mass;
  result.com = read(in.origin.position);
  result.inertia << in.ixx, in.ixy, in.ixz, in.ixy, in.iyy, in.iyz, in.ixz, in.iyz, in.izz;
  const Triple& rpy = draft.inertial->origin.rpy;
  if (rpy != Triple{}) result.inertia = rotate_inertia(rotation_from_rpy(rpy), result.inertia);
  return result;
}

// Keeps what the file gave; a continuous joint has no limits, and one alone means that the other
// is at 0.
LimitDescription describe_limits(const DraftJoint& draft, const urdf::JointLimits& limits) {
  LimitDescription result;
  const LimitDescription& given = *draft.limits;
  if (*draft.type != UrdfJoint::kContinuous && (given.lower || given.upper)) {
    result.lower = limits.lower;
    result.upper = limits.upper;
  }
  if (given.velocity) result.velocity = limits.velocity;
  if (given.effort) result.effort = limits.effort;
  return result;
}

JointDescription describe_joint(const DraftJoint& draft, const urdf::Joint& joint,
                                bool leader_moves) {
  JointDescription result;
  result.name = joint.name;
  result.type = *draft.type;
  result.line = draft.line;
  result.parent_link = joint.parent_link_name;
  result.child_link = joint.child_link_name;
  result.R_PJ = rotation_from_rpy(draft.origin.rpy);
  result.p_PJ = read(joint.parent_to_joint_origin_transform.position);
  if (has_axis(result.type)) {
    result.axis = unit(read(joint.axis));
  }
  result.independent = draft.independent;
  result.damping = joint.dynamics->damping;
  result.friction = joint.dynamics->friction;
  result.armature = draft.armature;
  result.stiffness = draft.stiffness;
  result.rest = draft.rest;
  if (draft.limits) result.limits = describe_limits(draft, *joint.limits);
  if (joint.mimic && leader_moves && result.type != UrdfJoint::kFixed) {
    result.mimic = {joint.mimic->joint_name, joint.mimic->multiplier, joint.mimic->offset};
  }
  return result;
}

// What of a drivetrain without a spring is the joint's: the rotor, friction and damping.
void add_rigid_drivetrain(const DraftDrivetrain& draft, JointDescription& joint) {
  const auto train = to_drivetrain<double>(draft.motor, draft.gear);
  joint.armature += train.inertia;
  joint.damping += train.damping;
  joint.friction += train.coulomb;
}

LoopEnd describe_end(const DraftLoopEnd& draft) {
  return {draft.link.name, rotation_from_rpy(draft.origin.rpy), to_eigen(draft.origin.xyz)};
}

LoopDescription describe_loop(const DraftLoop& draft) {
  LoopDescription result;
  result.name = draft.name;
  result.type = *draft.type;
  result.predecessor = describe_end(draft.predecessor);
  result.successor = describe_end(draft.successor);
  if (has_axis(result.type) && draft.axis.xyz) result.axis = unit(to_eigen(*draft.axis.xyz));
  result.length = draft.length.value_or(0);
  result.stiffness = draft.soft.stiffness.value_or(0);
  result.damping = draft.soft.damping.value_or(0);
  result.line = draft.line;
  return result;
}

}  // namespace

Description describe(const Draft& draft, const std::string& file) {
  const Model model(TreeWriter().write(draft));
  Description description{file, draft.name, {}, {}};
  const auto check = [&](bool found, const std::string& element) {
    if (!found)
      throw Error(file + ": " + element + ": urdfdom does not read it; simplify its name");
  };
  for (const DraftLink& link : draft.links) {
    const auto read = model.link(link.name);
    check(read != nullptr, "link " + quote(link.name));
    description.links.push_back(describe_link(link, *read));
  }
  std::unordered_set<std::string> fixed;
  for (const DraftJoint& joint : draft.joints) {
    if (joint.type == UrdfJoint::kFixed) fixed.insert(joint.name);
  }
  for (const DraftJoint& joint : draft.joints) {
    const auto read = model.joint(joint.name);
    check(read && read->dynamics && read->limits, joint.label());
    const bool leader_moves = joint.mimic && !fixed.contains(joint.mimic->joint);
    description.joints.push_back(describe_joint(joint, *read, leader_moves));
  }
  for (const DraftDrivetrain& own : draft.drivetrains) {
    for (JointDescription& joint : description.joints) {
      if (joint.name == own.joint.name && own.is_rigid()) add_rigid_drivetrain(own, joint);
    }
  }
  for (const DraftLoop& loop : draft.loops) description.loops.push_back(describe_loop(loop));
  for (const DraftCoupling& coupling : draft.couplings) {
    description.couplings.push_back(
        {coupling.name, coupling.predecessor.name, coupling.successor.name, coupling.ratio,
         coupling.soft.stiffness.value_or(0), coupling.soft.damping.value_or(0), coupling.line});
  }
  return description;
}

}  // namespace lockstep::host
