#include "sim/run_options.hpp"

#include "options/shared.hpp"

namespace lockstep::host::sim {

void add_run_options(Command& command, SimOptions& options, bool bodies) {
  const auto told = [bodies](const char* text) { return std::string(bodies ? text : ""); };
  add_load_options(command, options.load);
  command
      .add("--stabilization", options.stabilization,
           "What takes constraint errors out of loops and couplings (default: baumgarte" +
               told("), and of --stepper lagrange (default: projection") + ")")
      .one_of({"baumgarte", "projection", "none"})
      .shown_as("baumgarte|projection|none");
  command
      .add("--integrator", options.integrator,
           "midpoint: implicit, keeps the energy of a passive robot; euler: semi-implicit, a sixth "
           "of the time, as on a chip; euler_middle: a third, with the Coriolis terms of the "
           "step's middle; rk4: Runge-Kutta (default: midpoint" +
               told(", and rk4 for --stepper lagrange") + ")")
      .one_of({"euler", "euler_middle", "midpoint", "rk4"})
      .shown_as("euler|euler_middle|midpoint|rk4");
  command.add("--dt", options.dt, "A step, in seconds (default: 0.001)").positive();
  command.add("--duration", options.duration, "Seconds to simulate").positive().shows_default();
  add_scalar_option(command, options.scalar);
  command
      .add("--gravity", options.gravity,
           "In the world, m/s^2 (default: 0,0,-9.81" + told(", or the mechanism's") + ")")
      .list(3)
      .shown_as("X,Y,Z");
  command.add("--start", options.start,
              "JSON file with q and v by joint, " + told("or x and v by body, ") +
                  "or zero; default: at rest in the pose nearest to zero within the limits" +
                  told(", or as the mechanism says"));
  command.add("--torques", options.torques,
              "CSV file with columns time, tau.JOINT; a row acts until the next; default: no "
              "torques");
  add_hold_option(command, options.hold).excludes("--torques");
  add_bound_options(command, options.bounds);
  add_drop_option(command, options.drop,
                  "0, unless --start " + told("or --restore ") + "says where");
}

}  // namespace lockstep::host::sim
