#include "compile/command.hpp"

#include <filesystem>
#include <iostream>
#include <memory>

#include "commands.hpp"
#include "emit/header.hpp"
#include "emit/identifier.hpp"
#include "mechanism/emit.hpp"
#include "mechanism/load.hpp"
#include "mechanism/summary.hpp"
#include "model/summary.hpp"
#include "options/shared.hpp"
#include "system/write_file.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"

namespace lockstep::host {

namespace {

std::string struct_name(const CompileOptions& options, const std::string& robot) {
  if (options.struct_name.empty()) return default_struct_name(robot);
  const std::string why_not = why_not_struct_name(options.struct_name);
  if (!why_not.empty()) throw Error("--name " + quote(options.struct_name) + ": " + why_not);
  return options.struct_name;
}

struct Product {
  std::string name;  // of the struct
  std::string text;
  std::string summary;
};

Product robot_header(const CompileOptions& options, const std::string& source) {
  const Tree tree = load_tree(options.load);
  const std::string name = struct_name(options, tree.name);
  const std::size_t bodies = tree.bodies.size();
  const bool straight_line =
      bodies > 0 &&
      (options.passes == "straight" || (options.passes == "auto" && bodies <= kStraightLineBodies));
  return {
      name,
      emit_header(tree, {.struct_name = name, .source = source, .straight_line = straight_line}),
      summary(tree)};
}

Product mechanism_header(const CompileOptions& options, const std::string& source) {
  const Mechanism mechanism = load_mechanism(options.load);
  const std::string name = struct_name(options, mechanism.name);
  return {name, emit_mechanism(mechanism, {.struct_name = name, .source = source}),
          summary(mechanism)};
}

}  // namespace

void compile(const CompileOptions& options) {
  namespace fs = std::filesystem;
  const std::string& input = options.load.file;
  const std::string source = fs::path(input).filename().string();
  const Product product = is_mechanism(options.load) ? mechanism_header(options, source)
                                                     : robot_header(options, source);
  const std::string output = options.output.empty() ? product.name + ".hpp" : options.output;
  std::error_code ignored;
  if (output != "-" && fs::equivalent(input, output, ignored)) {
    throw Error(output + ": is the robot's own file; choose another output with -o");
  }
  write_file(output, product.text);

  if (options.load.quiet) return;
  (output == "-" ? std::cerr : std::cout) << (output == "-" ? "" : output + ": ") << "struct "
                                          << product.name << ", " << product.summary << '\n';
}

void add_compile_command(CLI::App& app) {
  const auto options = std::make_shared<CompileOptions>();
  Command command(app, "compile", "Turn a URDF or a mechanism into a static C++ model");
  add_load_options(command, options->load);
  command
      .add("-o,--out", options->output,
           "The header to write (default: NAME.hpp in this folder; -: standard output)")
      .shown_as("FILE");
  command.add("--name", options->struct_name, "The struct's name (default: the robot's and _model)")
      .shown_as("NAME");
  command
      .add("--passes", options->passes,
           "straight: the robot's own operations written out, fastest; loop: the core's "
           "loops over constants, smallest; auto: straight up to 64 bodies")
      .one_of({"auto", "straight", "loop"})
      .shows_default();
  command.footer("Example:\n  lockstep compile arm.urdf -o arm_model.hpp --base fixed");
  command.runs([options] { compile(*options); });
}

}  // namespace lockstep::host
