// What Debian's C++ library for WebAssembly is built without. Exceptions: what is thrown ends the
// module, and its words go to the page, which begins with a new one; nothing that the page calls
// needs to catch. Of <filesystem>: the parts of a path. Of urdfdom's log, which wants threads:
// nothing, it is off. Meshes: looked for among the files given. Programs: none.
#include <console_bridge/console.h>
#include <sys/stat.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string_view>

#include "mesh/locate.hpp"
#include "urdf/xacro.hpp"

// The page's: takes the words of an error.
extern "C" __attribute__((import_module("page"), import_name("failed"))) void failed(const char*,
                                                                                     std::size_t);

extern "C" void* __cxa_allocate_exception(std::size_t size) { return std::malloc(size); }
extern "C" void __cxa_free_exception(void* own) { std::free(own); }
extern "C" [[noreturn]] void __cxa_throw(void* thrown, std::type_info*, void (*)(void*)) {
  // all that the tool and the library throw are std::exceptions without virtual bases
  const std::string_view words = static_cast<const std::exception*>(thrown)->what();
  failed(words.data(), words.size());
  __builtin_trap();
}

_LIBCPP_BEGIN_NAMESPACE_FILESYSTEM

path::__string_view path::__filename() const {
  const __string_view all(__pn_);
  return all.substr(all.rfind('/') + 1);
}
path::__string_view path::__extension() const {
  const __string_view name = __filename();
  const std::size_t dot = name.rfind('.');
  return dot == 0 || dot == name.npos || name == ".." ? __string_view() : name.substr(dot);
}

_LIBCPP_END_NAMESPACE_FILESYSTEM

void console_bridge::noOutputHandler() {}
void console_bridge::log(const char*, int, LogLevel, const char*, ...) {}

namespace lockstep::host {

namespace {

bool is_read(std::string_view name) {
  const auto ends = [&](std::string_view end) { return name.ends_with(end); };
  return ends(".stl") || ends(".STL") || ends(".obj") || ends(".OBJ") || ends(".dae") ||
         ends(".DAE");
}

}  // namespace

// Files that are dropped on a page have names but no folders that a package could be found by: the
// page lays them beside the robot, and the end of the mesh's name tells which it is.
std::optional<std::filesystem::path> locate_mesh(const std::string& name,
                                                 const std::filesystem::path& robot,
                                                 const std::vector<std::filesystem::path>&) {
  const std::string& beside = robot.native();
  const std::string folder = beside.substr(0, beside.rfind('/') + 1);
  if (!is_read(name)) return std::nullopt;
  for (std::string_view rest = name;;) {
    const std::string found = folder + std::string(rest);
    struct stat status;
    if (::stat(found.c_str(), &status) == 0 && S_ISREG(status.st_mode)) return found;
    const std::size_t slash = rest.find('/');
    if (slash == rest.npos) return std::nullopt;
    rest.remove_prefix(slash + 1);
  }
}

std::string expand_macros(const std::filesystem::path& file, int line, const ScanLimits&,
                          Findings& findings) {
  findings.error(line, "xacro", "the file has macros, and no program runs in a page",
                 "run: xacro " + file.native() + " > robot.urdf");
  return {};
}

}  // namespace lockstep::host
