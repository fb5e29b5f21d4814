#include "eval/command.hpp"

#include <iostream>
#include <map>
#include <memory>

#include "error.hpp"
#include "eval/comparison.hpp"
#include "eval/engine.hpp"
#include "eval/mechanism_states.hpp"
#include "eval/states.hpp"
#include "mechanism/load.hpp"
#include "model/load.hpp"
#include "status_line.hpp"
#include "write_file.hpp"

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
  std::string scalar = "double";
  std::string method = "nullspace";
  std::string out = "-";
};

void eval_maximal(const EvalOptions& options) {
  if (options.method != "maximal" && options.method != "nullspace") {
    throw Error(options.load.file + ": is a mechanism in maximal coordinates; leave out --method");
  }
  const Mechanism mechanism = load_mechanism(options.load);
  const MechanismAnswers answers =
      eval_mechanism(mechanism, options.states, kScalars.at(options.scalar));
  write_file(options.out, answers.text);
  if (options.load.quiet) return;
  std::cerr << (options.states.empty() ? options.load.file : options.states) << ": "
            << answers.states << (answers.states == 1 ? " state, " : " states, ") << options.scalar
            << '\n';
}

void eval(const EvalOptions& options) {
  if (is_mechanism(options.load)) return eval_maximal(options);
  if (options.states.empty()) throw Error("--states is required for a robot; give a JSON file");
  const Tree tree = load_tree(options.load);
  StatesFile states(options.states, tree);
  const Engine engine = make_engine(tree, kScalars.at(options.scalar), kMethods.at(options.method));

  Comparison comparison;
  {
    StatusLine status;
    for (std::size_t i = 0; i < states.size(); ++i) {
      status.show([&] {
        return "eval: " + std::to_string(i) + " of " + std::to_string(states.size()) + " states";
      });
      const State state = states.state(i);
      try {
        const DenseOutput answer = engine(state.in);
        comparison.add(i, state, answer);
        states.set_answer(i, answer);
      } catch (const Error& error) {
        throw Error(states.where(i) + ": " + error.what());
      }
    }
  }
  write_file(options.out, states.text("lockstep eval, " + options.scalar + ", " + options.method));
  if (options.load.quiet) return;
  std::cerr << options.states << ": " << states.size() << " states, " << options.scalar << ", "
            << options.method;
  if (const auto summary = comparison.summary()) std::cerr << "; " << *summary;
  std::cerr << '\n';
}

std::vector<std::string> names(const auto& choices) {
  std::vector<std::string> result;
  for (const auto& choice : choices) result.push_back(choice.first);
  return result;
}

}  // namespace

void add_eval_command(CLI::App& app) {
  const auto options = std::make_shared<EvalOptions>();
  CLI::App* command =
      app.add_subcommand("eval", "Accelerations and joint wrenches for the states of a file");
  add_load_options(*command, options->load);
  command
      ->add_option("--states", options->states,
                   "The states, a JSON file (of a mechanism: its own state, if left out)")
      ->option_text("FILE");
  command->add_option("--scalar", options->scalar, "What to compute with (default: double)")
      ->check(CLI::IsMember(names(kScalars)))
      ->option_text("float|double");
  command
      ->add_option("--method", options->method,
                   "How: maximal makes every link a body and every joint a constraint, dense is an "
                   "oracle in "
                   "cubic time (default: nullspace)")
      ->check(CLI::IsMember(names(kMethods)))
      ->option_text("nullspace|direct|maximal|dense");
  command->add_option("-o,--out", options->out, "Where the answers go (default: standard output)")
      ->option_text("FILE");
  command->footer(
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
      "\n"
      "A mechanism has bodies instead:\n"
      "  {\"states\": [{\"x\": {\"bob\": [0, 0, -1]}, \"v\": {\"bob\": [1, 0, 0]}, \"time\": 0}]}\n"
      "and its answers are vdot by body, lambda and errors by constraint; docs/mechanisms.md tells "
      "more.\n"
      "\n"
      "Examples:\n"
      "  lockstep eval gyroscope.xml\n"
      "  lockstep eval arm.urdf --base fixed --states states.json --out answers.json");
  command->callback([options] { eval(*options); });
}

}  // namespace lockstep::host
