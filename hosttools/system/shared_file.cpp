#include "system/shared_file.hpp"

#include "text/error.hpp"

namespace lockstep::host {

namespace fs = std::filesystem;

fs::path shared_file(const std::string& name) {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  for (const fs::path& root :
       {program.parent_path().parent_path() / "share/lockstep", fs::path(LOCKSTEP_SOURCE_DIR)}) {
    fs::path file = root / name;
    if (fs::exists(file, ignored)) return file;
  }
  throw Error(name + ": is gone, and " LOCKSTEP_SOURCE_DIR " with it; install Lockstep again");
}

}  // namespace lockstep::host
