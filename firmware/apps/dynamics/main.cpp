// Forward dynamics on the chip: questions in, accelerations and reactions out.
#include "apps/application.hpp"
#include "loop/dynamics_device.hpp"

int lockstep::board::application() { firmware::run_application<firmware::DynamicsDevice>(); }
