#include "mechanism/from_tree.hpp"

#include <algorithm>
#include <cmath>

#include "mechanism/build.hpp"
#include "mechanism/coupling.hpp"
#include "oracle/world.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"
#include "urdf/placement.hpp"

namespace lockstep::host {

namespace {

using maximal::ConstraintType;

Vec3<double> centre_of(const Body& body) {
  return {body.h[0] / body.mass, body.h[1] / body.mass, body.h[2] / body.mass};
}

Vec3<double> centre_of(const Tree& tree, int body) {
  return body == kWorld ? Vec3<double>{} : centre_of(tree.bodies[at(body)]);
}

// Steiner's theorem takes the inertia from B's origin to the centre of mass.
maximal::RigidBody<double> rigid_body(const Body& body) {
  const auto& I = body.inertia;
  const Vec3<double> c = centre_of(body), h = to_vec(body.h);
  return {body.mass,
          {I[0] - (h.y * c.y + h.z * c.z), I[1] + h.x * c.y, I[2] + h.x * c.z,
           I[3] - (h.z * c.z + h.x * c.x), I[4] + h.y * c.z, I[5] - (h.x * c.x + h.y * c.y)}};
}

ConstraintType constraint_of(JointType joint) {
  switch (joint) {
    case JointType::kPrismatic: return ConstraintType::kPrismatic;
    case JointType::kBall: return ConstraintType::kBall;
    case JointType::kPlanar: return ConstraintType::kPlanar;
    case JointType::kRevolute:
    case JointType::kFloating: break;
  }
  return ConstraintType::kRevolute;
}

void require_body(const Tree& tree, std::size_t i, const std::string& file, Passive passive) {
  const Body& body = tree.bodies[i];
  const std::string link = file + ": link " + quote(tree.link_names[i]) + ": ";
  if (!(body.mass > 0) || rigid_body(body).check() != Status::kOk) {
    throw Error(link + "has " + (body.mass > 0 ? "no inertia" : "no mass") +
                " and cannot be a body of its own in maximal coordinates; give it an <inertial> "
                "or make its joint fixed");
  }
  if (body.armature != 0 && passive == Passive::kForces) {
    throw Error(file + ": joint " + quote(tree.joint_names[i]) +
                ": has an armature, which this method does not know; leave out --method or the "
                "armature");
  }
}

using TwoFrames = maximal::Between<maximal::Ball<double>>;

// Where the joint of a body has its frames, from both centres of mass.
TwoFrames frames_of(const Tree& tree, const Body& body) {
  return {{Mat3<double>::from_rows(body.R_PJ), to_vec(body.p_PJ) - centre_of(tree, body.parent)},
          {kNoTurn, -centre_of(body)},
          {}};
}

template <class Record>
void require_rigid(const Record& record, const std::string& label, const std::string& file,
                   Passive passive) {
  if (!yields(record) || passive == Passive::kRows) return;
  throw Error(file + ": " + label +
              ": has stiffness or damping, and with this method rows do not yield; leave out "
              "--method or the stiffness and damping");
}

CoupledJoint joint_of(const Tree& tree, int i, double factor = 1) {
  const Body& body = tree.bodies[at(i)];
  const TwoFrames frames = frames_of(tree, body);
  return {.a = body.parent,
          .b = i,
          .X_A = frames.X_A,
          .X_B = frames.X_B,
          .slides = body.joint == JointType::kPrismatic,
          .factor = factor};
}

std::vector<CoupledJoint> coupled(const Tree& tree, const Coupling& coupling) {
  std::vector<CoupledJoint> joints;
  for (const CouplingTerm& term : terms_of(tree, coupling)) {
    joints.push_back(joint_of(tree, term.body, term.coefficient));
  }
  return joints;
}

void append(std::vector<double>& to, const Vec3<double>& v) {
  for (const double x : {v.x, v.y, v.z}) to.push_back(x + 0.0);
}

}  // namespace

Mechanism from_tree(const Tree& tree, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                    const std::string& file, Passive passive) {
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) require_body(tree, i, file, passive);
  const std::vector<WorldBody> placed = place_in_world(tree.bodies, q, v);
  Mechanism mechanism;
  mechanism.name = tree.name;
  mechanism.body_names = tree.link_names;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Body& body = tree.bodies[i];
    mechanism.bodies.push_back({static_cast<int>(maximal::BodyType::kRigid),
                                maximal::to_numbers<maximal::kMaxBodyNumbers>(rigid_body(body))});
    append(mechanism.x0, to_vec(placed[i].com));
    for (const double x : to_quaternion(to_mat(placed[i].R_WB))) mechanism.x0.push_back(x + 0.0);
    append(mechanism.v0, to_vec(placed[i].velocity));
    append(mechanism.v0, to_vec(placed[i].omega));
    if (body.joint == JointType::kFloating) continue;

    mechanism.constraints.push_back(
        {static_cast<int>(constraint_of(body.joint)), body.parent, static_cast<int>(i),
         maximal::to_numbers<maximal::kMaxConstraintNumbers>(frames_of(tree, body))});
    mechanism.constraint_names.push_back(tree.joint_names[i]);
  }
  for (const int i : passive == Passive::kRows ? passive_joints(tree) : std::vector<int>()) {
    const Body& body = tree.bodies[at(i)];
    add_passive(tree.joint_names[at(i)], joint_of(tree, i), body.rest,
                {body.stiffness, body.damping, body.armature}, mechanism);
  }
  for (std::size_t i = 0; i < tree.loops.size(); ++i) {
    maximal::ConstraintRecord loop = tree.loops[i];
    require_rigid(loop, "loop " + quote(tree.loop_names[i]), file, passive);
    auto frames = maximal::from_numbers<maximal::Between<maximal::Distance<double>>>(loop.numbers);
    frames.X_A.p = frames.X_A.p - centre_of(tree, loop.a);
    frames.X_B.p = frames.X_B.p - centre_of(tree, loop.b);
    loop.numbers = maximal::to_numbers<maximal::kMaxConstraintNumbers>(frames);
    mechanism.constraints.push_back(loop);
    mechanism.constraint_names.push_back(tree.loop_names[i]);
  }
  for (std::size_t i = 0; i < tree.couplings.size(); ++i) {
    const Coupling& coupling = tree.couplings[i];
    require_rigid(coupling, "coupling " + quote(tree.coupling_names[i]), file, passive);
    add_coupling(tree.coupling_names[i], coupled(tree, coupling), coupling.offset,
                 {coupling.stiffness, coupling.damping}, mechanism);
  }
  mechanism.forces.assign(mechanism.v0.size(), 0.0);
  return mechanism;
}

std::vector<int> passive_joints(const Tree& tree) {
  std::vector<int> joints;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Body& body = tree.bodies[i];
    const bool any = body.damping != 0 || body.stiffness != 0 || body.armature != 0;
    if (dof_count(body.joint) == 1 && any) joints.push_back(static_cast<int>(i));
  }
  return joints;
}

std::vector<std::string> add_bounds(const Tree& tree, bool limits, bool friction,
                                    Mechanism& mechanism) {
  constexpr double kMostRange = 6.2;  // rad: less than a turn, by what limits are found ahead
  std::vector<std::string> left_out;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Body& body = tree.bodies[i];
    if (dof_count(body.joint) != 1) continue;
    const bool slides = body.joint == JointType::kPrismatic;
    const auto frames = frames_of(tree, body);
    maximal::JointBound<double> bound = {
        .a = body.parent,
        .b = static_cast<int>(i),
        .coordinate = slides ? maximal::Coordinate::kAlong : maximal::Coordinate::kAngle,
        .X_A = frames.X_A,
        .X_B = frames.X_B};
    if (friction) bound.limits.friction = body.friction;
    const Limits& own = body.limits;
    const bool limited = std::isfinite(own.lower) || std::isfinite(own.upper);
    if (limits && limited && !slides && !(own.upper - own.lower < kMostRange)) {
      left_out.push_back(tree.joint_names[i]);
    } else if (limits && limited) {
      bound.limits.lower = own.lower, bound.limits.upper = own.upper;
    }
    const auto& [lower, upper, velocity, force] = bound.limits;
    if (!std::isfinite(lower) && !std::isfinite(upper) && force == 0) continue;
    mechanism.bounds.push_back(bound);
    mechanism.bound_names.push_back(tree.joint_names[i]);
  }
  return left_out;
}

}  // namespace lockstep::host
