// The module lockstep._native: docs/python.md.
#include "python/numbers.hpp"
#include "text/error.hpp"

PYBIND11_MODULE(_native, module) {
  using namespace lockstep::host;
  module.doc() = "Robot dynamics in linear time, with the bits of the tool and of the chip.";
  pybind11::register_exception<Error>(module, "Error", PyExc_ValueError).doc() =
      "One line that names what is wrong, where, and the remedy.";
  python::bind_robot(module);
  python::bind_simulation(module);
}
