#include "emit/header.hpp"

#include <algorithm>

#include "emit/colliders.hpp"
#include "emit/cpp_struct.hpp"
#include "emit/straight_line.hpp"
#include "lockstep/body_data.hpp"
#include "model/content_hash.hpp"
#include "model/limbs.hpp"
#include "model/loop_rows.hpp"
#include "model/order.hpp"
#include "model/summary.hpp"

namespace lockstep::host {

namespace {

std::string write(const Limits& limits) {
  constexpr Limits kStandard;
  Fields fields;
  fields.add("lower", limits.lower, kStandard.lower);
  fields.add("upper", limits.upper, kStandard.upper);
  fields.add("velocity", limits.velocity, kStandard.velocity);
  fields.add("effort", limits.effort, kStandard.effort);
  return fields.on_one_line();
}

std::string write(const Mimic& mimic) {
  constexpr Mimic kStandard;
  Fields fields;
  fields.add("body", std::to_string(mimic.body));
  fields.add("multiplier", mimic.multiplier, kStandard.multiplier);
  fields.add("offset", mimic.offset, kStandard.offset);
  return fields.on_one_line();
}

std::string write(JointType joint) {
  constexpr std::array<const char*, kJointTypes> kNames = {"kRevolute", "kPrismatic", "kBall",
                                                           "kPlanar", "kFloating"};
  return std::string("lockstep::JointType::") + kNames[static_cast<std::size_t>(joint)];
}

std::string write(const Tie& tie) {
  Fields fields;
  fields.add("leader", std::to_string(tie.leader));
  fields.add("ratio", number(tie.ratio));
  return fields.on_one_line();
}

std::string write(const Body& body) {
  const Body standard;
  Fields fields;
  fields.add("parent", write_holder(body.parent));
  fields.add("joint", write(body.joint));
  fields.add("R_PJ", body.R_PJ, standard.R_PJ);
  fields.add("p_PJ", body.p_PJ, standard.p_PJ);
  fields.add("R_LB", body.R_LB, standard.R_LB);
  fields.add("mass", number(body.mass));
  fields.add("h", body.h, standard.h);
  fields.add("inertia", body.inertia, standard.inertia);
  fields.add("damping", body.damping, standard.damping);
  fields.add("friction", body.friction, standard.friction);
  fields.add("stiffness", body.stiffness, standard.stiffness);
  fields.add("rest", body.rest, standard.rest);
  fields.add("armature", body.armature, standard.armature);
  fields.add("spin", body.spin, standard.spin);
  if (body.tie != standard.tie) fields.add("tie", write(body.tie));
  if (body.leads) fields.add("leads", "true");
  fields.add("followed", body.followed, standard.followed);
  if (body.limits != standard.limits) fields.add("limits", write(body.limits));
  if (body.mimic != standard.mimic) fields.add("mimic", write(body.mimic));
  return fields.a_line_each();
}

std::string write(const Node& node) {
  Fields fields;
  fields.add("kind", node.kind == NodeKind::kBody ? "lockstep::NodeKind::kBody"
                                                  : "lockstep::NodeKind::kConstraint");
  fields.add("body", std::to_string(node.body));
  fields.add("dimension", std::to_string(node.dimension));
  if (node.parent != kNone) fields.add("parent", std::to_string(node.parent));
  return fields.on_one_line();
}

std::string write(const NamedFrame& frame) {
  const NamedFrame standard;
  Fields fields;
  fields.add("body", write_holder(frame.body));
  fields.add("R_BF", frame.R_BF, standard.R_BF);
  fields.add("p_BF", frame.p_BF, standard.p_BF);
  const std::string line = fields.on_one_line();
  return kItemIndent + line.size() < kColumns ? line : fields.a_line_each();
}

std::string bodies(const Tree& tree) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    items.push_back({std::to_string(i) + ": " + commented(tree.link_names[i]) + ", carried by " +
                         commented(tree.joint_names[i]),
                     write(tree.bodies[i])});
  }
  return array("lockstep::Body", "kBodies", items);
}

std::string joints(const Tree& tree) {
  std::vector<Item> items;
  Counts first;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    Fields fields;
    fields.add("body", std::to_string(i));
    fields.add("q", std::to_string(first.q));
    fields.add("v", std::to_string(first.v));
    items.push_back({commented(tree.joint_names[i]), fields.on_one_line()});
    first.add(tree.bodies[i].joint);
  }
  return array("lockstep::JointIndex", "kJoints", items) + names("kJointNames", tree.joint_names);
}

std::string orders(const Tree& tree) {
  const std::vector<Node> forward = forward_order(tree);
  std::vector<Item> nodes;
  std::vector<std::string> backward;
  for (std::size_t i = 0; i < forward.size(); ++i) {
    const auto& owners = forward[i].kind == NodeKind::kBody ? tree.link_names : tree.joint_names;
    const std::string& owner = owners[static_cast<std::size_t>(forward[i].body)];
    nodes.push_back({std::to_string(i) + ": " + commented(owner), write(forward[i])});
    backward.push_back(std::to_string(forward.size() - 1 - i));
  }
  return array("lockstep::Node", "kForward", nodes) + plain_array("int", "kBackward", backward);
}

std::string limb_groups(const std::vector<Limbs>& limbs) {
  std::vector<std::string> items;
  for (const Limbs& these : limbs) {
    std::vector<std::string> roots;
    for (const int root : these.roots) roots.push_back(std::to_string(root));
    items.push_back("lockstep::Limbs{" + braced_line(roots) + ", " + std::to_string(these.size) +
                    "}");
  }
  return plain_array("lockstep::Limbs", "kLimbs", items);
}

std::string frames(const Tree& tree) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < tree.frames.size(); ++i) {
    items.push_back({commented(tree.frame_names[i]), write(tree.frames[i])});
  }
  return array("lockstep::NamedFrame", "kFrames", items) + names("kFrameNames", tree.frame_names);
}

std::string write(const maximal::ConstraintRecord& loop) {
  std::size_t count = loop.numbers.size();
  while (count > 0 && loop.numbers[count - 1] == 0) --count;  // the rest is zero by itself
  Fields fields;
  fields.add("type", std::to_string(loop.type));
  fields.add("a", write_holder(loop.a));
  fields.add("b", write_holder(loop.b));
  fields.add("numbers", write_numbers(std::span(loop.numbers).first(count), kItemIndent + 12));
  return fields.a_line_each();
}

std::string write(const Coupling& coupling) {
  Fields fields;
  fields.add("first", std::to_string(coupling.first));
  fields.add("count", std::to_string(coupling.count));
  fields.add("offset", coupling.offset, 0);
  return fields.on_one_line();
}

std::string loops(const Tree& tree) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < tree.loops.size(); ++i) {
    items.push_back({commented(tree.loop_names[i]) + ": " + loop_name(tree.loops[i].type),
                     write(tree.loops[i])});
  }
  return array("lockstep::maximal::ConstraintRecord", "kLoops", items) +
         names("kLoopNames", tree.loop_names);
}

std::string couplings(const Tree& tree) {
  std::vector<Item> items, terms;
  for (std::size_t i = 0; i < tree.couplings.size(); ++i) {
    items.push_back({commented(tree.coupling_names[i]), write(tree.couplings[i])});
  }
  for (const CouplingTerm& term : tree.terms) {
    terms.push_back({commented(tree.joint_names[static_cast<std::size_t>(term.body)]),
                     "{.body = " + std::to_string(term.body) +
                         ", .coefficient = " + number(term.coefficient) + "}"});
  }
  return array("lockstep::Coupling", "kCouplings", items) +
         array("lockstep::CouplingTerm", "kCouplingTerms", terms) +
         names("kCouplingNames", tree.coupling_names);
}

std::string rotors(const Tree& tree) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < tree.rotors.size(); ++i) {
    Fields fields;
    fields.add("body", std::to_string(tree.rotors[i].body));
    fields.add("ratio", number(tree.rotors[i].ratio));
    fields.add("offset", tree.rotors[i].offset, 0);
    items.push_back({commented(tree.rotor_names[i]), fields.on_one_line()});
  }
  return array("lockstep::Rotor", "kRotors", items) + names("kRotorNames", tree.rotor_names);
}

std::string straight_lines(const Tree& tree, const std::vector<Limbs>& limbs, LineFor use) {
  const StraightLine one_by_one = straight_line(tree, {}, use);
  std::string text = one_by_one.text;
  if (limbs.empty()) return text;
  const StraightLine in_lanes = straight_line(tree, limbs, use);
  if (in_lanes.total() < one_by_one.total()) {
    text += "\n  // The same with limbs side by side (lockstep/limbs.hpp).\n" + in_lanes.text;
  }
  return text;
}

std::string newton_lines(const Tree& tree, const std::vector<Limbs>& limbs) {
  const NewtonLine one_by_one = newton_line(tree);
  std::string text =
      "\n  // A step by Newton's method: placement, and each solve (lockstep/newton_line.hpp).\n" +
      one_by_one.text;
  if (limbs.empty()) return text;
  const NewtonLine in_lanes = newton_line(tree, limbs);
  if (in_lanes.solve.total() < one_by_one.solve.total()) {
    text += "\n  // The same with limbs side by side.\n" + in_lanes.text;
  }
  return text;
}

}  // namespace

std::string emit_header(const Tree& tree, const EmitOptions& options) {
  const std::string& type = options.struct_name;
  std::string text = "// " + commented(tree.name) + ", from " + commented(options.source) + ".\n";
  text += "// " + summary(tree) + ". Emitted by lockstep compile; do not edit.\n";
  text += "#pragma once\n\n#include <array>\n#include <cstdint>\n#include <string_view>\n\n";
  text += options.straight_line ? "#include \"lockstep/limbs.hpp\"\n"
                                : "#include \"lockstep/model.hpp\"\n";
  if (!tree.colliders.empty()) text += "#include \"lockstep/contact/records.hpp\"\n";
  const bool by_newton = options.straight_line && has_newton_line(tree);
  if (by_newton) text += "#include \"lockstep/newton_line.hpp\"\n";
  if (!tree.loops.empty()) text += "#include \"lockstep/maximal/records.hpp\"\n";
  text += "\n";
  text += "struct " + type + " {\n";
  text += "  static constexpr std::string_view kName = " + cpp_quoted(tree.name) + ";\n";
  text += "  static constexpr std::uint64_t kHash = " + hash_text(content_hash(tree)) + "u;\n\n";
  text += "  // Parents first.\n" + bodies(tree);
  text += names("kLinkNames", tree.link_names);
  text +=
      "\n  // Where each joint's numbers stand in q and v (lockstep/names.hpp).\n" + joints(tree);
  text += "\n  // The rows of H, children first; Backward is the reverse.\n" + orders(tree);
  const std::vector<Limbs> limbs = find_limbs(tree);
  if (!limbs.empty()) text += "\n  // Subtrees of one shape.\n" + limb_groups(limbs);
  text += "\n  // Every link of the file, fixed to the body that carries it.\n" + frames(tree);
  if (!tree.loops.empty()) {
    text += "\n  // Loops that the tree leaves open.\n" + loops(tree);
  }
  if (!tree.couplings.empty()) {
    text += "\n  // Joints that move together.\n" + couplings(tree);
  }
  if (!tree.colliders.empty()) {
    text +=
        "\n  // Shapes that touch the ground, and pairs that may meet.\n" + emit_colliders(tree);
  }
  if (!tree.rotors.empty()) {
    text += "\n  // Joints of rotors that are parts of other joints.\n" + rotors(tree);
  }
  if (options.straight_line) {
    text += "\n  // The passes of lockstep/passes.hpp, operation by operation.\n" +
            straight_lines(tree, limbs, LineFor::kDynamics);
    if (std::ranges::any_of(tree.bodies, is_soft)) {
      text += "\n  // The same for a step with implicit joints (lockstep/implicit.hpp).\n" +
              straight_lines(tree, limbs, LineFor::kStep);
    }
    if (by_newton) text += newton_lines(tree, limbs);
    if (has_straight_line_loops(tree)) {
      const StraightLine row_by_row = straight_line_loops(tree),
                         in_lanes = straight_line_loops(tree, true);
      text += "\n  // The same around the system of loops and couplings.\n" + row_by_row.text;
      if (in_lanes.total() < row_by_row.total()) {
        text += "\n  // The same with the rows of a loop side by side.\n" + in_lanes.text;
      }
    }
  }
  text += "};\n\n";
  text += "static_assert(lockstep::parents_come_first(" + type + "::kBodies));\n";
  text += "static_assert(lockstep::children_come_first(" + type + "::kForward));\n";
  text += "static_assert(lockstep::is_reverse_of(" + type + "::kBackward,\n" +
          std::string(38, ' ') + type + "::kForward));\n";
  return text;
}

}  // namespace lockstep::host
