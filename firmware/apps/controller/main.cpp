// Computed torque on the chip: measurements and references in, torques out.
#include "apps/application.hpp"
#include "loop/controller_device.hpp"

int lockstep::board::application() { firmware::run_application<firmware::ControllerDevice>(); }
