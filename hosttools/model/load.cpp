#include "model/load.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

#include "model/merge.hpp"

namespace lockstep::host {

void add_mesh_options(CLI::App& command, MeshOptions& options) {
  command
      .add_option_function<std::vector<std::string>>(
          "--package-path",
          [&options](const std::vector<std::string>& folders) {
            options.package_paths.assign(folders.begin(), folders.end());
          },
          "A folder that holds the packages of package:// meshes; may be repeated")
      ->take_all()
      ->allow_extra_args(false)
      ->option_text("FOLDER");
  command
      .add_option_function<std::string>(
          "--mesh",
          [&options](const std::string& fit) {
            options.fit = fit == "box"       ? MeshFit::kBox
                          : fit == "sphere"  ? MeshFit::kSphere
                          : fit == "capsule" ? MeshFit::kCapsule
                                             : MeshFit::kPoints;
          },
          "What touches in place of a mesh: corners of its hull, or a shape around it "
          "(default: points)")
      ->check(CLI::IsMember({"points", "box", "sphere", "capsule"}))
      ->option_text("points|box|sphere|capsule");
  command
      .add_option("--mesh-points", options.most_points,
                  "The most corners that a mesh may keep (default: 16)")
      ->check(CLI::Range(1, 1000))
      ->option_text("N");
}

void add_load_options(CLI::App& command, LoadOptions& options) {
  command.add_option("robot", options.file, "The robot's URDF file")
      ->required()
      ->option_text("FILE");
  command
      .add_option_function<std::string>(
          "--base",
          [&options](const std::string& base) {
            options.reduce.base =
                base == "fixed" ? ReduceOptions::Base::kFixed : ReduceOptions::Base::kFloating;
          },
          "What a root link is: fixed to the world, or floating (default: fixed)")
      ->check(CLI::IsMember({"fixed", "floating"}))
      ->option_text("fixed|floating");
  command.add_flag("--ignore-damping", options.reduce.ignore_damping,
                   "Leave joint damping out of the dynamics");
  command
      .add_option_function<std::string>(
          "--mimic",
          [&options](const std::string& mimic) {
            options.reduce.ignore_mimic = options.read.ignore_mimic = mimic == "ignore";
          },
          "Whether <mimic> acts, or its joints are independent (default: keep)")
      ->check(CLI::IsMember({"ignore", "keep"}))
      ->option_text("ignore|keep");
  add_mesh_options(command, options.read.mesh);
  command
      .add_option("--max-pairs", options.reduce.most_pairs,
                  "The most pairs of shapes that may meet without a <contact_pair>, nearest at the "
                  "zero pose first (default: 256)")
      ->check(CLI::Range(0, 1000000))
      ->option_text("N");
  command
      .add_option_function<std::string>(
          "--rotors",
          [&options](const std::string& rotors) { options.keep_rotors = rotors == "keep"; },
          "Rotors behind a gear: merged into the joint that they drive, or kept as bodies that a "
          "coupling ties (default: merge)")
      ->check(CLI::IsMember({"merge", "keep"}))
      ->option_text("merge|keep");
  command
      .add_option("--max-bytes", options.read.limits.max_bytes,
                  "Refuse larger files (default: 4194304)")
      ->option_text("N");
  command
      .add_option("--max-depth", options.read.limits.max_depth, "Refuse deeper XML (default: 64)")
      ->check(CLI::Range(1, 1000000))
      ->option_text("N");
  command.add_flag("--quiet", options.quiet, "No warnings, no notes");
}

void print_warnings(const LoadOptions& options, const std::vector<Finding>& warnings) {
  if (options.quiet) return;
  for (const Finding& warning : warnings) {
    std::cerr << format_labelled(options.file, warning) << '\n';
  }
}

Tree load_tree(const LoadOptions& options) {
  std::vector<Finding> warnings;
  const Description description = read_urdf(options.file, options.read, warnings);
  print_warnings(options, warnings);  // they may tell why the next step fails
  Tree tree = reduce(description, options.reduce);
  return options.keep_rotors ? tree : merge_rotors(tree);
}

}  // namespace lockstep::host
