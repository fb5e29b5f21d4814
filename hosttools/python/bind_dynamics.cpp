#include <pybind11/stl.h>

#include "python/numbers.hpp"

namespace lockstep::host::python {

void bind_dynamics(py::class_<Robot>& type) {
  const py::tuple earth = py::make_tuple(0.0, 0.0, -9.81);
  const auto size = [](std::size_t n) { return static_cast<py::ssize_t>(n); };
  type.def(
      "forward_dynamics",
      [size](const Robot& own, const py::object& q, const py::object& v, const py::object& tau,
             const py::object& external, const Gravity& gravity, bool reactions,
             int threads) -> py::object {
        Dynamics& robot = *own.dynamics;
        Numbers numbers(threads);
        const Rows q_rows = numbers.take(q, "q", {size(robot.configs())}),
                   v_rows = numbers.take(v, "v", {size(robot.dofs())}),
                   tau_rows = numbers.take(tau, "tau", {size(robot.dofs())});
        Rows f_rows;
        const std::vector<py::ssize_t> wrenches = {size(robot.bodies()), 6};
        if (!external.is_none()) f_rows = numbers.take(external, "external", wrenches);
        auto vdot = numbers.make({size(robot.dofs())});
        auto reaction = reactions ? numbers.make(wrenches) : py::array_t<double>();
        double* const to = vdot.mutable_data();
        double* const reaction_to = reactions ? reaction.mutable_data() : nullptr;
        compute([&] {
          robot.forward_dynamics(numbers.call(), q_rows, v_rows, tau_rows, f_rows, gravity, to,
                                 reaction_to);
        });
        if (reactions) return py::make_tuple(vdot, reaction);
        return vdot;
      },
      py::arg("q"), py::arg("v") = py::none(), py::arg("tau") = py::none(), py::kw_only(),
      py::arg("external") = py::none(), py::arg("gravity") = earth, py::arg("reactions") = false,
      py::arg("threads") = 0,
      "Accelerations vdot [rad/s^2, m/s^2] under the efforts tau [N m, N]; loops, couplings and\n"
      "mimics hold. external: a wrench on each body, (force [N], moment [N m]) at its link's\n"
      "origin in link axes, shape (bodies, 6). With reactions=True also what each joint passes to\n"
      "its child link, shape (bodies, 6), in the same way. gravity [m/s^2] is in the world.");
  type.def(
      "inverse_dynamics",
      [size](const Robot& own, const py::object& q, const py::object& v, const py::object& vdot,
             const py::object& external, const Gravity& gravity, int threads) {
        Dynamics& robot = *own.dynamics;
        Numbers numbers(threads);
        const Rows q_rows = numbers.take(q, "q", {size(robot.configs())}),
                   v_rows = numbers.take(v, "v", {size(robot.dofs())}),
                   a_rows = numbers.take(vdot, "vdot", {size(robot.dofs())});
        Rows f_rows;
        if (!external.is_none()) {
          f_rows = numbers.take(external, "external", {size(robot.bodies()), 6});
        }
        auto tau = numbers.make({size(robot.dofs())});
        double* const to = tau.mutable_data();
        compute([&] {
          robot.inverse_dynamics(numbers.call(), q_rows, v_rows, a_rows, f_rows, gravity, to);
        });
        return tau;
      },
      py::arg("q"), py::arg("v") = py::none(), py::arg("vdot") = py::none(), py::kw_only(),
      py::arg("external") = py::none(), py::arg("gravity") = earth, py::arg("threads") = 0,
      "The efforts tau [N m, N] that cause the accelerations vdot; damping and springs included.\n"
      "Loops and couplings that are rows are not looked at.");
  type.def(
      "gravity_torque",
      [size](const Robot& own, const py::object& q, const Gravity& gravity, int threads) {
        Dynamics& robot = *own.dynamics;
        Numbers numbers(threads);
        const Rows q_rows = numbers.take(q, "q", {size(robot.configs())});
        auto tau = numbers.make({size(robot.dofs())});
        double* const to = tau.mutable_data();
        compute([&] { robot.gravity_torque(numbers.call(), q_rows, gravity, to); });
        return tau;
      },
      py::arg("q"), py::kw_only(), py::arg("gravity") = earth, py::arg("threads") = 0,
      "The efforts [N m, N] that hold the robot still at q.");
  type.def(
      "mass_matrix",
      [size](const Robot& own, const py::object& q, int threads) {
        Dynamics& robot = *own.dynamics;
        Numbers numbers(threads);
        const Rows q_rows = numbers.take(q, "q", {size(robot.configs())});
        auto M = numbers.make({size(robot.dofs()), size(robot.dofs())});
        double* const to = M.mutable_data();
        compute([&] { robot.mass_matrix(numbers.call(), q_rows, to); });
        return M;
      },
      py::arg("q"), py::kw_only(), py::arg("threads") = 0,
      "M(q), symmetric, shape (nv, nv) [kg m^2, kg m, kg].");
  type.def(
      "step",
      [size](const Robot& own, const py::object& q, const py::object& v, const py::object& tau,
             double dt, const std::string& integrator, const Gravity& gravity, int threads) {
        Dynamics& robot = *own.dynamics;
        Integrator how{};
        choose(integrator, "integrator", {"euler", "midpoint", "rk4", "euler_middle"}, [&](int i) {
          constexpr std::array kKnown = {Integrator::kSemiImplicitEuler, Integrator::kMidpoint,
                                         Integrator::kRungeKutta4, Integrator::kEulerMiddle};
          how = kKnown[static_cast<std::size_t>(i)];
        });
        Numbers numbers(threads);
        const Rows q_rows = numbers.take(q, "q", {size(robot.configs())}),
                   v_rows = numbers.take(v, "v", {size(robot.dofs())}),
                   tau_rows = numbers.take(tau, "tau", {size(robot.dofs())});
        auto q_next = numbers.make({size(robot.configs())});
        auto v_next = numbers.make({size(robot.dofs())});
        double *const q_to = q_next.mutable_data(), *const v_to = v_next.mutable_data();
        compute([&] {
          robot.step(numbers.call(), q_rows, v_rows, tau_rows, dt, how, gravity, q_to, v_to);
        });
        return py::make_tuple(q_next, v_next);
      },
      py::arg("q"), py::arg("v") = py::none(), py::arg("tau") = py::none(), py::kw_only(),
      py::arg("dt") = 0.001, py::arg("integrator") = "midpoint", py::arg("gravity") = earth,
      py::arg("threads") = 0,
      "(q, v) a time dt [s] later, tau [N m, N] held. integrator: euler (semi-implicit), midpoint\n"
      "(implicit, keeps the energy of a passive robot) or rk4. Loops and couplings hold; no "
      "limit,\n"
      "dry friction or contact acts: those are Simulation's.");
}

}  // namespace lockstep::host::python
