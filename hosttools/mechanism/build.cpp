#include "mechanism/build.hpp"

#include <cmath>
#include <limits>
#include <set>

#include "mechanism/coupling.hpp"
#include "mechanism/state.hpp"
#include "model/axis_frame.hpp"
#include "urdf/placement.hpp"
#include "urdf/rotation.hpp"

namespace lockstep::host {

namespace {

using maximal::BodyType;
using maximal::ConstraintType;

Placement<double> to_placement(const DraftPose& pose) {
  return {to_mat(rotation_from_rpy(pose.rpy)), to_vec(pose.xyz)};
}

void append(std::vector<double>& to, std::initializer_list<double> numbers) {
  to.insert(to.end(), numbers);
}
void append(std::vector<double>& to, const Triple& numbers) {
  to.insert(to.end(), numbers.begin(), numbers.end());
}

void add_body(const DraftBody& body, Mechanism& mechanism) {
  const double mass = *body.inertial.mass;
  const std::array<double, 6> I = body.inertial.inertia.value_or(std::array<double, 6>{});
  const DraftPose& pose = body.inertial.origin;
  std::vector<double>&x = mechanism.x0, &v = mechanism.v0, &f = mechanism.forces;
  maximal::BodyRecord record = {static_cast<int>(*body.type), {mass}};
  switch (*body.type) {
    case BodyType::kParticle:
      append(x, pose.xyz), append(v, body.linear), append(f, body.force);
      break;
    case BodyType::kPlanar:
      record.numbers[1] = I[5];
      append(x, {pose.xyz[0], pose.xyz[1], pose.rpy[2]});
      append(v, {body.linear[0], body.linear[1], body.angular[2]});
      append(f, {body.force[0], body.force[1], body.moment[2]});
      break;
    case BodyType::kRigid:
    case BodyType::kScaling:
    case BodyType::kStretching:
      std::copy(I.begin(), I.end(), record.numbers.begin() + 1);
      const auto q = to_quaternion(to_placement(pose).R);
      append(x, pose.xyz), append(x, {q[0], q[1], q[2], q[3]});
      append(v, body.linear), append(v, body.angular);
      append(f, body.force), append(f, body.moment);
      if (*body.type == BodyType::kScaling) {
        append(x, {body.scale[0]}), append(v, {body.scale_rate[0]}), append(f, {0});
      } else if (*body.type == BodyType::kStretching) {
        append(x, body.scale), append(v, body.scale_rate), append(f, Triple{});
      }
      break;
  }
  add_zero(record.numbers);
  mechanism.bodies.push_back(record);
  mechanism.body_names.push_back(body.name);
}

Mat3<double> axes_of(const DraftConstraint& constraint) {
  if (!constraint.axis.xyz || constraint.type->axis.empty()) return kNoTurn;
  const Vec3<double> axis = to_vec(*constraint.axis.xyz);
  if (constraint.type->axis == "z") return axis_frame(axis);
  const double length = std::sqrt(dot(axis, axis));
  const Vec3<double> x = {axis.x / length, axis.y / length, 0};  // in the plane
  return {x, {-x.y, x.x, 0}, {0, 0, 1}};
}

// How far B's frame is from A's where they are together but for a prescribed motion.
Placement<double> lead_of(const DraftConstraint& constraint) {
  if (!constraint.motion) return kOrigin;
  const double value = constraint.motion->at(0.0).value;
  if (constraint.type->frames == Frames::kSlid) return {kNoTurn, {0, 0, value}};
  double s, c;
  sincos(value, s, c);
  return {{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}, {}};
}

Placement<double> inverse(const Placement<double>& X) {
  return {transpose(X.R), -transpose_times(X.R, X.p)};
}

class Placer {
 public:
  explicit Placer(const Mechanism& mechanism) : mechanism_(mechanism), offsets_(mechanism) {}

  struct Pair {
    Placement<double> X_A, X_B;
  };
  Pair place(const DraftConstraint& constraint, int a, int b) const {
    const Placement<double> turn = {axes_of(constraint), {}};
    const bool apart = constraint.type->frames == Frames::kApart;
    const Placement<double> lead = apart ? kOrigin : lead_of(constraint);
    const auto own = [&](const DraftHold& hold) {
      return hold.origin ? to_placement(*hold.origin) * turn : turn;
    };
    Pair pair = {own(constraint.a), own(constraint.b)};
    if (constraint.at) {
      const Placement<double> X_W = to_placement(*constraint.at) * turn;
      return {in_body(mechanism_, offsets_, a, X_W), in_body(mechanism_, offsets_, b, X_W * lead)};
    }
    if (apart) return pair;
    if (!constraint.b.origin)
      pair.X_B = in_body(mechanism_, offsets_, b, world(a, pair.X_A) * lead);
    if (!constraint.a.origin) {
      pair.X_A = in_body(mechanism_, offsets_, a, world(b, pair.X_B) * inverse(lead));
    }
    return pair;
  }
  double gap(int a, int b, const Pair& pair) const {
    const Vec3<double> d = world(b, pair.X_B).p - world(a, pair.X_A).p;
    return std::sqrt(dot(d, d));
  }

 private:
  Placement<double> world(int body, const Placement<double>& X) const {
    const maximal::FrameMotion<double> frame = hold(mechanism_, offsets_, body, X).frame;
    return {frame.R, frame.p};
  }

  const Mechanism& mechanism_;
  Offsets offsets_;
};

// Frames whose z is what the free coordinate turns about or moves along: a slider in the plane
// moves along x.
Placer::Pair along_z(const ConstraintWords& type, Placer::Pair pair) {
  if (type.type == ConstraintType::kFlatSlider) {
    for (Placement<double>* X : {&pair.X_A, &pair.X_B}) X->R = {X->R.y, X->R.z, X->R.x};
  }
  return pair;
}

// A spring needs the length itself, where a rod does with its square.
ConstraintType type_of(const DraftConstraint& constraint) {
  const ConstraintType type = constraint.type->type;
  const bool strut = type == ConstraintType::kDistance && constraint.soft.yields();
  return strut ? ConstraintType::kStrut : type;
}

// What the type itself holds, after the placements.
std::vector<double> parameters_of(const DraftConstraint& constraint, double gap) {
  const auto triple = [&](const char* name) { return to_vec(constraint.parameters.at(name)); };
  const auto number = [&](const char* name, double standard = 0) {
    const auto found = constraint.parameters.find(name);
    return found == constraint.parameters.end() ? standard : found->second[0];
  };
  std::vector<double> all;
  switch (constraint.type->type) {
    case ConstraintType::kDistance: append(all, {number("length", gap)}); break;
    case ConstraintType::kPointOnSurface: {
      using Surface = maximal::PointOnSurface<double>;
      const Surface s = constraint.parameters.contains("radius")
                            ? Surface::cylinder(number("radius"))
                            : Surface::ellipsoid(triple("semi_axes"));
      append(all, {s.Q.x, s.Q.y, s.Q.z, s.size});
      break;
    }
    case ConstraintType::kEllipsoidTangency:
      append(all, constraint.parameters.at("a.semi_axes"));
      append(all, constraint.parameters.at("b.semi_axes"));
      break;
    case ConstraintType::kGear: append(all, {number("ratio"), number("rate")}); break;
    case ConstraintType::kRollingBall:
    case ConstraintType::kRollingDisc: append(all, {number("radius")}); break;
    case ConstraintType::kDrivenDistance: append(all, {constraint.motion->at(0.0).value}); break;
    default: break;
  }
  if (constraint.motion) {
    const auto& [ramp, sine] = *constraint.motion;
    append(all, {ramp.start, ramp.rate, ramp.acceleration});
    append(all, {sine.middle, sine.amplitude, sine.frequency, sine.phase});
  }
  return all;
}

void add_shapes(const DraftBody& body, int index, Mechanism& mechanism) {
  for (const DraftBodyShape& shape : body.collisions) {
    mechanism.colliders.push_back({.body = index,
                                   .type = *shape.type,
                                   .half = shape.half,
                                   .radius = shape.radius,
                                   .R_BS = to_rows(to_placement(shape.origin).R),
                                   .p_BS = to_array(to_vec(shape.origin.xyz)),
                                   .friction = shape.material.friction,
                                   .restitution = shape.material.restitution});
  }
}

// All that can meet, but for bodies that a constraint ties together: they overlap at their joint.
void add_pairs(Mechanism& mechanism) {
  std::set<std::pair<int, int>> tied;
  for (const auto& record : mechanism.constraints) tied.insert(std::minmax(record.a, record.b));
  const auto is_particle = [&](int body) {
    return body != kWorld &&
           mechanism.bodies[at(body)].type == static_cast<int>(maximal::BodyType::kParticle);
  };
  const auto count = static_cast<int>(mechanism.colliders.size());
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      const auto &a = mechanism.colliders[at(i)], &b = mechanism.colliders[at(j)];
      const bool meet = contact::meets_others(a.type) && contact::meets_others(b.type);
      if (!meet || a.body == b.body || tied.contains(std::minmax(a.body, b.body))) continue;
      // cloths would have pairs without number
      if (is_particle(a.body) && is_particle(b.body)) continue;
      mechanism.collider_pairs.push_back({i, j});
    }
  }
}

maximal::GroundRecord to_ground(const DraftGround& ground) {
  const auto& [x, y, z] = ground.normal;
  const double length = std::sqrt(x * x + y * y + z * z);
  maximal::GroundRecord record = {.normal = {x / length, y / length, z / length},
                                  .offset = ground.offset,
                                  .friction = ground.material.friction,
                                  .restitution = ground.material.restitution};
  add_zero(record.normal);
  return record;
}

// On bodies a and b, with frames in them whose z the coordinate is about or along.
maximal::JointBound<double> to_bound(const DraftConstraint& constraint, int a, int b,
                                     const Placer::Pair& pair) {
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  const DraftBound& own = *constraint.bound;
  return {.a = a,
          .b = b,
          .coordinate = *free_coordinate(constraint.type->type),
          .X_A = pair.X_A,
          .X_B = pair.X_B,
          .limits = {.lower = own.lower.value_or(-kNoLimit),
                     .upper = own.upper.value_or(kNoLimit),
                     .friction = own.friction},
          .restitution = own.restitution};
}

}  // namespace

// After Shepperd 1978: divides by the largest of the four.
std::array<double, 4> to_quaternion(const Mat3<double>& R) {
  const double trace = R.x.x + R.y.y + R.z.z;
  const std::array<double, 4> twice = {1 + 2 * R.x.x - trace, 1 + 2 * R.y.y - trace,
                                       1 + 2 * R.z.z - trace, 1 + trace};
  const std::array<std::array<double, 4>, 4> products = {{
      {twice[0], R.x.y + R.y.x, R.z.x + R.x.z, R.y.z - R.z.y},
      {R.x.y + R.y.x, twice[1], R.y.z + R.z.y, R.z.x - R.x.z},
      {R.z.x + R.x.z, R.y.z + R.z.y, twice[2], R.x.y - R.y.x},
      {R.y.z - R.z.y, R.z.x - R.x.z, R.x.y - R.y.x, twice[3]},
  }};
  std::size_t largest = 3;
  for (std::size_t i = 0; i < 3; ++i) {
    if (twice[i] > twice[largest]) largest = i;
  }
  std::array<double, 4> q = products[largest];
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& x : q) x /= length;
  return q;
}

Mechanism build(const DraftMechanism& draft) {
  Mechanism mechanism;
  mechanism.name = draft.name;
  mechanism.gravity = draft.gravity;
  std::map<std::string, int> index = {{"", kWorld}};
  for (const DraftBody& body : draft.bodies) {
    index.emplace(body.name, static_cast<int>(mechanism.bodies.size()));
    add_body(body, mechanism);
    add_shapes(body, index.at(body.name), mechanism);
  }
  if (draft.ground) mechanism.ground = to_ground(*draft.ground);
  const Placer placer(mechanism);
  std::map<std::string, CoupledJoint> joints;
  for (const DraftConstraint& constraint : draft.constraints) {
    maximal::ConstraintRecord record = {static_cast<int>(type_of(constraint)),
                                        index.at(constraint.a.body.name),
                                        index.at(constraint.b.body.name),
                                        {}};
    auto placements =
        std::bit_cast<std::array<double, 24>>(placer.place(constraint, record.a, record.b));
    add_zero(placements);
    const auto pair = std::bit_cast<Placer::Pair>(placements);
    auto next = std::copy(placements.begin(), placements.end(), record.numbers.begin());
    for (const double x : parameters_of(constraint, placer.gap(record.a, record.b, pair))) {
      *next++ = x;
    }
    add_zero(record.numbers);
    record.standing = constraint.standing;
    record.stiffness = constraint.soft.stiffness.value_or(0) + 0.0;
    record.damping = constraint.soft.damping.value_or(0) + 0.0;
    mechanism.constraints.push_back(record);
    mechanism.constraint_names.push_back(constraint.name);
    const auto coordinate = free_coordinate(constraint.type->type);
    if (!coordinate) continue;
    const Placer::Pair own = along_z(*constraint.type, pair);
    joints[constraint.name] = {.a = record.a,
                               .b = record.b,
                               .X_A = own.X_A,
                               .X_B = own.X_B,
                               .slides = *coordinate == maximal::Coordinate::kAlong};
    if (!constraint.bound) continue;
    mechanism.bounds.push_back(to_bound(constraint, record.a, record.b, own));
    mechanism.bound_names.push_back(constraint.name);
  }
  for (const DraftConstraint& constraint : draft.constraints) {
    if (!constraint.passive || !constraint.passive->yields()) continue;
    const DraftPassive& own = *constraint.passive;
    add_passive(constraint.name, joints.at(constraint.name), own.rest,
                {own.stiffness, own.damping, own.armature}, mechanism);
  }
  for (const DraftSum& coupling : draft.couplings) {
    std::vector<CoupledJoint> terms;
    for (const auto& [constraint, factor] : coupling.terms) {
      terms.push_back(joints.at(constraint.name));
      terms.back().factor = factor;
    }
    add_coupling(coupling.name, terms, coupling.offset,
                 {coupling.soft.stiffness.value_or(0), coupling.soft.damping.value_or(0)},
                 mechanism);
  }
  add_pairs(mechanism);
  add_zero(mechanism.x0), add_zero(mechanism.v0), add_zero(mechanism.forces);
  add_zero(mechanism.gravity);
  return mechanism;
}

}  // namespace lockstep::host
