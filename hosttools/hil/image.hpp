// The firmware that a run needs, built for its target.
#pragma once

#include <memory>
#include <string>

#include "hil/scenario.hpp"
#include "hil/target.hpp"
#include "loop/bounds.hpp"
#include "model/tree.hpp"
#include "robot/devices.hpp"

namespace lockstep::host::hil {

class FirmwareFolder;

struct ImageOptions {
  Target target;  // the host or the emulator
  Application application = Application::kPlant;
  std::string scalar = "float";
  bool is_static = false;  // with this robot compiled in; otherwise the model goes over the link
  std::string port = {};   // source of a servo's; empty: its robot is here
  std::string law = {};    // folder of a servo's; empty: none
  firmware::Bounds bounds = {};  // of a robot that is compiled in
  Devices devices = {};          // of its plant
  std::string folder = {};       // to build in; empty: a folder of the user's cache
  bool quiet = false;
};

struct Image {
  std::string path;
  std::size_t flash = 0, ram = 0;  // bytes; 0 for a process
  std::size_t stack = 0;           // bytes, a bound from the compiler's call graph; 0 for a process
  std::shared_ptr<const FirmwareFolder> folder = {};  // which may vanish with it
};

// Builds what is not built yet. Throws Error.
Image build_image(const Tree& tree, const ImageOptions& options);

}  // namespace lockstep::host::hil
