#include "compile/command.hpp"

#include <filesystem>
#include <iostream>
#include <memory>

#include "commands.hpp"
#include "compile/bundle.hpp"
#include "emit/c_api.hpp"
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

namespace fs = std::filesystem;

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
  std::vector<std::string> headers;  // that a program with this model may want
  std::string c_header;              // empty: not asked for
};

CApiOptions c_api_options(const CompileOptions& options, const std::string& name) {
  const std::string file = options.output.empty() ? name : fs::path(options.output).stem().string();
  return {.struct_name = name,
          .file = file,
          .source = fs::path(options.load.file).filename().string(),
          .in_double = options.scalar == "double"};
}

std::vector<std::string> headers_for(const Tree& tree) {
  std::vector<std::string> headers = {"lockstep/integrate/joint_stepper.hpp",
                                      "lockstep/inverse_dynamics.hpp", "lockstep/kinematics.hpp",
                                      "lockstep/mass_matrix.hpp", "lockstep/solver.hpp"};
  if (!tree.loops.empty() || !tree.couplings.empty()) {
    headers.push_back("lockstep/auxiliary/closed_stepper.hpp");
  }
  if (!tree.colliders.empty()) headers.push_back("lockstep/auxiliary/bounded_stepper.hpp");
  return headers;
}

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
      summary(tree), headers_for(tree),
      options.c_api ? emit_c_header(tree, c_api_options(options, name)) : ""};
}

Product mechanism_header(const CompileOptions& options, const std::string& source) {
  if (options.c_api) {
    throw Error("--c-api: " + source +
                " is a mechanism, which the functions for C do not know; "
                "use the C++ header");
  }
  const Mechanism mechanism = load_mechanism(options.load);
  const std::string name = struct_name(options, mechanism.name);
  return {name,
          emit_mechanism(mechanism, {.struct_name = name, .source = source}),
          summary(mechanism),
          {"lockstep/maximal/impulse_stepper.hpp", "lockstep/maximal/lagrange_stepper.hpp"},
          ""};
}

// Without the slash that a shell's completion puts behind it.
fs::path folder_of(const CompileOptions& options) {
  const fs::path folder = fs::path(options.bundle).lexically_normal();
  return folder.has_filename() ? folder : folder.parent_path();
}

std::string readme(const CompileOptions& options, const Product& product) {
  const std::string& name = product.name;
  const std::string folder = folder_of(options).filename().string() + "/";
  std::string text = "# " + name + "\n\n" + product.summary + ", from " +
                     fs::path(options.load.file).filename().string() +
                     ", with every header that it needs. Copy this folder into a project; headers "
                     "find one another,\nso no include path is needed:\n\n";
  text += "    #include \"" + folder + name + ".hpp\"\n";
  for (const std::string& header : product.headers) {
    text += "    #include \"" + folder + header + "\"\n";
  }
  text +=
      "\nCompile as C++20, for a Cortex-M4F for instance with\n\n"
      "    arm-none-eabi-g++ -std=c++20 -Os -ffp-contract=off -fno-math-errno -fno-exceptions "
      "-fno-rtti \\\n      -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard -c " +
      (options.c_api ? folder + name + ".cpp" : std::string("main.cpp")) +
      "\n\nand where Eigen knows the CPU's vector unit (x86, Cortex-A) the whole program with "
      "-DEIGEN_DONT_VECTORIZE.\n`-ffp-contract=off` gives the same bits on every machine.\n";
  if (options.c_api) {
    text += "\nFor C: include `" + name + ".h`, and link with `" + name + ".cpp`.\n";
  }
  return text +
         "\nLicences: Lockstep is under Apache-2.0 (LICENSE); Eigen, in its folder and unchanged, "
         "under MPL-2.0\n(Eigen/LICENSE.txt)"
         "; ETL, if there is a folder of it, under MIT, as its headers say.\n"
         "MANIFEST.txt lets `lockstep compile --bundle` see that nothing was changed before it "
         "writes this folder again.\n";
}

}  // namespace

void compile(const CompileOptions& options) {
  const std::string& input = options.load.file;
  const std::string source = fs::path(input).filename().string();
  const Product product = is_mechanism(options.load) ? mechanism_header(options, source)
                                                     : robot_header(options, source);
  const CApiOptions c_api = c_api_options(options, product.name);
  std::string output = options.output.empty() ? product.name + ".hpp" : options.output;
  if (options.c_api && !output.ends_with(".hpp")) {
    throw Error("--c-api: the functions go beside the header; end its name, " + quote(output) +
                ", in .hpp");
  }
  Files files = {{fs::path(output).filename().string(), product.text}};
  if (options.c_api) {
    files[c_api.file + ".h"] = product.c_header;
    files[c_api.file + ".cpp"] = emit_c_source(c_api);
  }
  if (!options.bundle.empty()) {
    files["README.md"] = readme(options, product);
    files = bundle(files, product.headers, options.eigen);
    output = folder_of(options).string();
    write_bundle(output, files);
  } else {
    std::error_code ignored;
    if (output != "-" && fs::equivalent(input, output, ignored)) {
      throw Error(output + ": is the robot's own file; choose another output with -o");
    }
    for (const auto& [name, text] : files) {
      write_file(name == "-" ? name : (fs::path(output).parent_path() / name).string(), text);
    }
  }

  if (options.load.quiet) return;
  (output == "-" ? std::cerr : std::cout)
      << (output == "-" ? "" : output + ": ") << "struct " << product.name << ", "
      << product.summary
      << (options.bundle.empty() ? "" : ", " + std::to_string(files.size()) + " files") << '\n';
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
  command
      .add("--bundle", options->bundle,
           "Write a folder to copy into any project instead: the header, all that it needs of "
           "Lockstep and Eigen, licences; one that is there is replaced if it is a bundle and "
           "nothing in it was changed")
      .shown_as("FOLDER")
      .excludes("--out");
  command
      .add("--eigen", options->eigen,
           "The folder that holds Eigen/Core, for --bundle (default: where it was when this "
           "program was built, or /usr/include/eigen3)")
      .shown_as("FOLDER")
      .needs("--bundle");
  command.add("--c-api", options->c_api,
              "Functions for C beside the header, NAME.h and NAME.cpp: forward and inverse "
              "dynamics, gravity compensation, a step, where a link is");
  command.add("--scalar", options->scalar, "What the functions for C compute with")
      .one_of({"float", "double"})
      .shows_default()
      .needs("--c-api");
  command.footer(
      "Examples:\n"
      "  lockstep compile arm.urdf -o arm_model.hpp --base fixed\n"
      "  lockstep compile arm.urdf --name my_arm --bundle my_arm          for any firmware\n"
      "  lockstep compile arm.urdf --name my_arm --bundle my_arm --c-api  in C");
  command.runs([options] { compile(*options); });
}

}  // namespace lockstep::host
