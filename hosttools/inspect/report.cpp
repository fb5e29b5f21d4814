#include "inspect/report.hpp"

#include <algorithm>
#include <utility>

#include "emit/header.hpp"
#include "inspect/draw.hpp"
#include "inspect/loop_report.hpp"
#include "model/content_hash.hpp"
#include "model/order.hpp"
#include "model/summary.hpp"
#include "text/finding.hpp"

namespace lockstep::host {

namespace {

constexpr std::size_t kWidth = 100;

// B3:6 is body 3 with six unknowns, C3:5 the constraint that carries it.
std::string short_name(const Node& node) {
  return (node.kind == NodeKind::kBody ? "B" : "C") + std::to_string(node.body) + ":" +
         std::to_string(node.dimension);
}

template <class Nodes>
std::string list(const std::string& title, Nodes begin, Nodes end) {
  const std::string indent(title.size(), ' ');
  std::string text = title, line;
  for (; begin != end; ++begin) {
    const std::string name = " " + short_name(*begin);
    if (title.size() + line.size() + name.size() > kWidth) {
      text.append(line).append("\n").append(indent);
      line.clear();
    }
    line += name;
  }
  return text + line + "\n";
}

using Figures = std::vector<std::pair<const char*, long long>>;

Figures figures(const OperationCount& count) {
  return {{"additions", count.adds},
          {"multiplications", count.multiplies},
          {"divisions", count.divides},
          {"negations", count.negations},
          {"comparisons", count.comparisons},
          {"square_roots", count.square_roots},
          {"sincos", count.sincos}};
}

Figures figures(const StraightLine& line) {
  return {{"additions", line.additions},
          {"multiplications", line.multiplications},
          {"divisions", line.divisions}};
}

std::string one_line(const std::string& title, const Figures& figures) {
  std::string text;
  for (const auto& [name, count] : figures) {
    if (count == 0) continue;
    text += (text.empty() ? "  " + title : ", ") + std::to_string(count) + " " + name;
  }
  return text + "\n";
}

Json to_json(const Figures& figures) {
  Json result = Json::object();
  for (const auto& [name, count] : figures) result[name] = count;
  return result;
}

std::string line(const char* scalar, const Sizes& sizes) {
  return std::string("  ") + scalar + " " + to_text(sizes) + "\n";
}

Json to_json(const Sizes& sizes) {
  return {{"model", sizes.model},
          {"workspace", sizes.workspace},
          {"input", sizes.input},
          {"output", sizes.output}};
}

Json to_json(const Node& node) {
  return {{"kind", node.kind == NodeKind::kBody ? "body" : "constraint"},
          {"body", node.body},
          {"dimension", node.dimension},
          {"parent", node.parent}};
}

Json to_json(const Tree& tree, std::size_t i) {
  const Body& body = tree.bodies[i];
  Json links = Json::array();
  for (std::size_t frame = 0; frame < tree.frames.size(); ++frame) {
    if (tree.frames[frame].body == static_cast<int>(i)) links.push_back(tree.frame_names[frame]);
  }
  Json result = {{"index", i},
                 {"link", tree.link_names[i]},
                 {"joint", tree.joint_names[i]},
                 {"type", joint_name(body.joint)},
                 {"parent", body.parent},
                 {"mass", body.mass},
                 {"degrees_of_freedom", dof_count(body.joint)},
                 {"multipliers", multiplier_count(body.joint)},
                 {"damping", body.damping},
                 {"friction", body.friction},
                 {"links", links}};
  if (std::ranges::binary_search(tree.dependent, static_cast<int>(i)))
    result["independent"] = false;
  if (body.mimic.body != kNone) result["mimics"] = body.mimic.body;
  if (body.armature != 0) result["armature"] = body.armature, result["spin"] = body.spin;
  if (body.stiffness != 0) {
    result["spring"] = {{"stiffness", body.stiffness}, {"reference", body.rest}};
  }
  if (body.tie.leader != kNone) {
    result["tied"] = {{"body", body.tie.leader}, {"ratio", body.tie.ratio}};
  }
  return result;
}

}  // namespace

Report make_report(Tree tree) {
  Report report;
  report.forward = forward_order(tree);
  report.operations = count_operations(tree);
  if (!tree.bodies.empty() && tree.bodies.size() <= kStraightLineBodies) {
    report.straight_line = straight_line(tree);
  }
  report.rows = make_row_report(tree);
  report.in_float = sizes<float>(tree);
  report.in_double = sizes<double>(tree);
  report.tree = std::move(tree);
  return report;
}

std::string to_text(const Report& report, Charset charset) {
  const Tree& tree = report.tree;
  std::string text =
      quote(tree.name) + ": " + summary(tree) + ", hash " + hash_text(content_hash(tree)) + "\n\n";
  text += draw_tree(tree, charset) + rotors_text(tree) + loops_text(tree) + colliders_text(tree);
  text += "\nOrders of elimination (B body, C the constraint that carries it, : dimension)\n";
  text += list("  Forward ", report.forward.begin(), report.forward.end());
  text += list("  Backward", report.forward.rbegin(), report.forward.rend());
  text += "\nOne call of forward_dynamics\n";
  if (report.straight_line) {
    text += one_line("straight line: ", figures(*report.straight_line));
  }
  text += one_line("loops or table: ", figures(report.operations));
  if (report.rows) text += to_text(*report.rows);
  text += "\nBytes of data (the model in flash, the rest in RAM)\n";
  text += line("float ", report.in_float) + line("double", report.in_double);
  if (report.chip) text += "\n" + to_text(*report.chip, tree.bodies.size());
  return text;
}

Json to_json(const Report& report) {
  const Tree& tree = report.tree;
  const Counts counts = count(tree);
  Json bodies = Json::array(), forward = Json::array(), backward = Json::array();
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) bodies.push_back(to_json(tree, i));
  for (std::size_t i = 0; i < report.forward.size(); ++i) {
    forward.push_back(to_json(report.forward[i]));
    backward.push_back(report.forward.size() - 1 - i);
  }
  Json operations = {{"loop", to_json(figures(report.operations))}};
  if (report.straight_line) operations["straight"] = to_json(figures(*report.straight_line));
  Json result = {
      {"name", tree.name},
      {"hash", hash_text(content_hash(tree))},
      {"coordinates", counts.q},
      {"degrees_of_freedom", counts.v},
      {"multipliers", counts.lambda},
      {"bodies", bodies},
      {"forward", forward},
      {"backward", backward},
      {"operations", operations},
      {"bytes", {{"float", to_json(report.in_float)}, {"double", to_json(report.in_double)}}}};
  if (!tree.rotors.empty()) result["rotors"] = rotors_json(tree);
  if (!tree.loops.empty()) result["loops"] = loops_json(tree);
  if (!tree.couplings.empty()) result["couplings"] = couplings_json(tree);
  if (!tree.colliders.empty()) result["contact"] = colliders_json(tree);
  if (report.rows) result["worst_case"] = to_json(*report.rows);
  if (report.chip) result["chip"] = to_json(*report.chip);
  return result;
}

}  // namespace lockstep::host
