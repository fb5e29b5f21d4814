#include <algorithm>
#include <optional>

#include "mechanism/content_hash.hpp"
#include "mechanism/coupling.hpp"
#include "mechanism/energy.hpp"
#include "mechanism/from_tree.hpp"
#include "mechanism/joint_space.hpp"
#include "mechanism/load.hpp"
#include "mechanism/state.hpp"
#include "model/content_hash.hpp"
#include "plot/picture.hpp"
#include "record/joint_columns.hpp"
#include "robot/maximal_state_file.hpp"
#include "robot/placement.hpp"
#include "robot/state_file.hpp"
#include "sim/maximal.hpp"
#include "sim/maximal_columns.hpp"
#include "sim/motors.hpp"
#include "sim/options.hpp"
#include "sim/report.hpp"
#include "system/status_line.hpp"
#include "system/write_file.hpp"
#include "text/error.hpp"
#include "text/number.hpp"
#include "urdf/placement.hpp"

namespace lockstep::host::sim {

namespace {

// A robot's motors where its bodies move in maximal coordinates: their torques, less what damping
// takes, as forces on the bodies. In double, whatever the bodies are computed in.
struct JointDrive {
  const Tree& tree;
  Motors<double> motors;
  Eigen::VectorXd q, v = {}, tau = {};  // of the last call
  std::uint64_t limited = 0;            // torques cut so far

  // Adds the forces that act from a state on.
  void drive(std::uint64_t step, const Eigen::VectorXd& x, const Eigen::VectorXd& body_v,
             Eigen::VectorXd& force) {
    const JointMotion motion = joint_motion(tree, x, body_v, q);
    q = motion.q;
    v = motion.v;
    const Status status = motors.drive(step, q, v);
    if (status != Status::kOk) throw Error(std::string("--hold: ") + to_string(status));
    tau = motors.tau();
    limited += motors.cut();
    force += body_forces(tree, x, tau - damping_torque(tree, v));
  }
};

// What moves, and from where.
struct Subject {
  std::optional<Tree> tree;  // of a robot
  Mechanism mechanism;
  MaximalState state;
  Eigen::VectorXd held;  // joint coordinates at step 0
  SavedHead owner;       // what a saved state belongs to
  double dt = SimSettings().dt;
};

Subject load_subject(const SimOptions& options) {
  Subject subject;
  subject.dt = options.dt.value_or(subject.dt);
  if (is_mechanism(options.load)) {
    subject.mechanism = load_mechanism(options.load);
    subject.owner = {"mechanism", content_hash(subject.mechanism), options.scalar};
    subject.state = options.start.empty() ? initial_state(subject.mechanism)
                                          : read_start(options.start, subject.mechanism);
  } else {
    LoadOptions load = options.load;
    load.keep_rotors = true;  // every link is a body
    subject.tree = load_tree(load);
    const SimState start = options.start.empty() ? rest_state(*subject.tree)
                                                 : read_start(options.start, *subject.tree);
    subject.mechanism = from_tree(*subject.tree, start.q, start.v, options.load.file);
    if (options.restore.empty()) {
      require_closed(options.load.file, options.start, *subject.tree, start.q);
    }
    subject.owner = {"robot", content_hash(*subject.tree), options.scalar};
    subject.state = initial_state(subject.mechanism);
    subject.held = start.q;
  }
  if (!options.gravity.empty())
    std::ranges::copy(options.gravity, subject.mechanism.gravity.begin());
  if (options.restore.empty()) return subject;
  const SavedMaximal saved = read_saved(options.restore, subject.mechanism, subject.owner);
  if (saved.held.size() != static_cast<std::size_t>(subject.held.size())) {
    throw Error(options.restore + ": 'held' has " + std::to_string(saved.held.size()) +
                " numbers; give a file that --save wrote");
  }
  subject.dt = restored_dt(options, saved.dt);
  subject.state = saved.state;
  std::ranges::copy(saved.held, subject.held.begin());
  return subject;
}

MaximalSettings make_maximal_settings(const SimOptions& options, const Subject& subject) {
  MaximalSettings settings;
  settings.dt = subject.dt;
  settings.gravity = subject.mechanism.gravity;
  if (options.stepper == "impulse") settings.tolerance = options.tolerance;
  settings.threads = options.threads;
  if (options.integrator == "rk4") settings.integrator = Integrator::kRungeKutta4;
  if (options.method == "iterative") settings.method = Method::kIterative;
  if (options.method == "dense") settings.method = Method::kDense;
  if (options.method == "parts") settings.method = Method::kParts;
  settings.stabilization = stabilization_of(options);
  if (options.bounds.contact_solver == "gauss_seidel") {
    settings.contact_solver = RowSolver::kGaussSeidel;
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

std::vector<double> row_of(const JointDrive* drive, const MaximalMoment& now,
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
  for (const double value :
       {mechanics.kinetic + mechanics.potential, now.drift.position, now.drift.velocity}) {
    row.push_back(value);
  }
  return row;
}

// Constraints that move by themselves do work.
bool is_driven(const maximal::ConstraintRecord& record) {
  using Type = maximal::ConstraintType;
  const auto type = static_cast<Type>(record.type);
  if (type == Type::kGear) return true;  // with a rate, or measured against a world that turns
  return type == Type::kDrivenRevolute || type == Type::kDrivenPrismatic ||
         type == Type::kDrivenPin || type == Type::kDrivenDistance || type == Type::kDrivenAngle;
}

bool conserves(const SimOptions& options, const Subject& subject) {
  const bool damped = subject.tree && std::ranges::any_of(subject.tree->bodies, [](const Body& b) {
                        return b.damping != 0;
                      });
  return options.hold.empty() && options.torques.empty() && !damped &&
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

std::string contacts_text(const MaximalOutcome& outcome) {
  if (outcome.dropped == 0 && outcome.unsolved == 0) return "all solved";
  return std::to_string(outcome.unsolved) + " solves stopped short, at most " +
         std::to_string(outcome.dropped) + " contacts at once without room";
}

bool is_free(const Mechanism& mechanism) {
  return !has_contacts(mechanism) &&
         std::ranges::none_of(mechanism.constraints, [](const maximal::ConstraintRecord& record) {
           return record.a == kWorld || record.b == kWorld;
         });
}

// The constraints of a state as lines, from where each takes hold of one body to where it takes
// hold of the other, by way of the bodies' centres; colliders of what is no particle as balls.
Picture picture_of(const Mechanism& mechanism, const Eigen::VectorXd& x) {
  Mechanism moved = mechanism;
  moved.x0.assign(x.begin(), x.end());
  const Offsets offsets(moved);
  const auto place = [&](int body, const Placement<double>& X) {
    return to_eigen(hold(moved, offsets, body, X).frame.p);
  };
  Picture picture = {.title = mechanism.name, .lines = {}, .balls = {}};
  const auto line = [&](const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
    if (from != to) picture.lines.push_back({from, to});
  };
  for (const maximal::ConstraintRecord& record : moved.constraints) {
    if (is_coupling(record)) continue;
    const constraint::AnyConstraint<double> own(record);
    const Eigen::Vector3d a = place(record.a, own.X_A), b = place(record.b, own.X_B);
    if (record.a != kWorld) line(place(record.a, kOrigin), a);
    line(a, b);
    if (record.b != kWorld) line(b, place(record.b, kOrigin));
  }
  for (const contact::ColliderRecord& collider : moved.colliders) {
    const maximal::BodyRecord& body = moved.bodies[at(collider.body)];
    if (body.type == static_cast<int>(maximal::BodyType::kParticle)) continue;
    picture.balls.push_back(
        {place(collider.body, contact::to_collider<double>(collider, {}).X_BS), collider.radius});
  }
  return picture;
}

}  // namespace

void run_maximal(const SimOptions& options) {
  if ((options.method == "iterative" || options.method == "parts") &&
      options.stepper != "impulse") {
    throw Error("--method " + options.method + ": forces have to be exact; add --stepper impulse");
  }
  Subject subject = load_subject(options);
  const Mechanism& mechanism = subject.mechanism;
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
  if (options.bounds.contact_solver == "gauss_seidel" &&
      !(options.save.empty() && options.restore.empty())) {
    throw Error(options.load.file +
                ": a saved state of bodies does not keep the forces that --contact-solver "
                "gauss_seidel starts from; leave it out, or --save and --restore");
  }
  if (has_contacts(mechanism) && options.stepper != "impulse" && options.integrator == "rk4") {
    throw Error(options.load.file +
                ": has collisions or limits, where velocities jump; leave out --integrator rk4");
  }
  Record record(columns_of(subject));
  SimSettings joint_settings;
  std::unique_ptr<JointDrive> motors;
  if (subject.tree) {
    joint_settings = make_settings(options, record.columns(), subject.dt);
    motors.reset(
        new JointDrive{*subject.tree, {*subject.tree, joint_settings, subject.held}, subject.held});
  }
  const std::vector<std::size_t> shown = shown_columns(options, record.columns());
  const std::uint64_t first = subject.state.step, steps = step_count(options, subject.dt);
  const Eigen::Vector3d gravity(mechanism.gravity.data());

  Balance balance;
  MaximalOutcome outcome;
  {
    StatusLine status;
    Drive drive;
    if (motors) {
      drive = [&](std::uint64_t step, const Eigen::VectorXd& x, const Eigen::VectorXd& v,
                  Eigen::VectorXd& force) { motors->drive(step, x, v, force); };
    }
    const auto watch = [&](std::uint64_t step, const MaximalMoment& now) {
      const Mechanics own = mechanics(mechanism, now.x, now.v, gravity);
      balance.add(own);
      if (options.recorded()) {
        record.add(time_of(step, subject.dt), row_of(motors.get(), now, own));
      }
      if (options.load.quiet) return;
      status.show([&] {
        return "sim: step " + std::to_string(step - first) + " of " + std::to_string(steps);
      });
    };
    const auto run = options.scalar == "float" ? simulate_maximal<float> : simulate_maximal<double>;
    outcome = run(mechanism, make_maximal_settings(options, subject), steps, options.every,
                  subject.state, drive, watch);
  }
  write_record(options, record, mechanism.name, shown);
  if (!options.picture.empty()) {
    write_file(options.picture, to_svg(picture_of(mechanism, subject.state.x)));
  }
  if (!options.save.empty()) {
    write_file(options.save, saved_text({.state = subject.state,
                                         .dt = subject.dt,
                                         .held = {subject.held.begin(), subject.held.end()}},
                                        mechanism, subject.owner));
  }
  SimReport report = {.kind = subject.owner.owner,
                      .name = mechanism.name,
                      .how = options.scalar + ", maximal coordinates, " + how_of(options),
                      .dt = subject.dt,
                      .first = first,
                      .last = subject.state.step,
                      .balance = balance,
                      .conserved = conserves(options, subject),
                      .free = is_free(mechanism),
                      .more = {{"drift", drift_text(outcome.drift)}},
                      .seconds = outcome.seconds,
                      .hash = subject.state.hash};
  if (has_contacts(mechanism)) {
    report.more.push_back({"contacts", contacts_text(outcome)});
  }
  if (motors && motors->limited != 0) {
    report.more.push_back({"limits", limits_text(motors->limited)});
  }
  write_file("-", to_text(report));
}

}  // namespace lockstep::host::sim
