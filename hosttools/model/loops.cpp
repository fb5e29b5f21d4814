#include "model/loops.hpp"

#include <algorithm>
#include <unordered_map>

#include "model/axis_frame.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"
#include "urdf/draft.hpp"
#include "urdf/placement.hpp"

namespace lockstep::host {

namespace {

// Long paths of many couplings could fill the memory.
constexpr std::size_t kMaxTerms = 1000000;

[[noreturn]] void refuse(const Description& robot, const char* kind, const std::string& name,
                         int line, const std::string& why) {
  throw Error(robot.file + ": " + kind + " " + quote(name) + " in line " + std::to_string(line) +
              ": " + why);
}

// The frames of the links, by name.
class LinkFrames {
 public:
  explicit LinkFrames(const Tree& tree) : tree_(tree) {
    for (std::size_t i = 0; i < tree.frame_names.size(); ++i)
      index_.emplace(tree.frame_names[i], i);
  }
  const NamedFrame* find(const std::string& link) const {
    const auto found = index_.find(link);
    return found == index_.end() ? nullptr : &tree_.frames[found->second];
  }

 private:
  const Tree& tree_;
  std::unordered_map<std::string, std::size_t> index_;
};

Placement<double> place(const NamedFrame& frame, const LoopEnd& end, const Mat3<double>& turn) {
  return to_placement(frame.R_BF, frame.p_BF) *
         Placement<double>{to_mat(end.R_LF) * turn, to_vec(end.p_LF)};
}

void add_coupling(const std::string& name, std::vector<CouplingTerm> terms, double offset,
                  Tree& tree) {
  std::ranges::sort(terms, {}, &CouplingTerm::body);
  tree.couplings.push_back({.first = static_cast<int>(tree.terms.size()),
                            .count = static_cast<int>(terms.size()),
                            .offset = offset});
  tree.terms.insert(tree.terms.end(), terms.begin(), terms.end());
  tree.coupling_names.push_back(name);
}

[[noreturn]] void refuse_mimic(const Description& robot, const JointDescription& joint,
                               const std::string& why) {
  throw Error(robot.file + ": joint " + quote(joint.name) + ": mimics joint " +
              quote(joint.mimic->joint) + ", " + why + "; correct <mimic> or remove it");
}

}  // namespace

void add_loops(const Description& robot, Tree& tree) {
  const LinkFrames frames(tree);
  for (const LoopDescription& loop : robot.loops) {
    const auto find = [&](const std::string& link) -> const NamedFrame& {
      if (const NamedFrame* frame = frames.find(link)) return *frame;
      refuse(robot, "loop", loop.name, loop.line,
             "link " + quote(link) + " does not exist; add it or correct the name");
    };
    const NamedFrame &a = find(loop.predecessor.link), &b = find(loop.successor.link);
    if (a.body == b.body) {
      refuse(robot, "loop", loop.name, loop.line,
             std::string("both ends are on ") + (a.body == kWorld ? "the world" : "one body") +
                 "; name two links with a moving joint between them");
    }
    const Mat3<double> turn = has_axis(loop.type) ? axis_frame(to_vec(loop.axis)) : kNoTurn;
    // a spring needs the length itself, where a rod does with its square
    const bool strut = loop.type == maximal::ConstraintType::kDistance && yields(loop);
    // a rod holds its length beside the two frames, other types nothing else
    const maximal::Between<maximal::Distance<double>> pair = {
        place(a, loop.predecessor, turn), place(b, loop.successor, turn), {loop.length}};
    maximal::ConstraintRecord record = {
        .type = static_cast<int>(strut ? maximal::ConstraintType::kStrut : loop.type),
        .a = a.body,
        .b = b.body,
        .numbers = maximal::to_numbers<maximal::kMaxConstraintNumbers>(pair),
        .stiffness = loop.stiffness + 0.0,
        .damping = loop.damping + 0.0};
    add_zero(record.numbers);
    tree.loops.push_back(record);
    tree.loop_names.push_back(loop.name);
  }
}

void add_couplings(const Description& robot, Tree& tree) {
  const LinkFrames frames(tree);
  for (const CouplingDescription& coupling : robot.couplings) {
    const auto stop = [&](const std::string& why) {
      refuse(robot, "coupling", coupling.name, coupling.line, why);
    };
    std::vector<CouplingTerm> terms;
    const auto climb = [&](int& body, double coefficient) {
      const Body& joint = tree.bodies[at(body)];
      if (dof_count(joint.joint) != 1) {
        stop("joint " + quote(tree.joint_names[at(body)]) +
             " on its path has several coordinates; couple links with only revolute, continuous "
             "and prismatic joints between them");
      }
      terms.push_back({body, coefficient + 0.0});
      body = joint.parent;
    };
    const NamedFrame *predecessor = frames.find(coupling.predecessor),
                     *successor = frames.find(coupling.successor);
    if (!predecessor || !successor) {
      stop("link " + quote(predecessor ? coupling.successor : coupling.predecessor) +
           " does not exist; add it or correct the name");
    }
    // parents come first, so the later body is never an ancestor of the other
    int p = predecessor->body, s = successor->body;
    while (p != s) p > s ? climb(p, -coupling.ratio) : climb(s, 1);
    if (terms.empty()) {
      stop("there is no joint between its ends; name two links that move against each other");
    }
    if (tree.terms.size() + terms.size() > kMaxTerms) {
      stop("the couplings have more than " + std::to_string(kMaxTerms) +
           " joints on their paths; is it a robot description?");
    }
    add_coupling(coupling.name, std::move(terms), 0, tree);
    tree.couplings.back().stiffness = coupling.stiffness + 0.0;
    tree.couplings.back().damping = coupling.damping + 0.0;
  }
}

void add_mimics(const Description& robot, Tree& tree) {
  std::unordered_map<std::string, int> body_of;
  for (const std::string& name : tree.joint_names) {
    body_of.emplace(name, static_cast<int>(body_of.size()));
  }
  const auto body = [&](int index) -> Body& { return tree.bodies[at(index)]; };
  for (const JointDescription& joint : robot.joints) {
    if (!joint.mimic || joint.type == UrdfJoint::kFixed) continue;
    const auto leader = body_of.find(joint.mimic->joint);
    if (leader == body_of.end()) {
      const bool fixed =
          std::ranges::count(robot.joints, joint.mimic->joint, &JointDescription::name);
      refuse_mimic(robot, joint, fixed ? "which is fixed" : "which does not exist");
    }
    const int follower = body_of.at(joint.name);
    if (dof_count(body(follower).joint) != 1 || dof_count(body(leader->second).joint) != 1) {
      refuse_mimic(robot, joint, "but both must have one degree of freedom");
    }
    body(follower).mimic = {leader->second, joint.mimic->multiplier + 0.0,
                            joint.mimic->offset + 0.0};
    for (int next = leader->second; next != kNone; next = body(next).mimic.body) {
      if (next == follower) refuse_mimic(robot, joint, "which follows it in turn");
    }
    const Mimic& mimic = body(follower).mimic;
    add_coupling(joint.name, {{follower, 1}, {mimic.body, -mimic.multiplier + 0.0}}, mimic.offset,
                 tree);
  }
}

}  // namespace lockstep::host
