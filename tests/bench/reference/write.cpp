#include "write.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace reference {

using Eigen::VectorXd;

namespace {

std::string number(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  return buffer;
}

std::string rounded(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.1e", value);
  return buffer;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

std::string list(const VectorXd& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + number(value);
  return "[" + text + "]";
}

const char* base_of(const Robot& robot) { return robot.floating ? "floating" : "fixed"; }

bool follows(const Case& c, std::size_t body) {
  if (c.kind != Kind::kMimic) return false;
  for (const Mimic& mimic : c.robot.mimics) {
    if (mimic.follower == static_cast<int>(body)) return true;
  }
  return false;
}

// Of a mimic's file: those of joints that lead.
std::string leading(const Case& c, const VectorXd& values, bool configs) {
  std::vector<double> kept;
  for (std::size_t i = 0; i < c.robot.bodies.size(); ++i) {
    const Body& body = c.robot.bodies[i];
    if (follows(c, i)) continue;
    const double* from = values.data() + (configs ? body.q : body.v);
    kept.insert(kept.end(), from,
                from + (configs ? config_count(body.type) : dof_count(body.type)));
  }
  return list(VectorXd::Map(kept.data(), static_cast<Eigen::Index>(kept.size())));
}

void write_conventions(std::ofstream& out, const Case& c) {
  out << "  \"conventions\": {\n"
         "    \"order\": \"q, qd, tau, qdd and reaction hold the joints one after the other as "
         "listed; map by name\",\n"
         "    \"joints\": \"a ball joint's q is the quaternion x y z w of its link in the joint's "
         "frame, its qd the angular velocity in the link's axes; a floating base is root_joint: "
         "position and quaternion of the root link in the world, then qd is the twist, linear "
         "before angular, in the link's axes; qdd is the derivative of these components\",\n"
         "    \"left out\": \"damping, dry friction, limits\",\n";
  if (c.kind == Kind::kTree) {
    out << "    \"reaction\": \"force and moment that the joint passes to its link, actuation "
           "included, in the link's axes at its origin\",\n";
  }
  if (c.kind == Kind::kLoop) {
    out << "    \"rows\": \"revolute loop: origins coincide, axes stay parallel; fixed: frames "
           "coincide; ball: origins coincide; a coupling or <mimic> one row; all exact at the "
           "level "
           "of accelerations, without stabilization\",\n"
           "    \"constraint_generalized_force\": \"M qdd + bias - tau, which does not depend on "
           "the choice of multipliers\",\n";
  }
  if (c.kind == Kind::kMimic) {
    out << "    \"mimic\": \"ideal gears, q = multiplier q of the leader + offset; only "
           "independent joints are listed, and tau acts on these alone\",\n";
  }
  out << "    \"M_eig\": \"smallest and largest eigenvalue of the mass matrix over all joints of "
         "the tree\"\n  },\n";
}

void write_provenance(std::ofstream& out, const Case& c) {
  out << "  \"provenance\": {\n    \"generator\": \"tests/bench/reference/make-reference\",\n"
      << "    \"date\": " << quoted(c.date) << ",\n"
      << "    \"states\": \"std::mt19937_64 seeded by the robot's name; joints within their limits"
      << (c.robot.closed() ? ", constraints closed by Newton's method" : "")
      << "; the last state at rest\",\n"
      << "    \"disagreement\": \"max |x - x of the first peer| / max(1, max |x of the first peer|)"
         ", the largest over the states\",\n    \"peers\": [\n";
  for (std::size_t i = 0; i < c.witnesses.size(); ++i) {
    const Witness& witness = c.witnesses[i];
    out << "      {\"name\": " << quoted(witness.name) << ", \"how\": " << quoted(witness.how);
    if (i > 0) {
      out << ", \"disagreement\": {\"qdd\": " << rounded(witness.vdot);
      if (witness.has_reaction) out << ", \"reaction\": " << rounded(witness.reaction);
      if (c.robot.closed()) {
        out << ", \"constraint_generalized_force\": " << rounded(witness.generalized);
      }
      out << "}";
    }
    out << (i + 1 < c.witnesses.size() ? "},\n" : "}\n");
  }
  out << "    ]\n  },\n";
}

void write_joints(std::ofstream& out, const Case& c) {
  out << (c.kind == Kind::kMimic ? "  \"independent_joints\": [\n" : "  \"joints\": [\n");
  bool begun = false;
  for (std::size_t i = 0; i < c.robot.bodies.size(); ++i) {
    if (follows(c, i)) continue;
    const Body& body = c.robot.bodies[i];
    out << (begun ? ",\n" : "") << "    {\"name\": " << quoted(body.joint)
        << ", \"type\": " << quoted(body.type_name) << ", \"child_link\": " << quoted(body.link)
        << "}";
    begun = true;
  }
  out << "\n  ],\n";
  if (c.kind != Kind::kMimic) return;
  out << "  \"mimic\": [\n";
  for (std::size_t i = 0; i < c.robot.mimics.size(); ++i) {
    const Mimic& mimic = c.robot.mimics[i];
    const auto name = [&](int k) {
      return quoted(c.robot.bodies[static_cast<std::size_t>(k)].joint);
    };
    out << "    {\"joint\": " << name(mimic.follower) << ", \"of\": " << name(mimic.leader)
        << ", \"multiplier\": " << number(mimic.multiplier)
        << ", \"offset\": " << number(mimic.offset)
        << (i + 1 < c.robot.mimics.size() ? "},\n" : "}\n");
  }
  out << "  ],\n";
}

void write_state(std::ofstream& out, const Case& c, std::size_t i) {
  const DrawnState& drawn = c.states[i];
  const Answer& answer = c.answers[i];
  out << "    {\n      \"q\": " << leading(c, drawn.state.q, true)
      << ",\n      \"qd\": " << leading(c, drawn.state.v, false)
      << ",\n      \"tau\": " << leading(c, drawn.state.tau, false)
      << ",\n      \"qdd\": " << leading(c, answer.vdot, false) << ",\n";
  if (c.kind == Kind::kTree) {
    out << "      \"reaction\": [";
    for (Eigen::Index k = 0; k < answer.reaction.cols(); ++k) {
      out << (k > 0 ? ",\n        " : "\n        ") << list(answer.reaction.col(k));
    }
    out << "],\n";
  }
  if (c.kind == Kind::kLoop) {
    out << "      \"constraint_generalized_force\": " << list(answer.generalized)
        << ",\n      \"residual_position\": " << rounded(drawn.position)
        << ",\n      \"residual_velocity\": " << rounded(drawn.velocity) << ",\n";
  }
  out << "      \"M_eig_min\": " << number(c.spectra[i].smallest)
      << ",\n      \"M_eig_max\": " << number(c.spectra[i].largest) << "\n    }"
      << (i + 1 < c.states.size() ? ",\n" : "\n");
}

}  // namespace

std::string file_name(const Case& c) {
  const std::string ending = c.kind == Kind::kLoop    ? "loop"
                             : c.kind == Kind::kMimic ? "mimic"
                                                      : base_of(c.robot);
  return c.robot.name + "." + ending + ".json";
}

void write(const Case& c, const std::string& folder) {
  const std::string path = folder + "/" + file_name(c);
  std::ofstream out(path);
  const std::filesystem::path urdf = c.robot.file;
  const bool apart = urdf.parent_path().filename() == "loops";
  out << "{\n  \"name\": " << quoted(c.robot.name) << ",\n  \"urdf\": "
      << quoted(std::string("models/") + (apart ? "loops/" : "") + urdf.filename().string())
      << ",\n  \"base\": " << quoted(base_of(c.robot)) << ",\n  \"gravity\": [0, 0, "
      << number(kGravity) << "],\n";
  write_provenance(out, c);
  write_conventions(out, c);
  write_joints(out, c);
  if (c.kind == Kind::kLoop) {
    out << "  \"constraint_rows\": " << c.states[0].rows
        << ",\n  \"constraint_rank\": " << c.states[0].rank << ",\n";
  }
  out << "  \"states\": [\n";
  for (std::size_t i = 0; i < c.states.size(); ++i) write_state(out, c, i);
  out << "  ]\n}\n";
  out.close();
  if (!out) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace reference
