#include "hil/image.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "chip/stack_bound.hpp"
#include "emit/header.hpp"
#include "hil/bounds.hpp"
#include "model/content_hash.hpp"
#include "system/programs.hpp"

namespace lockstep::host::hil {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kUsualBodies = 64;

// Below the top of the stack before the application, and on top of it: two frames of start-up, and
// a tick with the 104 bytes that the CPU pushes, eight for alignment and its handler.
constexpr std::size_t kStartUpStack = 192;

fs::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0') {
    return fs::path(cache) / "lockstep";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    return fs::path(home) / ".cache/lockstep";
  }
  return fs::temp_directory_path() / "lockstep";
}

std::size_t number_after(const std::string& text, const std::string& word) {
  const std::size_t at = text.find("\n" + word + " ");
  return at == std::string::npos ? 0 : std::stoul(text.substr(at + word.size() + 2));
}

}  // namespace

Image build_image(const Tree& tree, const ImageOptions& options) {
  const bool is_chip = options.target.kind == Target::Kind::kEmulator;
  require_tools("--target", is_chip ? chip_tools() : host_tools());
  const std::string target = is_chip ? options.target.detail : "host";
  if (target == "cortex-m4f" && options.scalar == "double") {
    throw Error("--scalar double: a cortex-m4f has no double in hardware; use float");
  }
  const std::size_t bodies = std::max(kUsualBodies, std::bit_ceil(tree.bodies.size()));
  const std::string model = options.is_static
                                ? hash_text(firmware::hash_with(content_hash(tree), options.bounds))
                                : std::to_string(bodies) + "-bodies";
  const fs::path folder = (options.folder.empty() ? cache_folder() : fs::path(options.folder)) /
                          (target + "-" + options.scalar + "-" + model);
  fs::create_directories(folder);

  std::vector<std::string> words = {shared_file("toolchain/build-firmware"),
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
    words.push_back("-DLOCKSTEP_ROBOT=" + robot.string());
    words.push_back("-DLOCKSTEP_BOUNDS=" + to_cpp(options.bounds));
  } else {
    words.push_back("-DLOCKSTEP_TABLE_BODIES=" + std::to_string(bodies));
  }
  if (!options.quiet) std::cerr << "building the firmware for " << target << "\n";
  const std::string output = (folder / "image.txt").string();
  if (!run_program(words, output)) throw Error("--target: the firmware was not built; see above");

  const std::string text = "\n" + read_text(output);
  const std::size_t at = text.find("\nimage ");
  if (at == std::string::npos) throw Error("--target: build-firmware did not tell the image");
  Image image = {.path = text.substr(at + 7, text.find('\n', at + 1) - at - 7),
                 .flash = number_after(text, "flash"),
                 .ram = number_after(text, "ram"),
                 .stack = 0};
  if (is_chip) {
    image.stack = kStartUpStack + stack_bound(read_text((folder / "image.ci").string()),
                                              "_ZN8lockstep5board11applicationEv");
  }
  return image;
}

}  // namespace lockstep::host::hil
