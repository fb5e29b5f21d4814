#include <iostream>
#include <map>
#include <memory>

#include "commands.hpp"
#include "eval/closed_case.hpp"
#include "eval/closed_engine.hpp"
#include "eval/comparison.hpp"
#include "eval/contact_engine.hpp"
#include "eval/engine.hpp"
#include "eval/states.hpp"
#include "mechanism/load.hpp"
#include "mechanism/named.hpp"
#include "mechanism/soft_motion.hpp"
#include "mechanism/standing.hpp"
#include "model/merge.hpp"
#include "model/tree_rows.hpp"
#include "options/bounds.hpp"
#include "options/shared.hpp"
#include "robot/maximal_state_file.hpp"
#include "robot/mechanism_robot.hpp"
#include "system/status_line.hpp"
#include "system/write_file.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

const std::map<std::string, EvalScalar> kScalars = {{"float", EvalScalar::kFloat},
                                                    {"double", EvalScalar::kDouble}};
const std::map<std::string, EvalMethod> kMethods = {{"nullspace", EvalMethod::kNullSpace},
                                                    {"direct", EvalMethod::kDirect},
                                                    {"maximal", EvalMethod::kMaximal},
                                                    {"dense", EvalMethod::kDense}};

struct EvalOptions {
  LoadOptions load;
  std::string states;
  std::string closed;  // a file of mechanism and states, in place of robot and states
  std::string scalar = "double";
  std::string method = "nullspace";
  std::string out = "-";
  bool contact = false;
  BoundWords bounds;
};

void show_progress(StatusLine& status, std::size_t done, std::size_t count) {
  status.show(
      [&] { return "eval: " + std::to_string(done) + " of " + std::to_string(count) + " states"; });
}

// Adds accelerations of the bodies and multipliers of the constraints to a state. What it leaves
// out is as the mechanism says. Throws Error.
template <class T>
void answer_state(const Mechanism& mechanism, const std::string& where, StandingWatch& watch,
                  MechanismRobot<T>& usual, Json& json) {
  const JsonFields fields(
      json, where,
      {"x", "v", "force", "time", "gravity", "vdot", "lambda", "position_error", "velocity_error"});
  MaximalState start = initial_state(mechanism);
  Eigen::VectorXd force = Eigen::Map<const Eigen::VectorXd>(
      mechanism.forces.data(), static_cast<Eigen::Index>(mechanism.forces.size()));
  const Named velocities = named_velocities(mechanism), rows = named_rows(mechanism);
  read_named(fields, "x", named_poses(mechanism), start.x);
  read_named(fields, "v", velocities, start.v);
  read_named(fields, "force", velocities, force);
  const Json* given = fields.find("gravity");
  const auto gravity =
      given == nullptr ? mechanism.gravity : three_numbers(*given, fields.where("gravity"));
  std::unique_ptr<MechanismRobot<T>> other;
  if (const Mechanism* asked = watch.look({start.x.data(), at(static_cast<int>(start.x.size()))})) {
    other = std::make_unique<MechanismRobot<T>>(*asked);
  }
  MechanismRobot<T>& robot = other ? *other : usual;
  robot.set(start.x, start.v);
  robot.state.time = static_cast<T>(fields.number("time", 0));
  robot.set_loads(force, gravity);
  SoftMotion soft(mechanism);
  soft.look(static_cast<double>(robot.state.time), start.x, start.v);
  const std::vector<T> near(soft.values().begin(), soft.values().end());
  robot.loads.near = near;
  const Status status = robot.solve();
  robot.loads.near = {};
  if (status != Status::kOk) throw Error(where + ": " + to_string(status));
  json["vdot"] = named_json(velocities, robot.out.v.template cast<double>());
  json["lambda"] = named_json(rows, robot.out.lambda.template cast<double>());
  const auto& solved = robot.solver();
  json["position_error"] = named_json(rows, solved.position_errors().template cast<double>());
  json["velocity_error"] = named_json(rows, solved.velocity_errors().template cast<double>());
}

template <class T>
std::size_t answer_states(const Mechanism& mechanism, const std::string& where, Json& states) {
  const auto robot = std::make_unique<MechanismRobot<T>>(mechanism);
  StandingWatch watch(mechanism);
  StatusLine status;
  for (std::size_t i = 0; i < states.size(); ++i) {
    show_progress(status, i, states.size());
    answer_state(mechanism, where + ": state " + std::to_string(i), watch, *robot, states[i]);
  }
  return states.size();
}

// At the mechanism's own state, or at those of a file.
void eval_maximal(const EvalOptions& options) {
  if (options.method != "maximal" && options.method != "nullspace") {
    throw Error(options.load.file + ": is a mechanism in maximal coordinates; leave out --method");
  }
  const Mechanism mechanism = load_mechanism(options.load);
  const std::string& path = options.states;
  Json document = {{"states", Json::array({Json::object()})}};
  if (!path.empty()) document = read_json(path, "a file of states");
  const bool listed =
      document.is_object() && document.contains("states") && document["states"].is_array();
  if (!listed) throw Error(path + ": has no array 'states'; give {\"states\": [{\"x\": ...}]}");
  const auto answer = options.scalar == "float" ? answer_states<float> : answer_states<double>;
  const std::size_t count =
      answer(mechanism, path.empty() ? mechanism.name : path, document["states"]);
  write_file(options.out, document.dump(1) + "\n");
  if (options.load.quiet) return;
  std::cerr << (path.empty() ? options.load.file : path) << ": " << count
            << (count == 1 ? " state, " : " states, ") << options.scalar << '\n';
}

// Answers every state of a file. `answer(state)` may throw the reason why it has none.
template <class Answer>
Comparison answer_all(StatesFile& states, Answer&& answer) {
  Comparison comparison;
  StatusLine status;
  for (std::size_t i = 0; i < states.size(); ++i) {
    show_progress(status, i, states.size());
    const State state = states.state(i);
    try {
      answer(i, state, comparison);
    } catch (const Error& error) {
      throw Error(states.where(i) + ": " + error.what());
    }
  }
  return comparison;
}

// `more` stands between the method and the errors.
void hand_out(const EvalOptions& options, const std::string& file, const StatesFile& states,
              const Comparison& comparison, const std::string& more = "") {
  write_file(options.out, states.text("lockstep eval, " + options.scalar + ", " + options.method));
  const auto summary = comparison.summary();
  if (options.load.quiet && !summary) return;  // a comparison is what was asked for, no note
  std::cerr << file << ": " << states.size() << " states, " << options.scalar << ", "
            << options.method << more;
  if (summary) std::cerr << "; " << *summary;
  std::cerr << '\n';
}

void eval_tree(const EvalOptions& options, const Tree& tree) {
  StatesFile states(options.states, tree);
  const Engine engine = make_engine(tree, kScalars.at(options.scalar), kMethods.at(options.method));
  const Comparison comparison =
      answer_all(states, [&](std::size_t i, const State& state, Comparison& compared) {
        const DenseOutput answer = engine(state.in);
        compared.add(i, state, answer);
        states.set_answer(i, answer);
      });
  hand_out(options, options.states, states, comparison);
}

// `is_case` wants the forces by constraint too.
void eval_closed(const EvalOptions& options, const Tree& tree, const std::string& file,
                 bool is_case) {
  const EvalMethod method = kMethods.at(options.method);
  if (method != EvalMethod::kNullSpace && method != EvalMethod::kMaximal) {
    throw Error("--method " + options.method +
                ": knows no loops, couplings and <mimic>; give nullspace or maximal" +
                (is_case ? "" : ", or give --mimic ignore if that is all the robot has"));
  }
  StatesFile states(file, tree);
  const Tree merged = options.load.keep_rotors ? tree : merge_rotors(tree);
  const ClosedEngine engine = make_closed_engine(tree, merged, kScalars.at(options.scalar), method);
  RowSummary rows(tree);
  const Comparison comparison =
      answer_all(states, [&](std::size_t i, const State& state, Comparison& compared) {
        const ClosedAnswer answer = engine(state.in);
        compared.add(i, state, answer);
        rows.add(state.in, answer.redundant);
        states.set_answer(i, answer.out);
        states.set_generalized_force(i, answer.generalized);
        if (!is_case) return;
        const Eigen::VectorXd force = constraint_force(tree, answer.mu);
        compared.add_force(i, state, force);
        states.set_constraint_force(i, force);
      });
  hand_out(options, file, states, comparison, rows.text());
}

// Limits and friction of joints, and contacts.
void eval_bounded(const EvalOptions& options, const Tree& tree) {
  if (options.scalar != "double" || options.method != "nullspace") {
    throw Error("--contact: is computed in double by nullspace; leave out --scalar and --method");
  }
  StatesFile states(options.states, tree);
  if (options.bounds.contact_solver == "newton") {
    throw Error("--contact-solver newton: goes from step to step; leave it out");
  }
  const ContactEngine engine =
      make_contact_engine(tree, make_bounds(options.bounds, options.load.file, tree));
  const Comparison comparison =
      answer_all(states, [&](std::size_t i, const State& state, Comparison& compared) {
        ContactAnswer answer = engine(state.in);
        compared.add(i, state, answer.out);
        states.set_answer(i, answer.out);
        states.set_more(i, "contacts", std::move(answer.contacts));
        states.set_more(i, "limit_force", std::move(answer.limit_force));
        states.set_more(i, "friction_force", std::move(answer.friction));
      });
  hand_out(options, options.states, states, comparison, ", with contact");
}

// Robots that float by their own files come with states for a fixed base as well.
LoadOptions with_base_of_states(const EvalOptions& options) {
  LoadOptions load = options.load;
  load.keep_rotors = true;  // the file speaks of their joints
  if (load.reduce.base != ReduceOptions::Base::kAsWritten) return load;
  const Json document = read_json(options.states, "a file of states");
  if (document.is_object() && document.value("base", Json()) == "fixed") {
    load.reduce.base = ReduceOptions::Base::kFixed;
  }
  return load;
}

void eval_robot(const EvalOptions& options) {
  const Tree tree = load_tree(with_base_of_states(options));
  if (options.contact) return eval_bounded(options, tree);
  is_closed(tree) ? eval_closed(options, tree, options.states, false) : eval_tree(options, tree);
}

void eval(const EvalOptions& options) {
  const bool robot = !options.load.file.empty(), states = !options.states.empty();
  if (robot && options.closed.empty() && is_mechanism(options.load)) return eval_maximal(options);
  if (options.closed.empty() ? !robot || !states : robot || states) {
    throw Error("eval: give a robot and --states FILE, or --case FILE alone");
  }
  if (options.closed.empty()) return eval_robot(options);
  eval_closed(options, read_closed_case(options.closed), options.closed, true);
}

}  // namespace

void add_eval_command(CLI::App& app) {
  const auto options = std::make_shared<EvalOptions>();
  Command command(app, "eval", "Accelerations and joint wrenches for the states of a file");
  add_load_options(command, options->load);
  command.find("robot").required(false);
  command
      .add("--states", options->states,
           "The states, a JSON file (of a mechanism: its own state, if left out)")
      .shown_as("FILE");
  command
      .add("--case", options->closed,
           "A mechanism with loops and its states in one JSON file, without a robot")
      .shown_as("FILE");
  add_scalar_option(command, options->scalar);
  command
      .add("--method", options->method,
           "How: maximal makes every link a body and every joint a constraint, dense is an "
           "oracle in cubic time (default: nullspace)")
      .one_of({"dense", "direct", "maximal", "nullspace"})
      .shown_as("nullspace|direct|maximal|dense");
  command.add("-o,--out", options->out, "Where the answers go (default: standard output)")
      .shown_as("FILE");
  command.add("--contact", options->contact,
              "Ends and friction of joints and contacts act too; the options below say which");
  add_bound_options(command, options->bounds, "--contact");
  command.footer(
      "The file of states:\n"
      "  {\"gravity\": [0, 0, -9.81],\n"
      "   \"joints\": [{\"name\": \"shoulder\"}, {\"name\": \"elbow\"}],\n"
      "   \"states\": [{\"q\": [0.1, 0.2], \"qd\": [0, 0], \"tau\": [1, 0]}]}\n"
      "q, qd and tau hold the joints' numbers in the order of `joints`; a ball joint's q is a\n"
      "quaternion x y z w, a floating one's a position and a quaternion, and its qd is linear\n"
      "before angular, in the link's frame. A state may hold its own `gravity`, and `external`:\n"
      "[force, moment] per joint as six numbers, at the origin and in the axes of the link that "
      "the\n"
      "joint carries. The answer is the same file with qdd and reaction, which is the wrench that\n"
      "each joint passes to its link. Answers that the file already holds are compared with.\n"
      "Loops, couplings and <mimic> act: then constraint_generalized_force is what they add to "
      "tau.\n"
      "Joints that follow others by couplings may be left out of `joints`.\n"
      "With --contact, bounds act where they are reached and approached: limit_force and\n"
      "friction_force by joint, and contacts, each with link, other (a link or world), point, "
      "normal\n"
      "(out of other), distance and the force on link, in N and world axes. What arrives with a\n"
      "velocity is stopped within 1e-7 s.\n"
      "A case holds the joints themselves (parent_joint, type R P S F, axis, "
      "R_in_parent_rowmajor,\n"
      "p_in_parent, mass, com, inertia_com_xx_xy_xz_yy_yz_zz) and constraints between frames 1 "
      "and\n"
      "2 (type 3: origins coincide, 6: frames coincide; joint1, R1_rowmajor, p1, joint2, ...). "
      "Its\n"
      "answer has constraint_force, on joint1's body at frame 1 in its axes, and\n"
      "constraint_generalized_force as well.\n"
      "A mechanism has bodies instead:\n"
      "  {\"states\": [{\"x\": {\"bob\": [0, 0, -1]}, \"v\": {\"bob\": [1, 0, 0]}, \"time\": 0}]}\n"
      "and its answers are vdot by body, lambda and errors by constraint; docs/mechanisms.md tells "
      "more.\n"
      "\n"
      "Examples:\n"
      "  lockstep eval arm.urdf --base fixed --states states.json --out answers.json\n"
      "  lockstep eval --case four_bar.json --out answers.json\n"
      "  lockstep eval quadruped.urdf --base floating --states s.json --contact\n"
      "  lockstep eval gyroscope.xml");
  command.runs([options] { eval(*options); });
}

}  // namespace lockstep::host
