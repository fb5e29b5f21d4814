#include "hil/image.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "chip/chips.hpp"
#include "chip/stack_bound.hpp"
#include "emit/header.hpp"
#include "hil/bounds.hpp"
#include "hil/devices_header.hpp"
#include "hil/firmware_folder.hpp"
#include "loop/device_loop.hpp"
#include "model/content_hash.hpp"
#include "system/programs.hpp"

namespace lockstep::host::hil {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kUsualBodies = 64;

// Below the top of the stack before the application, and on top of it: two frames of start-up, and
// a tick with the 104 bytes that the CPU pushes, eight for alignment and its handler.
constexpr std::size_t kStartUpStack = 192;

// As it calls itself.
std::string compiler_of(const Chip* chip) {
  const char* chosen = std::getenv("CXX");
  std::string program = chosen != nullptr && *chosen != '\0' ? chosen : "c++";
  if (chip != nullptr) program = chip->compiler;
  const TemporaryFolder folder;
  const std::string output = (folder.path() / "version").string();
  run_program({program, "--version"}, output, "/dev/null");
  const std::string text = read_text(output);
  return program + " " + text.substr(0, text.find('\n'));
}

std::size_t number_after(const std::string& text, const std::string& word) {
  const std::size_t at = text.find("\n" + word + " ");
  return at == std::string::npos ? 0 : std::stoul(text.substr(at + word.size() + 2));
}

}  // namespace

Image build_image(const Tree& tree, const ImageOptions& options) {
  const bool is_chip = options.target.kind == Target::Kind::kEmulator;
  const std::string target = is_chip ? options.target.detail : "host";
  if (is_chip) {
    require_chip(target, options.scalar);
  } else {
    require_tools("--target", host_tools());
  }
  const std::size_t bodies = std::max(kUsualBodies, std::bit_ceil(tree.bodies.size()));
  const std::string model = options.is_static
                                ? hash_text(firmware::hash_with_devices(
                                      firmware::hash_with(content_hash(tree), options.bounds),
                                      devices_hash(options.devices, tree)))
                                : std::to_string(bodies) + "-bodies";
  const std::string script = shared_file("toolchain/build-firmware");
  const auto place = std::make_shared<FirmwareFolder>(
      options.folder,
      target + "-" + options.scalar + "-" + model + (options.port.empty() ? "" : "-port") +
          (options.law.empty() ? "" : "-law"),
      BuiltFrom{.root = fs::path(script).parent_path().parent_path().string(),
                .version = LOCKSTEP_VERSION,
                .compiler = compiler_of(find_chip(target))},
      options.quiet);
  const fs::path& folder = place->path();

  std::vector<std::string> words = {script,
                                    target,
                                    name_of(options.application),
                                    folder.string(),
                                    "-DLOCKSTEP_ETL_DIR=" + etl_folder(),
                                    "-DLOCKSTEP_SCALAR=" + options.scalar};
  if (options.is_static) {
    const std::string header =
        emit_header(tree, {.struct_name = "robot",
                           .source = "",
                           .straight_line = tree.bodies.size() <= kStraightLineBodies});
    const fs::path robot = folder / "model";
    fs::create_directories(robot);
    keep_file(robot / "robot.hpp", header);
    if (!options.bounds.field.heights.empty()) {
      keep_file(robot / "ground.hpp", to_header(options.bounds.field));
    }
    if (options.devices.any()) {
      keep_file(robot / "robot_devices.hpp", to_header(options.devices, tree));
    }
    words.push_back("-DLOCKSTEP_ROBOT=" + robot.string());
    words.push_back("-DLOCKSTEP_BOUNDS=" + to_cpp(options.bounds));
  } else {
    words.push_back("-DLOCKSTEP_TABLE_BODIES=" + std::to_string(bodies));
  }
  words.push_back("-DLOCKSTEP_PORT=" + options.port);
  words.push_back(
      "-DLOCKSTEP_LAW=" +
      (options.law.empty() ? "" : fs::absolute(options.law).lexically_normal().string()));
  if (!options.quiet) std::cerr << "building the firmware for " << target << "\n";
  const std::string output = (folder / "image.txt").string();
  if (!run_program(words, output)) throw Error("--target: the firmware was not built; see above");

  const std::string text = "\n" + read_text(output);
  const std::size_t at = text.find("\nimage ");
  if (at == std::string::npos) throw Error("--target: build-firmware did not tell the image");
  Image image = {.path = text.substr(at + 7, text.find('\n', at + 1) - at - 7),
                 .flash = number_after(text, "flash"),
                 .ram = number_after(text, "ram"),
                 .stack = 0,
                 .folder = place};
  if (is_chip) {
    image.stack = kStartUpStack + stack_bound(read_text((folder / "image.ci").string()),
                                              "_ZN8lockstep5board11applicationEv");
  }
  place->unlock();
  return image;
}

}  // namespace lockstep::host::hil
