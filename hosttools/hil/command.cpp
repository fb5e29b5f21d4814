#include "hil/command.hpp"

#include <iostream>
#include <memory>

#include "hil/faulty.hpp"
#include "hil/image.hpp"
#include "hil/remote.hpp"
#include "hil/report.hpp"
#include "hil/run.hpp"
#include "hil/target.hpp"
#include "model/load.hpp"
#include "record/joint_columns.hpp"
#include "record/plots.hpp"
#include "status_line.hpp"
#include "write_file.hpp"

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
  std::uint64_t steps = 0;
  std::string scalar = "float";
  bool is_static = false;
  unsigned baud = 115200;
  double patience = 2;  // s
  std::string folder;   // of the firmware
  std::string image;    // instead of one that is built
  std::string csv, plot;
  TimingOptions timing;
};

Scenario make_scenario(const HilOptions& options) {
  Scenario scenario;
  if (!options.scenario.empty()) scenario = read_scenario(options.scenario);
  if (options.steps != 0) scenario.steps = options.steps;
  for (const Application application :
       {Application::kPlant, Application::kDynamics, Application::kController}) {
    if (options.application == name_of(application)) scenario.application = application;
  }
  if (options.mode == "step") scenario.mode = Mode::kStep;
  if (options.mode == "checkpoint") scenario.mode = Mode::kCheckpoint;
  if (options.mode == "free") scenario.mode = Mode::kFree;
  if (scenario.mode != Mode::kStep && scenario.application != Application::kPlant) {
    throw Error(
        "modes 'checkpoint' and 'free' are for the application 'plant': only a plant runs "
        "by itself");
  }
  return scenario;
}

template <class T>
bool hil_in(const HilOptions& options, const Tree& tree, const Scenario& scenario) {
  const auto plan = make_plan<T>(tree, scenario);
  Target target = parse_target(options.target);
  if (scenario.mode == Mode::kFree) {
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
    report.image = build_image(tree, {.target = target,
                                      .application = scenario.application,
                                      .scalar = options.scalar,
                                      .is_static = options.is_static,
                                      .folder = options.folder,
                                      .quiet = options.load.quiet});
  }
  if (target.kind == Target::Kind::kEmulator) {
    TimingOptions timing = options.timing;
    timing.rate = std::to_string(
        scenario.application == Application::kController ? scenario.control_rate : scenario.rate);
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
                target.kind == Target::Kind::kEmulator ? kEmulatorStart : kNoWait);
  report.clock_hz = hello.clock_hz;
  report.model = hello.is_table ? "sent over the link" : "compiled in";

  Record record(joint_columns(tree));
  {
    StatusLine status;
    report.outcome = run(*client, tree, scenario, *plan, record, [&](std::uint64_t steps) {
      if (options.load.quiet) return;
      status.show([&] {
        return options.target + ": step " + std::to_string(steps) + " of " +
               std::to_string(scenario.steps) + ", same bits, " + std::to_string(client->resent()) +
               " sent again";
      });
    });
  }
  report.resent = client->resent();
  report.damaged = client->damaged();
  if (!options.csv.empty()) write_file(options.csv, record.csv());
  if (!options.plot.empty()) write_plots(record, tree.name, options.plot);
  write_file("-", to_text(report));
  return !report.outcome.difference;
}

void hil_command(const HilOptions& options) {
  const Tree tree = load_tree(options.load);
  const Scenario scenario = make_scenario(options);
  const bool same = options.scalar == "double" ? hil_in<double>(options, tree, scenario)
                                               : hil_in<float>(options, tree, scenario);
  if (!same) throw CLI::RuntimeError(1);
}

}  // namespace

void add_hil_command(CLI::App& app) {
  const auto options = std::make_shared<HilOptions>();
  CLI::App* command = app.add_subcommand(
      "hil", "Run a robot on a chip in lockstep with its host twin, and compare every bit");
  add_load_options(*command, options->load);
  command
      ->add_option("--target", options->target,
                   "qemu:cortex-m4f, qemu:cortex-m7, qemu:cortex-m55 (built, started and stopped "
                   "here), host (the same firmware as a process), or a serial port")
      ->required();
  command->add_option("--scenario", options->scenario,
                      "JSON file: motion, duration, gains, faults (docs/scenarios.md)");
  command->add_option("--application", options->application, "What runs on the target")
      ->check(CLI::IsMember({"plant", "controller", "dynamics"}));
  command->add_option("--steps", options->steps, "Steps of the plant")
      ->check(CLI::Range(1, 1'000'000'000));
  command
      ->add_option("--mode", options->mode,
                   "step: a frame for every tick of the controller. checkpoint: both sides run by "
                   "themselves and compare hashes now and then. free: the target runs by its own "
                   "clock")
      ->check(CLI::IsMember({"step", "checkpoint", "free"}));
  command->add_option("--scalar", options->scalar, "What target and twin compute with")
      ->check(CLI::IsMember({"float", "double"}))
      ->capture_default_str();
  command->add_flag("--static", options->is_static,
                    "Compile this robot into the firmware instead of sending it over the link");
  command->add_option("--baud", options->baud, "Of a serial port")->capture_default_str();
  command
      ->add_option("--patience", options->patience,
                   "Seconds that a target may be silent before that is an error")
      ->check(CLI::Range(0.1, 600.0))
      ->capture_default_str();
  command->add_option("--firmware", options->folder,
                      "Folder to build the firmware in; default: the user's cache");
  command
      ->add_option("--image", options->image,
                   "Run this image instead of building one (a board runs what it was flashed with)")
      ->check(CLI::ExistingFile);
  command->add_option("--csv", options->csv, "Write time, q, v and tau to this file");
  command->add_option("--plot", options->plot,
                      "Write plots: NAME.svg becomes NAME_q.svg and NAME_tau.svg");
  command->add_option("--clock", options->timing.clock,
                      "Clock of the chip, for the share of a period, such as 168MHz");
  command->add_option("--cpi", options->timing.cycles, "Cycles an instruction takes on average");
  command->footer(
      "Exit code 1 at the first bit that differs, which is named with its step.\n"
      "Examples:\n"
      "  lockstep hil arm.urdf --target qemu:cortex-m7 --steps 1000\n"
      "  lockstep hil arm.urdf --target qemu:cortex-m4f --application controller --static\n"
      "  lockstep hil arm.urdf --target qemu:cortex-m7 --mode checkpoint --steps 1000000\n"
      "  lockstep hil arm.urdf --target /dev/ttyACM0 --baud 921600 --scenario wave.json");
  command->callback([options] { hil_command(*options); });
}

}  // namespace lockstep::host
