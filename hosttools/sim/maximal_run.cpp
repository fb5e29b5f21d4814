#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>

#include "mechanism/content_hash.hpp"
#include "mechanism/energy.hpp"
#include "mechanism/free_bodies.hpp"
#include "mechanism/from_tree.hpp"
#include "mechanism/joint_space.hpp"
#include "mechanism/load.hpp"
#include "mechanism/soft_motion.hpp"
#include "mechanism/standing.hpp"
#include "model/content_hash.hpp"
#include "model/loop_rows.hpp"
#include "options/command.hpp"
#include "record/joint_columns.hpp"
#include "robot/maximal_columns.hpp"
#include "robot/maximal_state_file.hpp"
#include "robot/placement.hpp"
#include "robot/state_file.hpp"
#include "robot/stiff_row.hpp"
#include "sim/maximal.hpp"
#include "sim/maximal_bounds.hpp"
#include "sim/maximal_picture.hpp"
#include "sim/motors.hpp"
#include "sim/options.hpp"
#include "sim/report.hpp"
#include "sim/work.hpp"
#include "system/status_line.hpp"
#include "system/write_file.hpp"
#include "text/error.hpp"
#include "text/number.hpp"

namespace lockstep::host::sim {

namespace {

// A robot's motors where its bodies move in maximal coordinates: their torques, with what dampers
// and springs do that are no rows, as forces on the bodies. In double, whatever the bodies are
// computed in.
struct JointMotors {
  const Tree& tree;
  const Mechanism& mechanism;
  Passive passive;
  Motors<double> motors;
  double dt;
  Eigen::VectorXd q, v = {}, tau = {};  // of the last call
  std::uint64_t limited = 0;            // torques cut so far
  double work = 0, damped = 0;          // J, of the torques so far, and of those that brake

  // Adds the forces that act from a state on.
  void drive(std::uint64_t step, const Eigen::VectorXd& x, const Eigen::VectorXd& body_v,
             Eigen::VectorXd& force, Eigen::VectorXd& near) {
    const JointMotion motion = joint_motion(tree, x, body_v, q);
    if (tau.size() != 0) {
      work += work_of(tau, v, motion.v, dt);
      damped += work_of(motors.damper(), v, motion.v, dt);
    }
    q = motion.q;
    v = motion.v;
    const Status status = motors.drive(step, q, v);
    if (status != Status::kOk) throw BrokeOff(std::string("--hold: ") + to_string(status));
    tau = motors.tau();
    limited += motors.cut();
    force += body_forces(tree, x, tau + passive_torque(tree, q, v, passive));
    if (passive == Passive::kRows) near = passive_values(tree, mechanism, q);
  }
};

// What moves, and from where.
struct Subject {
  std::optional<Tree> tree;  // of a robot
  Mechanism mechanism;
  MaximalState state;
  SavedHead owner;  // what a saved state belongs to
};

// Methods that know no rows that yield take springs and dampers as forces.
Passive passive_of(const SimOptions& options) {
  return options.method == "linear" || options.method == "dense" ? Passive::kRows
                                                                 : Passive::kForces;
}

void require_rigid(const SimOptions& options, const Mechanism& mechanism) {
  if (passive_of(options) == Passive::kRows) return;
  const auto soft = std::ranges::find_if(mechanism.constraints, yields<maximal::ConstraintRecord>);
  if (soft == mechanism.constraints.end()) return;
  const auto i = static_cast<std::size_t>(soft - mechanism.constraints.begin());
  throw Error(options.load.file + ": constraint " + quote(mechanism.constraint_names[i]) +
              ": has stiffness, damping or an armature, and with --method " + options.method +
              " rows do not yield; leave out --method");
}

Subject load_subject(const SimOptions& options) {
  Subject subject;
  if (is_mechanism(options.load)) {
    subject.mechanism = load_mechanism(options.load);
    require_rigid(options, subject.mechanism);
    subject.owner = {"mechanism", content_hash(subject.mechanism), options.scalar};
    if (options.start == kZero) {
      throw Error(options.load.file +
                  ": is a mechanism, which has no zero pose; leave out --start");
    }
    subject.state = options.start.empty() ? initial_state(subject.mechanism)
                                          : read_start(options.start, subject.mechanism);
  } else {
    LoadOptions load = options.load;
    load.keep_rotors = true;  // every link is a body
    subject.tree = load_tree(load);
    require_motion(options.load.file, *subject.tree);
    const SimState start = is_file(options.start) ? read_start(options.start, *subject.tree)
                                                  : start_state(options, *subject.tree);
    subject.mechanism =
        from_tree(*subject.tree, start.q, start.v, options.load.file, passive_of(options));
    choose_standings(subject.mechanism);
    bound(options, *subject.tree, subject.mechanism);
    if (options.restore.empty()) {
      require_closed(options.load.file, options.start, *subject.tree, start.q);
    }
    subject.owner = {"robot", content_hash(*subject.tree), options.scalar};
    subject.state = initial_state(subject.mechanism);
    subject.state.held = start.q;
  }
  if (!options.gravity.empty())
    std::ranges::copy(options.gravity, subject.mechanism.gravity.begin());
  subject.state.dt = options.dt.value_or(SimSettings().dt);
  if (options.restore.empty()) return subject;
  if (!subject.tree) subject.state.held = SoftMotion(subject.mechanism).values();
  read_saved(options.restore, subject.mechanism, subject.owner, subject.state);
  subject.state.dt = restored_dt(options, subject.state.dt);
  return subject;
}

// By forces, of free bodies. Newton's method is joint space's.
bool steps_freely(const SimOptions& options, const Mechanism& mechanism) {
  return options.stepper != "impulse" && options.method == "linear" && are_free(mechanism) &&
         has_contacts(mechanism);
}

MaximalSettings make_maximal_settings(const SimOptions& options, const Subject& subject) {
  MaximalSettings settings;
  settings.dt = subject.state.dt;
  settings.gravity = subject.mechanism.gravity;
  if (options.stepper == "impulse") settings.tolerance = options.tolerance;
  if (options.max_solves != 0) settings.max_solves = options.max_solves;
  settings.threads = options.threads;
  settings.integrator = integrator_of(options);
  if (options.method == "iterative") settings.method = Method::kIterative;
  if (options.method == "dense") settings.method = Method::kDense;
  if (options.method == "parts") settings.method = Method::kParts;
  settings.stabilization = stabilization_of(options);
  const std::string& solver = options.bounds.contact_solver;
  if (solver == "gauss_seidel") settings.contact_solver = RowSolver::kGaussSeidel;
  if (solver == "newton" || (solver.empty() && steps_freely(options, subject.mechanism))) {
    settings.contact_solver = RowSolver::kNewton;
  }
  return settings;
}

std::vector<RecordColumn> columns_of(const Subject& subject) {
  std::vector<RecordColumn> columns =
      subject.tree ? joint_columns(*subject.tree) : body_columns(subject.mechanism);
  for (const auto& more : {multiplier_columns(subject.mechanism),
                           contact_columns(subject.mechanism), balance_columns()}) {
    columns.insert(columns.end(), more.begin(), more.end());
  }
  return columns;
}

void append(std::vector<double>& row, const Eigen::VectorXd& values) {
  row.insert(row.end(), values.begin(), values.end());
}

std::vector<double> row_of(const JointMotors* drive, const MaximalMoment& now,
                           const Mechanics& mechanics) {
  std::vector<double> row;
  if (drive != nullptr) {
    for (const Eigen::VectorXd* part : {&drive->q, &drive->v, &drive->tau}) {
      append(row, *part);
    }
  } else {
    append(row, now.x);
    append(row, now.v);
  }
  append(row, now.lambda);
  append(row, now.touching);
  append(row, now.bounds);
  row.insert(row.end(),
             {mechanics.kinetic + mechanics.potential, now.errors.position, now.errors.velocity});
  return row;
}

bool conserves(const SimOptions& options, const Subject& subject) {
  const bool damped = subject.tree && std::ranges::any_of(subject.tree->bodies, [](const Body& b) {
                        return b.damping != 0;
                      });
  const bool brakes = std::ranges::any_of(subject.mechanism.constraints,
                                          [](const auto& row) { return row.damping != 0; });
  return options.hold.empty() && options.torques.empty() && !damped && !brakes &&
         !has_contacts(subject.mechanism) &&
         std::ranges::all_of(subject.mechanism.forces, [](double f) { return f == 0; }) &&
         (options.method != "parts" || subject.mechanism.colliders.empty()) &&
         std::ranges::none_of(subject.mechanism.constraints, is_driven);
}

std::string how_of(const SimOptions& options) {
  const std::string method = options.method == "linear" ? "" : ", " + options.method;
  if (options.stepper == "impulse") {
    return "impulses to " + write_number(options.tolerance) + method;
  }
  return options.integrator + ", " + stabilization_text(options) + method;
}

std::string parts_text(const MaximalOutcome& outcome) {
  const std::string split = std::to_string(outcome.counts.split) +
                            " steps were too long for the motion "
                            "and taken in parts";
  if (outcome.counts.too_long == 0) return split;
  return split + ", " + std::to_string(outcome.counts.too_long) +
         " of them not to the tolerance; give a smaller --dt";
}

std::string contacts_text(const MaximalOutcome& outcome, RowSolver solver) {
  const std::string by = solver == RowSolver::kNewton ? "by newton, " : "";
  if (outcome.dropped == 0 && outcome.counts.unsolved == 0) return by + "all solved";
  return by + std::to_string(outcome.counts.unsolved) + " solves stopped short, at most " +
         std::to_string(outcome.dropped) + " contacts at once without room";
}

bool is_free(const Mechanism& mechanism) {
  return !has_contacts(mechanism) &&
         std::ranges::none_of(mechanism.constraints, [](const maximal::ConstraintRecord& record) {
           return record.a == kWorld || record.b == kWorld;
         });
}

std::string words_of(const SimOptions& options) {
  return options.scalar + ", maximal coordinates, " + how_of(options);
}

void show_run(RunFacts facts, const SimOptions& options, const Subject& subject,
              const Record& record) {
  facts.options = option_lines(options, words_of(options), subject.mechanism.gravity);
  if (!subject.tree) return write_page(facts, options.load, subject.mechanism, record);
  write_page(facts, options.load, {*subject.tree, *subject.tree}, {}, record);
}

}  // namespace

void run_maximal(const SimOptions& options) {
  if ((options.method == "iterative" || options.method == "parts") &&
      options.stepper != "impulse") {
    throw Error("--method " + options.method + ": forces have to be exact; add --stepper impulse");
  }
  const std::string page = options.report.empty() ? "" : built_page();
  Subject subject = load_subject(options);
  const Mechanism& mechanism = subject.mechanism;
  const double dt = subject.state.dt;
  const Eigen::VectorXd& held = subject.state.held;
  if (!subject.tree && !(options.hold.empty() && options.torques.empty())) {
    throw Error(options.load.file +
                ": is a mechanism, which has no motors; leave out --hold and "
                "--torques, or give its bodies a <force>");
  }
  if (!options.bounds.contact_solver.empty() &&
      (!has_contacts(mechanism) || options.method != "linear")) {
    throw Error(options.load.file +
                (has_contacts(mechanism)
                     ? ": --method " + options.method + " solves contacts its own way"
                     : ": nothing touches or is limited in maximal coordinates") +
                "; leave out --contact-solver");
  }
  if (options.bounds.ground_stiffness) {
    throw Error(options.load.file +
                ": contacts do not yield in maximal coordinates; leave out --ground-stiffness, or "
                "--stepper");
  }
  if (options.bounds.contact_solver == "newton" && !steps_freely(options, mechanism)) {
    throw Error(
        options.load.file +
        ": --contact-solver newton is for joint coordinates, and by forces for rigid bodies "
        "that nothing ties together; leave it out, or --stepper");
  }
  if (options.bounds.contact_solver == "gauss_seidel" &&
      !(options.save.empty() && options.restore.empty())) {
    throw Error(options.load.file +
                ": a saved state of bodies does not keep the forces that --contact-solver "
                "gauss_seidel starts from; leave it out, or --save and --restore");
  }
  Record record(columns_of(subject));
  SimSettings joint_settings;
  std::unique_ptr<JointMotors> motors;
  if (subject.tree) {
    joint_settings = make_settings(options, record.columns(), dt);
    motors.reset(new JointMotors{*subject.tree,
                                 mechanism,
                                 passive_of(options),
                                 {*subject.tree, joint_settings, held},
                                 dt,
                                 held});
  }
  const std::vector<std::size_t> shown = shown_columns(options, record.columns());
  const std::uint64_t first = subject.state.step, steps = step_count(options, dt);
  const Eigen::Vector3d gravity(mechanism.gravity.data());

  const double off = error_of(options, steps);
  SimOptions chosen = options;
  if (chosen.stepper.empty()) chosen.stepper = "lagrange";  // that of a mechanism
  const auto cure = [&] {
    if (subject.tree) return remedy(chosen, &*subject.tree, held, dt);
    const auto stiff = stiff_row(mechanism, dt, chosen_manner(chosen));
    return stiff ? *stiff : remedy(chosen, nullptr, held, dt);
  };
  if (!options.load.quiet) {
    const Manner manner = chosen_manner(chosen);
    const auto warning = subject.tree ? stiff_joint(*subject.tree, held, dt, manner)
                                      : stiff_row(mechanism, dt, manner);
    if (warning) std::cerr << options.load.file << ": warning: " << *warning << '\n';
  }
  Balance balance;
  bool pushed = has_contacts(mechanism);  // back into the limits, from a start beyond them
  const auto where = [&] {
    return motors ? busiest_joint(*subject.tree, balance.q(), balance.v())
                  : busiest_body(mechanism, balance.q(), balance.v());
  };
  const MaximalSettings settings = make_maximal_settings(options, subject);
  MaximalOutcome outcome;
  {
    StatusLine status;
    Drive drive;
    if (motors) {
      drive = [&](std::uint64_t step, const Eigen::VectorXd& x, const Eigen::VectorXd& v,
                  Eigen::VectorXd& force,
                  Eigen::VectorXd& near) { motors->drive(step, x, v, force, near); };
    }
    const auto watch = [&](std::uint64_t step, const MaximalMoment& now) {
      Mechanics own = mechanics(mechanism, now.x, now.v, gravity);
      if (motors) {
        own.potential += spring_energy(subject.tree->bodies, motors->q);
        if (has_soft_rows(*subject.tree)) {
          own.potential += soft_row_energy(*subject.tree, motors->q);
        }
        own.kinetic += armature_energy(subject.tree->bodies, motors->v);
        pushed = pushed && is_outside(*subject.tree, motors->q);
        if (pushed) balance.forgive();
        balance.add(own, now.work + motors->work, motors->q, motors->v, motors->damped);
      } else {
        own.potential += now.stored;
        own.kinetic += now.turning;
        balance.add(own, now.work, now.x, now.v);
      }
      if (options.recorded()) {
        record.add(time_of(step, dt), row_of(motors.get(), now, own));
      }
      if (options.load.quiet) return;
      status.show([&] {
        return "sim: step " + std::to_string(step - first) + " of " + std::to_string(steps);
      });
    };
    const auto run = options.scalar == "float" ? simulate_maximal<float> : simulate_maximal<double>;
    try {
      outcome = run(mechanism, settings, steps, options.every, subject.state, drive, watch);
    } catch (const BrokeOff& error) {
      const std::string told = error.what();
      const Error why = with_gain(BrokeOff(told + ": most moves " + where()), balance, off, cure);
      if (!page.empty()) {
        show_run(broken_facts(options.report, page, record, why.what()), options, subject, record);
      }
      throw why;
    }
  }
  write_record(options, record, mechanism.name, shown);
  if (!options.picture.empty()) {
    write_file(options.picture, to_svg(picture_of(mechanism, subject.state.x)));
  }
  if (!options.save.empty()) {
    write_file(options.save, saved_text(subject.state, mechanism, subject.owner));
  }
  SimReport report = {.kind = subject.owner.owner,
                      .name = mechanism.name,
                      .how = words_of(options),
                      .dt = dt,
                      .first = first,
                      .last = subject.state.step,
                      .balance = balance,
                      .verdict = balance_line(balance, off, where, cure),
                      .conserved = conserves(options, subject),
                      .free = is_free(mechanism),
                      .more = {{"constraints", error_text(outcome.errors)}},
                      .seconds = outcome.seconds,
                      .hash = subject.state.hash};
  if (outcome.counts.reordered != 0) {
    report.more.push_back({"order", std::to_string(outcome.counts.reordered) +
                                        " steps in another order of elimination, where a body "
                                        "could not follow its constraint alone"});
  }
  if (outcome.counts.split != 0) report.more.push_back({"parts", parts_text(outcome)});
  if (has_contacts(mechanism)) {
    report.more.push_back({"contacts", contacts_text(outcome, settings.contact_solver)});
  }
  if (motors && motors->limited != 0) {
    report.more.push_back({"limits", limits_text(motors->limited)});
  }
  if (!page.empty()) {
    show_run(facts_of(options.report, page, report), options, subject, record);
  }
  write_file("-", lines_of(report).text());
  if (balance.is_broken(off)) fail();
}

}  // namespace lockstep::host::sim
