#include "builds.hpp"

#include <dlfcn.h>

#include "text/error.hpp"

namespace lockstep::bench {

const Build* load_build(const std::string& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw host::Error(std::string(dlerror()) + "; toolchain/run-bench builds it");
  }
  const void* symbol = dlsym(library, kBuildSymbol);
  if (symbol == nullptr) {
    throw host::Error(file + ": no build of Lockstep; give a libbench_lockstep.so");
  }
  return static_cast<const Build*>(symbol);
}

std::string name_of(const char* model, const Build& build) {
  return std::string(model) + " " + build.compiler;
}

}  // namespace lockstep::bench
