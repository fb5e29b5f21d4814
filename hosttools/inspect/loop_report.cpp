#include "inspect/loop_report.hpp"

#include <cmath>

#include "emit/colliders.hpp"
#include "inspect/softness.hpp"
#include "model/loop_rows.hpp"
#include "model/merge.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

using contact::ColliderPair;
using contact::ColliderRecord;
using contact::ShapeType;

std::string rows(int count) { return std::to_string(count) + (count == 1 ? " row" : " rows"); }

std::string end(const Tree& tree, int body) {
  return body == kWorld ? "world" : quote(tree.link_names[at(body)]);
}

// 'rotor' - 6 'hip' = 0
std::string equation(const Tree& tree, const Coupling& coupling) {
  std::string text;
  for (const CouplingTerm& term : terms_of(tree, coupling)) {
    const bool minus = term.coefficient < 0;
    const double factor = minus ? -term.coefficient : term.coefficient;
    text += text.empty() ? (minus ? "-" : "") : (minus ? " - " : " + ");
    if (factor != 1) text += brief(factor, 6) + " ";
    text += quote(tree.joint_names[at(term.body)]);
  }
  return text + " = " + brief(coupling.offset, 6);
}

std::string after_comma(const std::string& text) { return text.empty() ? "" : ", " + text; }

std::string name(const Tree& tree, int collider) {
  return quote(tree.collider_names[at(collider)]);
}

std::string size(const ColliderRecord& collider) {
  const auto length = [](double half) { return brief(2 * half); };
  const std::string radius = "radius " + brief(collider.radius) + " m";
  switch (collider.type) {
    case ShapeType::kSphere: return radius;
    case ShapeType::kCapsule:
    case ShapeType::kCylinder: return radius + ", length " + length(collider.half[2]) + " m";
    case ShapeType::kBox:
      return length(collider.half[0]) + " x " + length(collider.half[1]) + " x " +
             length(collider.half[2]) + " m";
    case ShapeType::kPoints: break;
  }
  return std::to_string(collider.count);
}

}  // namespace

std::string rotors_text(const Tree& tree) {
  std::string text;
  if (!tree.rotors.empty()) {
    text += "\nRotors merged into joints, " + std::to_string(tree.rotors.size()) + "\n";
  }
  for (std::size_t i = 0; i < tree.rotors.size(); ++i) {
    const auto& [body, ratio, offset] = tree.rotors[i];
    text += "  " + quote(tree.rotor_names[i]) + " = " + brief(ratio, 6) + " " +
            quote(tree.joint_names[at(body)]);
    if (offset != 0) text += (offset < 0 ? " - " : " + ") + brief(std::abs(offset), 6);
    text += "\n";
  }
  std::string ties;
  std::size_t count = 0;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const auto& [leader, ratio] = tree.bodies[i].tie;
    if (leader == kNone) continue;
    ties += "  " + quote(tree.joint_names[i]) + " moves " + brief(ratio, 6) + " times as far as " +
            quote(tree.joint_names[at(leader)]) + "\n";
    ++count;
  }
  if (count != 0) text += "\nJoints tied to others, " + std::to_string(count) + "\n" + ties;
  return text;
}

Json rotors_json(const Tree& tree) {
  Json rotors = Json::array();
  for (std::size_t i = 0; i < tree.rotors.size(); ++i) {
    rotors.push_back({{"joint", tree.rotor_names[i]},
                      {"body", tree.rotors[i].body},
                      {"ratio", tree.rotors[i].ratio},
                      {"offset", tree.rotors[i].offset}});
  }
  return rotors;
}

std::string loops_text(const Tree& tree) {
  if (tree.loops.empty() && tree.couplings.empty()) return "";
  std::string text = "\nLoops and couplings, " + rows(row_count(tree)) + "\n";
  for (std::size_t i = 0; i < tree.loops.size(); ++i) {
    const maximal::ConstraintRecord& loop = tree.loops[i];
    text += "  " + quote(tree.loop_names[i]) + ": " + loop_name(loop.type) + " from " +
            end(tree, loop.a) + " to " + end(tree, loop.b) + ", " + rows(loop_row_count(loop)) +
            after_comma(softness(loop)) + "\n";
  }
  for (std::size_t i = 0; i < tree.couplings.size(); ++i) {
    const std::string why = judge_coupling(tree, i).why;  // empty where it need not be a row
    text += "  " + quote(tree.coupling_names[i]) + ": " + equation(tree, tree.couplings[i]) +
            (why.empty() ? "" : "; a row: " + why) + after_comma(softness(tree.couplings[i])) +
            "\n";
  }
  return text;
}

Json loops_json(const Tree& tree) {
  Json loops = Json::array();
  for (std::size_t i = 0; i < tree.loops.size(); ++i) {
    const maximal::ConstraintRecord& loop = tree.loops[i];
    loops.push_back({{"name", tree.loop_names[i]},
                     {"type", loop_name(loop.type)},
                     {"predecessor", loop.a},
                     {"successor", loop.b},
                     {"rows", loop_row_count(loop)}});
    add_softness(loop, loops.back());
  }
  return loops;
}

Json couplings_json(const Tree& tree) {
  Json couplings = Json::array();
  for (std::size_t i = 0; i < tree.couplings.size(); ++i) {
    Json terms = Json::array();
    for (const CouplingTerm& term : terms_of(tree, tree.couplings[i])) {
      terms.push_back({{"body", term.body}, {"coefficient", term.coefficient}});
    }
    couplings.push_back(
        {{"name", tree.coupling_names[i]}, {"terms", terms}, {"offset", tree.couplings[i].offset}});
    const std::string why = judge_coupling(tree, i).why;
    if (!why.empty()) couplings.back()["not_merged"] = why;
    add_softness(tree.couplings[i], couplings.back());
  }
  return couplings;
}

std::string colliders_text(const Tree& tree) {
  if (tree.colliders.empty()) return "";
  std::string text = "\nShapes, for " +
                     std::to_string(contact::most_contacts(tree.colliders, tree.collider_pairs)) +
                     " contacts at most, " + std::to_string(tree.collider_pairs.size()) +
                     " pairs that may meet\n";
  for (std::size_t i = 0; i < tree.colliders.size(); ++i) {
    const ColliderRecord& collider = tree.colliders[i];
    text += "  " + quote(tree.collider_names[i]) + ": " + shape_name(collider.type) + " on " +
            (collider.body == kWorld ? "the " : "") + end(tree, collider.body) + ", " +
            size(collider) + ", friction " + brief(collider.friction);
    if (collider.restitution > 0) text += ", restitution " + brief(collider.restitution);
    text += "\n";
  }
  int last = kNone;
  for (const ColliderPair& pair : tree.collider_pairs) {
    if (pair.a == last) {
      text += ", ";
    } else {
      text += (last == kNone ? "  " : "\n  ") + name(tree, pair.a) + " may meet ";
    }
    text += name(tree, pair.b);
    last = pair.a;
  }
  return last == kNone ? text : text + "\n";
}

Json colliders_json(const Tree& tree) {
  Json shapes = Json::array(), pairs = Json::array();
  for (std::size_t i = 0; i < tree.colliders.size(); ++i) {
    const ColliderRecord& collider = tree.colliders[i];
    Json shape = {{"name", tree.collider_names[i]},    {"body", collider.body},
                  {"type", shape_name(collider.type)}, {"half", collider.half},
                  {"radius", collider.radius},         {"position", collider.p_BS},
                  {"friction", collider.friction},     {"restitution", collider.restitution}};
    Json points = Json::array();
    for (int k = collider.first; k < collider.first + collider.count; ++k) {
      points.push_back(tree.collider_points[at(k)]);
    }
    if (!points.empty()) shape["points"] = points;
    shapes.push_back(shape);
  }
  for (const ColliderPair& pair : tree.collider_pairs) {
    pairs.push_back(Json::array({pair.a, pair.b}));
  }
  return {{"shapes", shapes},
          {"pairs", pairs},
          {"most_contacts", contact::most_contacts(tree.colliders, tree.collider_pairs)}};
}

}  // namespace lockstep::host
