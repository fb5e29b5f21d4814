#include "mesh/locate.hpp"

namespace lockstep::host {

std::string_view below_packages(std::string_view name) {
  for (const std::string_view scheme : {"package://", "model://"}) {
    if (name.starts_with(scheme)) return name.substr(scheme.size());
  }
  return {};
}

std::string package_of(std::string_view name) {
  name = below_packages(name);
  return std::string(name.substr(0, name.find('/')));
}

}  // namespace lockstep::host
