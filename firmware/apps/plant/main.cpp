// The robot on the chip: torques in, motion out.
#include "apps/application.hpp"
#include "loop/plant_device.hpp"

int lockstep::board::application() { firmware::run_application<firmware::PlantDevice>(); }
