#include "options/shared.hpp"

namespace lockstep::host {

void add_base_option(Command& command, ReduceOptions& options) {
  const auto set_base = [&options](const std::string& base) {
    using Base = ReduceOptions::Base;
    options.base = base == "fixed" ? Base::kFixed : Base::kFloating;
  };
  command
      .take("--base", set_base,
            "What a root link is: fixed to the world, or floating (default: fixed)")
      .one_of({"fixed", "floating"})
      .shown_as("fixed|floating");
}

void add_mesh_options(Command& command, MeshOptions& options) {
  const auto set_folders = [&options](const std::vector<std::string>& folders) {
    options.package_paths.assign(folders.begin(), folders.end());
  };
  command
      .take_all("--package-path", set_folders,
                "A folder that holds the packages of package:// meshes; may be repeated")
      .shown_as("FOLDER");
  const auto set_fit = [&options](const std::string& fit) {
    options.fit = fit == "box"       ? MeshFit::kBox
                  : fit == "sphere"  ? MeshFit::kSphere
                  : fit == "capsule" ? MeshFit::kCapsule
                  : fit == "inertia" ? MeshFit::kInertia
                                     : MeshFit::kPoints;
  };
  command
      .take("--mesh", set_fit,
            "What touches in place of a mesh: corners of its hull, a shape around it, or without "
            "its file the box with the link's inertia (default: points)")
      .one_of({"points", "box", "sphere", "capsule", "inertia"})
      .shown_as("points|box|sphere|capsule|inertia");
  command
      .add("--mesh-points", options.most_points,
           "The most corners that a mesh may keep (default: 16)")
      .within(1, 1000)
      .shown_as("N");
}

void add_scan_options(Command& command, ScanLimits& limits) {
  command.add("--max-bytes", limits.max_bytes, "Refuse larger files (default: 4194304)")
      .shown_as("N");
  command.add("--max-depth", limits.max_depth, "Refuse deeper XML (default: 64)")
      .within(1, 1000000)
      .shown_as("N");
}

void add_repair_options(Command& command, ReadOptions& read, ReduceOptions& reduce) {
  const auto set_mimic = [&read, &reduce](const std::string& mimic) {
    reduce.ignore_mimic = read.ignore_mimic = mimic == "ignore";
  };
  command
      .take("--mimic", set_mimic,
            "Whether <mimic> acts, or its joints are independent (default: keep)")
      .one_of({"ignore", "keep"})
      .shown_as("ignore|keep");
  const auto accept = [&reduce](const std::string&) { reduce.accept_unphysical = true; };
  command.take("--accept", accept, "Take negative masses and moments of inertia as zero, and warn")
      .one_of({"unphysical"})
      .shown_as("unphysical");
  const auto set_massless = [&reduce](const std::string& massless) {
    reduce.freeze_massless = massless == "freeze";
  };
  command
      .take("--massless", set_massless,
            "Joints with no inertia to move: an error, or held within their limits where they are "
            "nearest to zero (default: refuse)")
      .one_of({"refuse", "freeze"})
      .shown_as("refuse|freeze");
  command
      .add("--inertia-floor", reduce.inertia_floor,
           "Let joints with no inertia to move have this much, in kg m^2 (1e-6), and where they "
           "slide as many kg (default: none)")
      .not_negative()
      .excludes("--massless")
      .shown_as("I");
}

void add_load_options(Command& command, LoadOptions& options) {
  command.add("robot", options.file, "The robot's URDF file").required().shown_as("FILE");
  add_model_options(command, options);
}

void add_model_options(Command& command, LoadOptions& options) {
  add_base_option(command, options.reduce);
  command.add("--ignore-damping", options.reduce.ignore_damping,
              "Leave joint damping out of the dynamics");
  add_repair_options(command, options.read, options.reduce);
  add_mesh_options(command, options.read.mesh);
  command
      .add("--max-pairs", options.reduce.most_pairs,
           "The most pairs of shapes that may meet without a <contact_pair>, nearest at the zero "
           "pose first (default: 256)")
      .within(0, 1000000)
      .shown_as("N");
  const auto set_rotors = [&options](const std::string& rotors) {
    options.keep_rotors = rotors == "keep";
  };
  command
      .take("--rotors", set_rotors,
            "Rotors behind a gear: merged into the joint that they drive, or kept as bodies that a "
            "coupling ties (default: merge)")
      .one_of({"merge", "keep"})
      .shown_as("merge|keep");
  add_scan_options(command, options.read.limits);
  command.add("--quiet", options.quiet, "No warnings, no notes");
}

void add_scalar_option(Command& command, std::string& scalar) {
  command.add("--scalar", scalar, "What to compute with")
      .one_of({"float", "double"})
      .shows_default();
}

void add_json_option(Command& command, bool& json) {
  command.add("--json", json, "Write JSON, for other programs");
}

Option add_hold_option(Command& command, std::vector<double>& gains) {
  return command
      .add("--hold", gains,
           "Hold the start pose: PD gains in N m/rad and N m s/rad, gravity compensated")
      .list(2)
      .not_negative()
      .shown_as("KP,KD");
}

Option add_controller_options(Command& command, ControllerWords& words) {
  Option controller =
      command
          .add("--controller", words.command,
               "A controller of your own: a program with its arguments, which answers a line of "
               "torques to each line of q and v, or a shared library (docs/controllers.md)")
          .shown_as("PROGRAM|FILE.so");
  command
      .add("--controller-timeout", words.patience,
           "Seconds that a program has for each answer (default: 10)")
      .positive()
      .needs("--controller")
      .shown_as("SECONDS");
  return controller;
}

Option add_drop_option(Command& command, std::optional<double>& drop, const std::string& usual) {
  return command
      .add("--drop", drop,
           "Start with the lowest point this far above the ground, in m (default: " + usual + ")")
      .not_negative();
}

void add_record_options(Command& command, std::string& csv, std::string& plot,
                        std::uint64_t& every) {
  command.add("--csv", csv, "Write the record to this file: a column a named quantity with unit");
  command
      .add("--plot", plot,
           "Write plots: NAME.svg becomes NAME_q.svg, NAME_error.svg and NAME_tau.svg, in maximal "
           "coordinates NAME_x.svg and NAME_lambda.svg")
      .svg();
  command.add("--every", every, "Record each Nth step, and the last")
      .within(1, 1'000'000'000)
      .shows_default();
}

void add_report_option(Command& command, std::string& path) {
  command
      .add("--report", path,
           "Write a page to look at: the robot moving in 3-D, plots, events, the model card; one "
           "HTML file that needs no network (docs/report.md)")
      .html();
}

void add_clock_options(Command& command, TimingOptions& timing) {
  command
      .add("--clock", timing.clock,
           "The chip's clock in Hz, kHz or MHz (default: 168MHz, 480MHz, 400MHz)")
      .shown_as("168MHz")
      .needs("--target");
  command
      .add("--cpi", timing.cycles,
           "Cycles an instruction takes (default: assumed 1.5, in double 2)")
      .shown_as("1.5")
      .needs("--target");
}

}  // namespace lockstep::host
