#include "options/load.hpp"

namespace lockstep::host {

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
                                     : MeshFit::kPoints;
  };
  command
      .take("--mesh", set_fit,
            "What touches in place of a mesh: corners of its hull, or a shape around it (default: "
            "points)")
      .one_of({"points", "box", "sphere", "capsule"})
      .shown_as("points|box|sphere|capsule");
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

void add_load_options(Command& command, LoadOptions& options) {
  command.add("robot", options.file, "The robot's URDF file").required().shown_as("FILE");
  const auto set_base = [&options](const std::string& base) {
    using Base = ReduceOptions::Base;
    options.reduce.base = base == "fixed" ? Base::kFixed : Base::kFloating;
  };
  command
      .take("--base", set_base,
            "What a root link is: fixed to the world, or floating (default: fixed)")
      .one_of({"fixed", "floating"})
      .shown_as("fixed|floating");
  command.add("--ignore-damping", options.reduce.ignore_damping,
              "Leave joint damping out of the dynamics");
  const auto set_mimic = [&options](const std::string& mimic) {
    options.reduce.ignore_mimic = options.read.ignore_mimic = mimic == "ignore";
  };
  command
      .take("--mimic", set_mimic,
            "Whether <mimic> acts, or its joints are independent (default: keep)")
      .one_of({"ignore", "keep"})
      .shown_as("ignore|keep");
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

}  // namespace lockstep::host
