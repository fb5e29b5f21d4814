#include "doctor/mechanism.hpp"

#include <cmath>
#include <unordered_map>

#include "doctor/row_space.hpp"
#include "model/loop_rows.hpp"
#include "oracle/world.hpp"
#include "robot/assemble.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

class MechanismCheck {
 public:
  MechanismCheck(const Description& robot, const Tree& tree, Findings& findings)
      : robot_(robot), tree_(tree), findings_(findings), zero_(rest(tree.bodies).q) {}

  void check() {
    find_open_loops();
    const bool closed = holds(tree_, zero_, kClosed);
    const auto assembled = closed ? zero_ : assemble(tree_);
    if (!assembled) {
      findings_.warning(first_line(), "no-assembly",
                        "no pose was found in which the loops and couplings hold",
                        "check the loops' origins and axes, the couplings, the joints' limits");
      return;
    }
    // a special pose, such as all links in line, says less than another one
    const RowSpace here(evaluate_rows(tree_, *assembled).J);
    const auto other = assemble_elsewhere(tree_);
    const RowSpace elsewhere(evaluate_rows(tree_, other.value_or(*assembled)).J);
    if (closed && here.rank() < elsewhere.rank()) {
      findings_.note(first_line(), "singular-pose",
                     "the rows of loops and couplings have rank " + std::to_string(here.rank()) +
                         " at the zero pose, " + std::to_string(elsewhere.rank()) + " elsewhere",
                     "start in another pose: from this one the robot may go either way");
    }
    const RowSpace& space = here.rank() < elsewhere.rank() ? elsewhere : here;
    find_redundant_rows(space);
    find_locked_joints(space);
  }

 private:
  int first_line() const {
    return !robot_.loops.empty()       ? robot_.loops.front().line
           : !robot_.couplings.empty() ? robot_.couplings.front().line
                                       : 0;
  }

  void find_open_loops() {
    const LoopRows rows = evaluate_rows(tree_, zero_);
    Eigen::Index first = 0;
    for (std::size_t i = 0; i < tree_.loops.size(); ++i) {
      const int count = loop_row_count(tree_.loops[i]);
      Eigen::Index worst = 0;
      const double gap = rows.value.segment(first, count).cwiseAbs().maxCoeff(&worst);
      const bool is_length = rows.is_length[static_cast<std::size_t>(first + worst)];
      first += count;
      const std::string remedy = "start in the pose that lockstep doctor --assemble finds";
      const int line = robot_.loops[i].line;
      const std::string label = "loop " + quote(tree_.loop_names[i]) + ": ";
      if (gap > kClosed) {
        findings_.note(
            line, "open-loop",
            label + "is open at the zero pose by " +
                (is_length ? brief(gap) + " m" : brief(std::asin(std::fmin(gap, 1))) + " rad") +
                " in row " + std::to_string(worst + 1) + " of " + std::to_string(count),
            remedy);
      } else if (rows.turned_over[i]) {
        findings_.note(line, "open-loop", label + "closes at the zero pose with an axis reversed",
                       remedy);
      }
    }
  }

  void find_redundant_rows(const RowSpace& space) {
    Eigen::Index row = 0;
    const auto redundant = [&](int count) {
      int sum = 0;
      for (int i = 0; i < count; ++i) sum += space.is_new(row++) ? 0 : 1;
      return sum;
    };
    for (std::size_t i = 0; i < tree_.loops.size(); ++i) {
      const int count = loop_row_count(tree_.loops[i]), idle = redundant(count);
      if (idle == 0) continue;
      findings_.note(robot_.loops[i].line, "redundant-rows",
                     "loop " + quote(tree_.loop_names[i]) + ": " + std::to_string(idle) +
                         " of its " + std::to_string(count) + " rows are redundant",
                     "its forces along them are not unique; a type with fewer rows, such as "
                     "point_on_line or ball, may do");
    }
    for (std::size_t i = 0; i < tree_.couplings.size(); ++i) {
      if (redundant(1) == 0) continue;
      const int line = i < robot_.couplings.size() ? robot_.couplings[i].line : 0;
      findings_.note(line, "redundant-rows",
                     "coupling " + quote(tree_.coupling_names[i]) + ": is redundant",
                     "remove it, or what already couples its joints");
    }
  }

  void find_locked_joints(const RowSpace& space) {
    const int dofs = total_dof(tree_.bodies);
    if (space.rank() == dofs) {
      findings_.warning(first_line(), "immobile", "the loops and couplings leave nothing to move",
                        "remove one, or give a loop a type with fewer rows");
      return;
    }
    std::unordered_map<std::string_view, int> line_of;
    for (const JointDescription& joint : robot_.joints) line_of.emplace(joint.name, joint.line);
    Eigen::Index at = 0;
    for (std::size_t i = 0; i < tree_.bodies.size(); ++i) {
      bool locked = true;
      for (int k = 0; k < dof_count(tree_.bodies[i].joint); ++k) {
        locked = space.determines(at++) && locked;
      }
      if (!locked) continue;
      findings_.warning(
          line_of[tree_.joint_names[i]], "immobile",
          "joint " + quote(tree_.joint_names[i]) + ": cannot move: the loops and couplings hold it",
          "make it fixed, or look at the loops and couplings across it");
    }
  }

  const Description& robot_;
  const Tree& tree_;
  Findings& findings_;
  const Eigen::VectorXd zero_;
};

}  // namespace

void check_mechanism(const Description& robot, const Tree& tree, Findings& findings) {
  if (tree.loops.empty() && tree.couplings.empty()) return;
  if (is_too_large(tree)) {
    findings.note(0, "large-mechanism", "too many loops and couplings to look at", "");
    return;
  }
  MechanismCheck(robot, tree, findings).check();
}

}  // namespace lockstep::host
