#include "robot/bounds.hpp"

#include "text/number.hpp"

namespace lockstep::host {

namespace {

const char* effort_unit(const Tree& tree, int body) {
  const JointType joint = tree.bodies[at(body)].joint;
  return joint == JointType::kPrismatic ? "N" : "N m";
}

}  // namespace

Bounded::Bounded(const Tree& tree, const Bounds& bounds) {
  const int count = static_cast<int>(tree.bodies.size());
  std::vector<bool> touches(tree.bodies.size(), false);
  const auto touch = [&](int body) {
    if (body != kWorld && bounds.contacts > 0) touches[at(body)] = true;
  };
  for (const contact::ColliderRecord& collider : tree.colliders) {
    if (bounds.has_ground()) touch(collider.body);
  }
  for (const contact::ColliderPair& pair : tree.collider_pairs) {
    touch(tree.colliders[at(pair.a)].body);
    touch(tree.colliders[at(pair.b)].body);
  }
  for (int i = 0; i < count; ++i) {
    const Body& body = tree.bodies[at(i)];
    if (touches[at(i)]) touching.push_back(i);
    if (dof_count(body.joint) != 1) continue;
    const JointLimits<double> own = firmware::joint_bounds<double>(body, bounds);
    if (own.has_lower() || own.has_upper() || own.has_velocity()) limited.push_back(i);
    if (own.friction > 0) rubbing.push_back(i);
  }
}

std::vector<RecordColumn> bounded_columns(const Tree& tree, const Bounded& bounded) {
  std::vector<RecordColumn> columns;
  const auto joint = [&](int body) { return tree.joint_names[at(body)]; };
  for (const int body : bounded.limited) {
    columns.push_back({"limit." + joint(body), effort_unit(tree, body)});
  }
  for (const int body : bounded.rubbing) {
    columns.push_back({"friction." + joint(body), effort_unit(tree, body)});
  }
  for (const int body : bounded.touching) {
    for (const char* axis : {".x", ".y", ".z"}) {
      columns.push_back({"contact." + tree.link_names[at(body)] + axis, "N"});
    }
  }
  if (!bounded.touching.empty()) columns.push_back({"contacts", ""});
  return columns;
}

const char* name_of(RowSolver solver) {
  switch (solver) {
    case RowSolver::kPivoting: return "pivoting";
    case RowSolver::kGaussSeidel: return "gauss_seidel";
    case RowSolver::kNewton: break;
  }
  return "newton";
}

std::vector<std::pair<std::string, std::string>> bounded_lines(const BoundedOutcome& outcome,
                                                               const Bounded& bounded,
                                                               const Bounds& bounds) {
  std::vector<std::pair<std::string, std::string>> lines;
  if (outcome.steps == 0) return lines;
  lines.push_back(
      {"impulses", std::to_string(outcome.steps) +
                       " steps by semi-implicit Euler with limits, friction or contacts "
                       "in reach; at most " +
                       std::to_string(outcome.most_rows) + " rows"});
  if (!bounded.touching.empty()) {
    lines.push_back({"contacts", "at most " + std::to_string(outcome.most_contacts) +
                                     " at once, at most " + brief(outcome.deepest, 2) + " m deep"});
  }
  if (outcome.left_out > 0) {
    lines.push_back({"warning", "at most " + std::to_string(outcome.left_out) +
                                    " contacts at once found no room and did not act; raise "
                                    "--max-contacts, or give simpler shapes"});
  }
  std::string solver = name_of(bounds.solver);
  if (outcome.handed_over > 0) {
    solver += ", " + std::to_string(outcome.handed_over) + " solves handed to gauss_seidel";
  }
  if (outcome.most_sweeps > 0)
    solver += ", at most " + std::to_string(outcome.most_sweeps) +
              (bounds.solver == RowSolver::kNewton ? " solves a step" : " sweeps");
  solver += outcome.short_stops == 0 ? ", every solve complete"
                                     : ", " + std::to_string(outcome.short_stops) +
                                           " solves stopped short, off by at most " +
                                           brief(outcome.violation, 2) + " m/s or rad/s";
  lines.push_back({"solver", solver});
  return lines;
}

}  // namespace lockstep::host
