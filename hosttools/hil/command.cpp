#include <filesystem>
#include <iostream>
#include <memory>

#include "chip/chips.hpp"
#include "commands.hpp"
#include "hil/bounds.hpp"
#include "hil/devices_header.hpp"
#include "hil/fault_text.hpp"
#include "hil/faulty.hpp"
#include "hil/image.hpp"
#include "hil/rehearsal.hpp"
#include "hil/remote.hpp"
#include "hil/report.hpp"
#include "hil/run.hpp"
#include "hil/servo_pair.hpp"
#include "hil/start.hpp"
#include "hil/target.hpp"
#include "lockstep_build_id.hpp"
#include "options/shared.hpp"
#include "page/card.hpp"
#include "record/plots.hpp"
#include "robot/devices.hpp"
#include "robot/hold_limit.hpp"
#include "robot/placement.hpp"
#include "system/programs.hpp"
#include "system/status_line.hpp"
#include "system/write_file.hpp"

namespace lockstep::host {

namespace {

using namespace hil;

constexpr std::chrono::milliseconds kNoWait{0};
constexpr std::chrono::milliseconds kEmulatorStart{10000};  // on a machine that may be busy

struct HilOptions {
  LoadOptions load;
  std::string target;
  std::string scenario;
  std::string application, mode;  // override the scenario's
  std::string start;              // a pose
  std::uint64_t steps = 0;
  std::string rate;          // of the plant, with its unit
  std::optional<double> dt;  // s; its period instead
  BoundWords bounds = usual_words();
  std::optional<double> drop;  // m, above the ground
  std::vector<double> hold;    // kp, kd
  ControllerWords controller;
  std::string scalar = "float";
  bool is_static = false;
  unsigned baud = 115200;
  double patience = 2;  // s
  std::string folder;   // of the firmware
  std::string image;    // instead of one that is built
  std::string law;      // folder of a servo's, the user's own
  std::string csv, plot, page;
  std::uint64_t every = 1;
  TimingOptions timing;
};

// A servo by its own clock has its robot beside it, where the host does not see its steps.
void require_clocked(const HilOptions& options, const Scenario& scenario) {
  if (parse_target(options.target).kind == Target::Kind::kEmulator) {
    throw Error(
        "a servo in mode 'free' has a robot at its port, and an emulated board has none; give "
        "--target host, whose robot is simulated, or a serial port");
  }
  if (!options.csv.empty() || !options.plot.empty() || !options.page.empty()) {
    throw Error("a servo in mode 'free' has no record; leave out --csv, --plot and --report");
  }
  const auto& failure = scenario.servo.failure;
  if (failure && failure->kind != Failure::Kind::kSilence) {
    throw Error(scenario.path +
                ": 'failure': in mode 'free' only the host can fail; give silence, or mode 'step'");
  }
}

Scenario make_scenario(const HilOptions& options) {
  std::optional<double> rate;
  if (!options.rate.empty()) rate = parse_frequency("--rate", options.rate);
  if (options.dt) rate = 1 / *options.dt;
  Scenario scenario;
  if (!options.scenario.empty()) {
    scenario = read_scenario(options.scenario, rate);
  } else if (rate) {
    scenario.rate = *rate;
    scenario.control_rate = *rate / 4;
  }
  scenario.exact_dt = options.dt;
  if (options.steps != 0) scenario.steps = options.steps;
  for (const Application application : {Application::kPlant, Application::kDynamics,
                                        Application::kController, Application::kServo}) {
    if (options.application == name_of(application)) scenario.application = application;
  }
  if (scenario.application == Application::kServo && !scenario.has_control_rate) {
    scenario.control_rate = scenario.rate;
  }
  if (options.mode == "step") scenario.mode = Mode::kStep;
  if (options.mode == "checkpoint") scenario.mode = Mode::kCheckpoint;
  if (options.mode == "free") scenario.mode = Mode::kFree;
  const bool is_clocked_servo =
      scenario.application == Application::kServo && scenario.mode == Mode::kFree;
  if (scenario.mode != Mode::kStep && scenario.application != Application::kPlant &&
      !is_clocked_servo) {
    throw Error(
        "modes 'checkpoint' and 'free' are for the application 'plant': only a plant runs "
        "by itself; a servo does in mode 'free'");
  }
  if (is_clocked_servo) require_clocked(options, scenario);
  if (!options.law.empty()) {
    if (scenario.application != Application::kServo) {
      throw Error("--law: a law is a servo's; give --application servo too");
    }
    if (!std::filesystem::exists(std::filesystem::path(options.law) / "law.hpp")) {
      throw Error(options.law + ": has no law.hpp; docs/servo.md shows one");
    }
    scenario.servo.has_own_law = true;
  }
  return scenario;
}

// How a robot gets onto a board that holds none.
std::string flashing(const firmware::Bounds& bounds) {
  const std::string text = to_cpp(bounds);
  return "; flash a firmware that has this robot compiled in (docs/firmware.md)" +
         (text.empty() ? "" : " with -DLOCKSTEP_BOUNDS='" + text + "'");
}

// What the options say of the motion, and what is usual for such a robot: as in `lockstep sim`,
// nothing drives one that has loops or stands on the ground unless the user says how.
void set_motion(const HilOptions& options, const Tree& tree, const Bounds& bounds,
                Scenario& scenario) {
  if (!options.bounds.limits.empty()) {
    scenario.limits = wants_limit(options.bounds, "effort") ? Limits::kUrdf : Limits::kNone;
  }
  if (!options.controller.command.empty()) {
    if (scenario.is_driven || scenario.mode != Mode::kStep ||
        scenario.application == Application::kController) {
      throw Error(
          "--controller: gives the torques of a robot on the target, a frame a tick; leave out "
          "the scenario's 'drive' and waves, --mode and --application controller");
    }
    scenario.drive = Drive::kTorque;
    scenario.rest();
  } else if (!options.hold.empty()) {
    scenario.drive = Drive::kHold;
    scenario.kp = options.hold[0], scenario.kd = options.hold[1];
    if (!scenario.is_driven) scenario.rest();
  } else if (!scenario.is_driven && scenario.application != Application::kController &&
             scenario.application != Application::kServo &&
             (is_closed(tree) || bounds.has_ground())) {
    scenario.drive = Drive::kTorque;
    scenario.rest();
  }
  if (scenario.application == Application::kServo) {
    require_motors(options.load.file, tree, scenario);
  }
  const bool bounded = Bounded(tree, bounds).any();
  if (scenario.application == Application::kController && scenario.drive != Drive::kTrack) {
    throw Error("the application is the controller, which tracks; leave out --hold and 'drive'");
  }
  if (scenario.drive == Drive::kHold && scenario.mode != Mode::kStep && !bounded &&
      !is_closed(tree)) {
    throw Error(
        "drive 'hold' in mode 'checkpoint' or 'free': a tree on the target has no springs; give "
        "mode 'step', or --limits position");
  }
  if (scenario.integrator != Integrator::kSemiImplicitEuler && bounded) {
    throw Error(
        scenario.path +
        ": 'integrator' is not euler, and velocities jump where joints end, rub or touch; give "
        "euler, or --limits none --friction none --ground none");
  }
}

// What the target knows of before this run: other sources, a reset, a host that went away, a fault,
// which it then forgets.
void tell_of_the_past(Client& client, const link::HelloReply& hello) {
  if (hello.build != LOCKSTEP_BUILD_ID) {
    std::cerr << client.target() << ": note: its firmware was built from other sources ("
              << format("%08x", hello.build) << ", these are " << format("%08x", LOCKSTEP_BUILD_ID)
              << "); build and flash it again\n";
  }
  if (const std::string text = reset_text(hello.reset); !text.empty()) {
    std::cerr << client.target() << ": note: " << text << "\n";
  }
  if (hello.state == link::LoopState::kSafe) {
    link::ReportReply report;
    client.ask(link::Report(), report);
    std::cerr << client.target() << ": note: it was safe: " << to_string(report.safe_reason)
              << "\n";
  } else if (hello.state == link::LoopState::kRunning) {
    std::cerr << client.target() << ": note: it was running; now it is stopped\n";
  }
  if (!hello.has_fault) return;
  link::FaultReply fault;
  client.ask(link::Fault{.forget = true}, fault);
  std::cerr << client.target() << ": note: it had a fault: " << fault_text(fault) << "\n";
}

// For a record, where they are told; a firmware may not know the question.
std::optional<TickCosts> find_costs(Client& client, const RunReport& report, std::uint64_t every) {
  if (!TickCosts::are_told(report.scenario)) return std::nullopt;
  if (TickCosts::are_known_to(client)) {
    return TickCosts(client, report.tick_unit(), report.scenario, every);
  }
  std::cerr << client.target()
            << ": note: its firmware does not tell what single ticks cost, so the record has no "
               "column of them; build and flash it again\n";
  return std::nullopt;
}

// `stopped`: at its joints' limits, which its motors alone did not keep.
template <class T>
bool hil_in(const HilOptions& options, const RobotTrees& robot, const Scenario& asked,
            bool stopped = false) {
  const std::string page = options.page.empty() ? "" : built_page();
  Scenario scenario = asked;
  const Tree& tree = robot.computed;
  const Devices devices = load_devices(options.load, tree, asked.dt());
  const Bounds bounds = plant_bounds(options.bounds, options.load.file, tree, devices.any());
  const firmware::Bounds on_chip =
      scenario.application == Application::kPlant ? chip_bounds(bounds, tree) : firmware::Bounds();
  set_motion(options, tree, bounds, scenario);
  if (devices.any() && scenario.drive == Drive::kHold && scenario.mode != Mode::kStep) {
    throw Error(
        "drive 'hold' in mode 'checkpoint' or 'free': springs on the target know the joints, not "
        "what their sensors tell; give mode 'step'");
  }
  const Start start =
      find_start(robot, options.load.file, bounds, options.drop, scenario, options.start);
  if (const auto period = scenario.hold_period(); period && !options.load.quiet) {
    const auto warning = shaking({tree, tree}, start.q, {scenario.kp, scenario.kd}, *period);
    if (warning) std::cerr << options.load.file << ": warning: " << *warning << '\n';
  }
  Target target = parse_target(options.target);
  std::string note;
  const bool is_built = options.image.empty() && target.kind != Target::Kind::kSerial;
  const auto plan = options.bounds.limits.empty() && is_built
                        ? make_fitting_plan<T>(robot, start, bounds, scenario, note)
                        : make_plan<T>(robot, start, bounds, scenario);
  if (!note.empty() && !options.load.quiet) std::cerr << options.load.file << ": " << note << '\n';
  if (!plan) {
    HilOptions with_stops = options;
    with_stops.bounds.limits = {"position", "effort"};
    return hil_in<T>(with_stops, robot, asked, true);
  }
  if (stopped) require_end(robot, scenario, *plan);
  if (!start.note.empty() && !options.load.quiet) std::cerr << start.note << '\n';
  if (!options.controller.command.empty()) {
    plan->controller =
        start_controller(options.controller, robot.whole, static_cast<double>(plan->control.dt));
  }
  plan->devices = devices;
  const Devices on_target = scenario.application == Application::kPlant ? devices : Devices();
  plan->robot->set_hash(firmware::hash_with_devices(
      firmware::hash_with(plan->robot->hash(), on_chip), devices_hash(on_target, tree)));
  std::string not_sent = untold(tree, on_chip, scenario.application);
  if (on_target.any())
    not_sent += (not_sent.empty() ? "" : ", ") + std::string("drivetrains, sensors");
  if (scenario.mode == Mode::kFree) {  // of the emulator
    target.real_time = true;
    target.shift = 5;  // 31 instructions a microsecond, as a chip of the emulated boards' clock
  }
  RunReport report = {.robot = tree.name,
                      .target = options.target,
                      .scalar = options.scalar,
                      .model = "",
                      .scenario = scenario};
  if (!options.image.empty()) {
    report.image = Image{.path = options.image};
  } else if (target.kind != Target::Kind::kSerial) {
    if (!options.is_static && !not_sent.empty() && !options.load.quiet) {
      std::cerr << options.load.file << ": compiled into the firmware: the link carries no "
                << not_sent << "\n";
    }
    const bool is_clocked =
        scenario.application == Application::kServo && scenario.mode == Mode::kFree;
    const bool is_static = options.is_static || !not_sent.empty() || is_clocked;
    const std::string port = is_clocked ? shared_file("firmware/ports/simulated.cpp") : "";
    report.image = build_image(tree, {.target = target,
                                      .application = scenario.application,
                                      .scalar = options.scalar,
                                      .is_static = is_static,
                                      .port = port,
                                      .law = options.law,
                                      .bounds = on_chip,
                                      .devices = on_target,
                                      .folder = options.folder,
                                      .quiet = options.load.quiet});
  }
  if (target.kind == Target::Kind::kEmulator) {
    TimingOptions timing = options.timing;
    timing.rate = std::to_string(scenario.tick_rate());
    report.timing = make_timing(timing, target.detail, options.scalar);
    report.shift = target.shift;
  }
  std::unique_ptr<Transport> transport =
      open_transport(target, report.image ? report.image->path : "", options.baud);
  if (scenario.link_faults.any()) {
    transport = std::make_unique<FaultyTransport>(std::move(transport), scenario.link_faults,
                                                  scenario.seed);
  }
  const auto client = std::make_unique<Client>(
      *transport, options.target,
      std::chrono::milliseconds(static_cast<std::int64_t>(1000 * options.patience)));
  const link::HelloReply hello =
      introduce(*client, scenario.application, *plan->robot,
                target.kind == Target::Kind::kEmulator ? kEmulatorStart : kNoWait,
                not_sent.empty() ? "" : not_sent + flashing(on_chip));
  tell_of_the_past(*client, hello);
  report.clock_hz = hello.clock_hz;
  report.model = hello.is_table ? "sent over the link" : "compiled in";

  const bool records = !options.csv.empty() || !options.plot.empty() || !options.page.empty();
  std::optional<TickCosts> costs =
      records ? find_costs(*client, report, options.every) : std::nullopt;
  std::unique_ptr<Recorder<T>> recorder;
  if (records) {
    recorder = std::make_unique<Recorder<T>>(robot, scenario, *plan, options.every,
                                             !options.page.empty(), costs ? &*costs : nullptr);
  }
  {
    StatusLine status;
    report.outcome = run(*client, tree, scenario, *plan, recorder.get(), [&](std::uint64_t steps) {
      if (options.load.quiet) return;
      status.show([&] {
        return options.target + ": step " + std::to_string(steps) + " of " +
               std::to_string(scenario.steps) +
               (scenario.servo.has_own_law ? ", " : ", same bits, ") +
               std::to_string(client->resent()) + " sent again";
      });
    });
  }
  report.more = bounded_lines(report.outcome.bounded, Bounded(tree, bounds), bounds);
  report.resent = client->resent();
  report.damaged = client->damaged();
  if (!options.csv.empty()) write_file(options.csv, recorder->record().csv());
  if (!options.plot.empty()) write_plots(recorder->record(), tree.name, options.plot);
  if (!options.page.empty()) {
    RunFacts facts = facts_of(options.page, page, report);
    facts.options = bound_lines(robot.computed, bounds);
    write_page(facts, options.load, robot, bounds, recorder->record());
  }
  write_file("-", to_text(report));
  return !report.outcome.difference && report.outcome.verdict.name != kUnstable;
}

void hil_command(const HilOptions& options) {
  const RobotTrees robot = load_robot(options.load);
  require_motion(options.load.file, robot.whole);
  const Scenario scenario = make_scenario(options);
  if (scenario.application == Application::kDynamics) {
    refuse_devices(options.load, "the application dynamics");
  }
  if (scenario.application == Application::kServo && scenario.mode == Mode::kFree) {
    refuse_devices(options.load, "a servo in mode 'free'");
  }
  if (scenario.integrator != Integrator::kSemiImplicitEuler) {
    refuse_devices(options.load, "'integrator'");
  }
  const bool good = options.scalar == "double" ? hil_in<double>(options, robot, scenario)
                                               : hil_in<float>(options, robot, scenario);
  if (!good) fail();
}

}  // namespace

void add_hil_command(CLI::App& app) {
  const auto options = std::make_shared<HilOptions>();
  Command command(app, "hil",
                  "Run a robot on a chip in lockstep with its host twin, and compare every bit");
  add_load_options(command, options->load);
  command
      .add("--target", options->target,
           "qemu:" + listed(chip_names(), ", qemu:") +
               " (built, started and stopped here), "
               "host (the same firmware as a process), or a serial port")
      .required();
  command.add("--scenario", options->scenario,
              "JSON file: motion, duration, gains, faults (docs/scenarios.md)");
  command.add("--application", options->application, "What runs on the target")
      .one_of({"plant", "controller", "dynamics", "servo"});
  command.add("--steps", options->steps, "Steps of the plant").within(1, 1'000'000'000);
  command
      .add("--rate", options->rate,
           "Of the plant, in Hz or kHz; a controller has a quarter of it, a servo all, unless the "
           "scenario says (default: the scenario's, or 1kHz)")
      .shown_as("1kHz");
  command.add("--dt", options->dt, "A step of the plant in seconds, instead of --rate")
      .positive()
      .excludes("--rate");
  command
      .add("--mode", options->mode,
           "step: a frame for every tick of the controller. checkpoint: both sides run by "
           "themselves and compare hashes now and then. free: the target runs by its own clock")
      .one_of({"step", "checkpoint", "free"});
  command.add("--start", options->start,
              "JSON file with q and v by joint, or zero; default: as the scenario says, or at rest "
              "in the pose nearest to zero within the limits");
  add_scalar_option(command, options->scalar);
  add_bound_options(command, options->bounds);
  add_drop_option(command, options->drop, "0");
  add_hold_option(command, options->hold);
  add_controller_options(command, options->controller).excludes("--hold");
  command.add("--static", options->is_static,
              "Compile this robot into the firmware instead of sending it over the link");
  command.add("--baud", options->baud, "Of a serial port").shows_default();
  command
      .add("--patience", options->patience,
           "Seconds that a target may be silent before that is an error")
      .within(0.1, 600.0)
      .shows_default();
  command.add("--firmware", options->folder,
              "Folder to build the firmware in; default: the user's cache");
  command.add(
      "--law", options->law,
      "Folder of a law.hpp, a servo's law of your own, which has no twin here to be compared "
      "with (docs/servo.md)");
  command
      .add("--image", options->image,
           "Run this image instead of building one (a board runs what it was flashed with)")
      .existing_file();
  add_record_options(command, options->csv, options->plot, options->every);
  add_report_option(command, options->page);
  add_clock_options(command, options->timing);
  command.footer(
      "Exit code 1 at the first bit that differs, which is named with its step, and for a run "
      "that\n"
      "gains energy.\n"
      "--limits, --friction and --ground act on robots with loops or couplings and on those that\n"
      "float and have shapes, as in `lockstep sim`; on other robots if they are given.\n"
      "Examples:\n"
      "  lockstep hil arm.urdf --target qemu:cortex-m7 --steps 1000\n"
      "  lockstep hil arm.urdf --target qemu:cortex-m4f --application controller --static\n"
      "  lockstep hil arm.urdf --target qemu:cortex-m4f --application servo\n"
      "  lockstep hil arm.urdf --target qemu:cortex-m7 --mode checkpoint --steps 1000000\n"
      "  lockstep hil quadruped.urdf --base floating --target qemu:cortex-m7 --drop 0.1 --hold "
      "60,0.2 --mode checkpoint\n"
      "  lockstep hil arm.urdf --target /dev/ttyACM0 --baud 921600 --scenario wave.json");
  command.runs([options] { hil_command(*options); });
}

}  // namespace lockstep::host
