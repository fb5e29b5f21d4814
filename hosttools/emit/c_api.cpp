#include "emit/c_api.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "emit/cpp_text.hpp"
#include "lockstep/integrate/integrator.hpp"
#include "lockstep/model.hpp"
#include "lockstep/status.hpp"
#include "model/summary.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

constexpr std::pair<Status, const char*> kStatuses[] = {
    {Status::kOk, "OK"},
    {Status::kNotFinite, "NOT_FINITE"},
    {Status::kNotUnitQuaternion, "NOT_UNIT_QUATERNION"},
    {Status::kAngleTooLarge, "ANGLE_TOO_LARGE"},
    {Status::kBadTimeStep, "BAD_TIME_STEP"},
    {Status::kBadFrame, "BAD_LINK"},
    {Status::kBadInertia, "BAD_INERTIA"},
    {Status::kBadConstraint, "BAD_INTEGRATOR"},
    {Status::kSingular, "SINGULAR"},
    {Status::kOverflow, "OVERFLOW"},
    {Status::kNotConverged, "NOT_CONVERGED"},
    {Status::kStoppedShort, "STOPPED_SHORT"},
};

constexpr std::pair<Integrator, const char*> kIntegrators[] = {
    {Integrator::kSemiImplicitEuler, "SEMI_IMPLICIT_EULER"},
    {Integrator::kRungeKutta4, "RUNGE_KUTTA_4"},
    {Integrator::kMidpoint, "MIDPOINT"},
    {Integrator::kEulerMiddle, "EULER_MIDDLE"},
};

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// Every @ is the struct's name, every % the same in capitals, every $ the file's.
std::string filled(std::string_view text, const CApiOptions& options) {
  const std::string& name = options.struct_name;
  std::string result, capitals = name;
  std::ranges::transform(capitals, capitals.begin(), upper);
  for (const char c : text) {
    result += c == '@' ? name : c == '%' ? capitals : c == '$' ? options.file : std::string(1, c);
  }
  return result;
}

// Enumerators, the last without the comma that C90 refuses.
class Enumerators {
 public:
  void add(const std::string& name, int value, const std::string& comment = {}) {
    if (!text_.empty()) text_ += comma_;
    text_ += "  " + name + " = " + std::to_string(value);
    last_ = comment.empty() ? "\n" : "  /* " + comment + " */\n";
    comma_ = "," + last_;
  }
  std::string text() const { return "enum {\n" + text_ + last_ + "};\n"; }

 private:
  std::string text_, comma_, last_;
};

// What stays of a name from the file in an identifier of C. A second one of the same gets a number.
std::string identifier(const std::string& name, std::set<std::string>& taken) {
  std::string word;
  for (const char c : name) {
    const bool fits =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    word += fits ? c : '_';
  }
  std::string result = word;
  for (int i = 2; !taken.insert(result).second; ++i) result = word + "_" + std::to_string(i);
  return result;
}

// A comment of C: what would begin or end one is broken.
std::string in_comment(std::string_view text) {
  std::string result;
  for (const char c : commented(text)) {
    const bool marks =
        !result.empty() && (result.back() == '*' || result.back() == '/') && (c == '*' || c == '/');
    result += (marks ? " " : "") + std::string(1, c);
  }
  return result;
}

constexpr const char* kOpening = R"(
 *
 * Units are SI: m, rad, kg, s, N, N m. q and v hold the joints' numbers in the order of the file's
 * tree; %_Q_name and %_V_name say where a joint's begin. A hinge or a slider has one of each. A
 * ball has a quaternion x y z w in q and a rate about each axis of its link in v; a floating base a
 * position and a quaternion in q, linear before angular velocity in its link's axes in v. Efforts
 * and accelerations have the places of v. The world's axes are those of the robot's root link.
 *
 * Each function returns %_OK or another status of the list below; then, but for
 * %_STOPPED_SHORT, all that it would have written is as it was. Workspaces are static: one call at a time,
 * so not from a thread or an interrupt while another call runs. No heap, no recursion, no locks.
 */
#ifndef %_H
#define %_H

#ifdef __cplusplus
extern "C" {
#endif

)";

constexpr const char* kFunctions = R"(
/* Puts the zero pose into q: zeros, and quaternions of no turn. */
void @_zero_pose(@_real* q);

/* Forward dynamics: the accelerations that efforts cause. gravity is a vector of the world in
 * m/s^2; NULL: the earth's, 0 0 -9.81, here and below. */
int @_forward_dynamics(const @_real* q, const @_real* v, const @_real* tau,
                       const @_real* gravity, @_real* vdot);

/* Inverse dynamics: the efforts of a motion. */
int @_inverse_dynamics(const @_real* q, const @_real* v, const @_real* vdot,
                       const @_real* gravity, @_real* tau);

/* Gravity compensation: the efforts that hold the robot still. */
int @_gravity_torque(const @_real* q, const @_real* gravity, @_real* tau);

/* Moves q and v by dt seconds with constant efforts. After %_STOPPED_SHORT they have moved too. */
int @_step(@_real* q, @_real* v, const @_real* tau, const @_real* gravity, @_real dt,
           int integrator);

/* Forward kinematics: where a link is in the world. R has nine numbers, row by row, and turns
 * vectors of the link into the world's; p has three, of the link's origin. */
int @_link_pose(const @_real* q, int link, @_real* R, @_real* p);

/* What a status means, in words. */
const char* @_status_text(int status);

#ifdef __cplusplus
}
#endif

#endif
)";

constexpr const char* kSource =
    R"(// What $.h declares. Emitted by lockstep compile --c-api; do not edit.
// Compile as C++20 with -ffp-contract=off: the bits are then those of every other machine.
#ifndef EIGEN_DONT_VECTORIZE
#define EIGEN_DONT_VECTORIZE
#endif
#include "$.h"

#include <cstddef>
#include <new>

#include "$.hpp"
#include "lockstep/integrate/joint_stepper.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "lockstep/kinematics.hpp"

namespace {

using Real = @_real;
using lockstep::Status;

// One of each kind, made by its first call: a program in C need not run constructors.
template <template <class, class> class Work>
Work<@, Real>& the() {
  alignas(Work<@, Real>) static std::byte room[sizeof(Work<@, Real>)];
  static Work<@, Real>* work = nullptr;
  if (work == nullptr) work = new (room) Work<@, Real>;
  return *work;
}
using lockstep::InverseDynamics;
using lockstep::JointStepper;
using lockstep::Kinematics;
using lockstep::Solver;

// in the scalar of the computation before the program starts
constexpr auto kLinks = [] {
  std::array<lockstep::LinkFrame<Real>, @::kFrames.size()> links;
  for (std::size_t i = 0; i < links.size(); ++i) {
    links[i] = lockstep::LinkFrame<Real>(@::kFrames[i]);
  }
  return links;
}();

template <class Values>
void take(const Real* from, Values& to) {
  for (Eigen::Index i = 0; i < to.size(); ++i) to[i] = from[i];
}
// A number, if the status allows what was computed to be seen.
template <class Values>
int give(Status status, const Values& from, Real* to) {
  if (lockstep::has_moved(status)) {
    for (Eigen::Index i = 0; i < from.size(); ++i) to[i] = from[i];
  }
  return static_cast<int>(status);
}
// A state with the earth's gravity, or another.
template <class Computation>
auto input(const Computation& computation, const Real* q, const Real* gravity) {
  auto in = computation.make_input();
  take(q, in.q);
  if (gravity != nullptr) take(gravity, in.gravity);
  return in;
}

}  // namespace

extern "C" {

void @_zero_pose(Real* q) { give(Status::kOk, the<Solver>().make_input().q, q); }

int @_forward_dynamics(const Real* q, const Real* v, const Real* tau, const Real* gravity,
                       Real* vdot) {
  auto& solver = the<Solver>();
  auto in = input(solver, q, gravity);
  auto out = solver.make_output();
  take(v, in.v), take(tau, in.tau);
  return give(solver.forward_dynamics(in, out), out.vdot, vdot);
}

int @_inverse_dynamics(const Real* q, const Real* v, const Real* vdot, const Real* gravity,
                       Real* tau) {
  auto& inverse = the<InverseDynamics>();
  auto in = input(inverse, q, gravity);
  auto answer = inverse.make_output();
  take(v, in.v), take(vdot, in.vdot);
  return give(inverse.inverse_dynamics(in, answer), answer, tau);
}

int @_gravity_torque(const Real* q, const Real* gravity, Real* tau) {
  auto& inverse = the<InverseDynamics>();
  const auto in = input(inverse, q, gravity);
  auto answer = inverse.make_output();
  return give(inverse.gravity_torque(in.q, in.gravity, answer), answer, tau);
}

int @_step(Real* q, Real* v, const Real* tau, const Real* gravity, Real dt, int integrator) {
  if (integrator < 0 || integrator > %_EULER_MIDDLE) return %_BAD_INTEGRATOR;
  auto& stepper = the<JointStepper>();
  auto state = input(stepper, q, gravity);
  take(v, state.v), take(tau, state.tau);
  const Status status = stepper.step(state, dt, static_cast<lockstep::Integrator>(integrator));
  give(status, state.v, v);
  return give(status, state.q, q);
}

int @_link_pose(const Real* q, int link, Real* R, Real* p) {
  if (link < 0 || link >= %_LINKS) return %_BAD_LINK;
  const auto in = input(the<InverseDynamics>(), q, nullptr);
  Kinematics<@, Real>::Pose pose;
  const Status status =
      the<Kinematics>().pose(in.q, kLinks[static_cast<std::size_t>(link)], pose);
  if (status != Status::kOk) return static_cast<int>(status);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) R[3 * row + column] = pose.R_WL(row, column);
  }
  return give(status, pose.p_WL, p);
}

const char* @_status_text(int status) {
  const bool fits = status >= 0 && status <= 255;
  return fits ? lockstep::to_string(static_cast<Status>(status)) : "unknown status";
}

}  // extern "C"
)";

}  // namespace

std::string emit_c_header(const Tree& tree, const CApiOptions& options) {
  if (!tree.loops.empty() || !tree.couplings.empty()) {
    throw Error("--c-api: " + options.source +
                " has loops or couplings, which the functions for C do not know; use the C++ "
                "header and lockstep/auxiliary/closed_solver.hpp, or --mimic ignore");
  }
  const auto fill = [&](std::string_view text) { return filled(text, options); };
  const std::string prefix = fill("%_");
  Counts counts;
  Enumerators sizes, places, links, statuses, integrators;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const std::string name = identifier(tree.joint_names[i], taken);
    places.add(prefix + "Q_" + name, counts.q, in_comment(tree.joint_names[i]));
    places.add(prefix + "V_" + name, counts.v);
    counts.add(tree.bodies[i].joint);
  }
  taken.clear();
  for (std::size_t i = 0; i < tree.frame_names.size(); ++i) {
    links.add(prefix + "LINK_" + identifier(tree.frame_names[i], taken), static_cast<int>(i),
              in_comment(tree.frame_names[i]));
  }
  sizes.add(prefix + "NQ", counts.q, "numbers in q");
  sizes.add(prefix + "NV", counts.v, "numbers in v, tau and vdot");
  sizes.add(prefix + "LINKS", static_cast<int>(tree.frames.size()), "links of the file");
  for (const auto& [status, name] : kStatuses) {
    statuses.add(prefix + name, static_cast<int>(status), to_string(status));
  }
  for (const auto& [integrator, name] : kIntegrators) {
    integrators.add(prefix + name, static_cast<int>(integrator));
  }
  std::string text = "/* " + in_comment(tree.name) + ", from " + in_comment(options.source) +
                     ":\n * " + in_comment(summary(tree)) +
                     ".\n * Emitted by lockstep compile --c-api; do not edit." + fill(kOpening);
  text += std::string("typedef ") + (options.in_double ? "double" : "float") + fill(" @_real;\n\n");
  text += sizes.text();
  if (!tree.bodies.empty()) text += "\n/* Where each joint's numbers begin. */\n" + places.text();
  text += fill("\n/* The links of the file, for @_link_pose. */\n") + links.text();
  text += "\n/* Statuses. */\n" + statuses.text();
  text += fill("\n/* How @_step integrates. */\n") + integrators.text() + fill(kFunctions);
  return text;
}

std::string emit_c_source(const CApiOptions& options) { return filled(kSource, options); }

}  // namespace lockstep::host
