#include <pybind11/stl.h>

#include "python/numbers.hpp"

namespace lockstep::host::python {

namespace {

Axes axes_of(const std::string& word) {
  Axes axes{};
  choose(word, "axes", {"world", "link"}, [&](int i) { axes = static_cast<Axes>(i); });
  return axes;
}

}  // namespace

void bind_geometry(py::class_<Robot>& type) {
  const py::tuple earth = py::make_tuple(0.0, 0.0, -9.81);
  const auto size = [](std::size_t n) { return static_cast<py::ssize_t>(n); };
  type.def(
      "pose",
      [size](const Robot& own, const py::object& q, const std::string& link, int threads) {
        Dynamics& robot = *own.dynamics;
        Numbers numbers(threads);
        const Rows q_rows = numbers.take(q, "q", {size(robot.configs())});
        const NamedFrame& frame = robot.link(link);
        auto pose = numbers.make({4, 4});
        double* const to = pose.mutable_data();
        compute([&] { robot.pose(numbers.call(), q_rows, frame, to); });
        return pose;
      },
      py::arg("q"), py::arg("link"), py::kw_only(), py::arg("threads") = 0,
      "The link's frame in the world, shape (4, 4): R_WL and p_WL [m] above (0, 0, 0, 1).");
  type.def(
      "twist",
      [size](const Robot& own, const py::object& q, const py::object& v, const std::string& link,
             const std::string& axes, int threads) {
        Dynamics& robot = *own.dynamics;
        Numbers numbers(threads);
        const Rows q_rows = numbers.take(q, "q", {size(robot.configs())}),
                   v_rows = numbers.take(v, "v", {size(robot.dofs())});
        const NamedFrame& frame = robot.link(link);
        const Axes along = axes_of(axes);
        auto twist = numbers.make({6});
        double* const to = twist.mutable_data();
        compute([&] { robot.twist(numbers.call(), q_rows, v_rows, frame, along, to); });
        return twist;
      },
      py::arg("q"), py::arg("v"), py::arg("link"), py::kw_only(), py::arg("axes") = "world",
      py::arg("threads") = 0,
      "The link's velocity at its origin: linear [m/s], then angular [rad/s], along the axes of\n"
      "the world or of the link.");
  type.def(
      "jacobian",
      [size](const Robot& own, const py::object& q, const std::string& link,
             const std::string& axes, int threads) {
        Dynamics& robot = *own.dynamics;
        Numbers numbers(threads);
        const Rows q_rows = numbers.take(q, "q", {size(robot.configs())});
        const NamedFrame& frame = robot.link(link);
        const Axes along = axes_of(axes);
        auto J = numbers.make({6, size(robot.dofs())});
        double* const to = J.mutable_data();
        compute([&] { robot.jacobian(numbers.call(), q_rows, frame, along, to); });
        return J;
      },
      py::arg("q"), py::arg("link"), py::kw_only(), py::arg("axes") = "world",
      py::arg("threads") = 0, "J with J v = twist(q, v, link), shape (6, nv).");
  type.def(
      "centre_of_mass",
      [size](const Robot& own, const py::object& q, int threads) {
        Dynamics& robot = *own.dynamics;
        Numbers numbers(threads);
        const Rows q_rows = numbers.take(q, "q", {size(robot.configs())});
        auto centre = numbers.make({3});
        double* const to = centre.mutable_data();
        compute([&] { robot.centre_of_mass(numbers.call(), q_rows, to); });
        return centre;
      },
      py::arg("q"), py::kw_only(), py::arg("threads") = 0, "In the world [m], shape (3,).");
  type.def(
      "momentum",
      [size](const Robot& own, const py::object& q, const py::object& v, int threads) {
        Dynamics& robot = *own.dynamics;
        Numbers numbers(threads);
        const Rows q_rows = numbers.take(q, "q", {size(robot.configs())}),
                   v_rows = numbers.take(v, "v", {size(robot.dofs())});
        auto momentum = numbers.make({3, 3});
        double* const to = momentum.mutable_data();
        compute([&] { robot.momentum(numbers.call(), q_rows, v_rows, to); });
        return momentum;
      },
      py::arg("q"), py::arg("v"), py::kw_only(), py::arg("threads") = 0,
      "In world axes, shape (3, 3): linear [kg m/s], angular about the world's origin, angular\n"
      "about the centre of mass [kg m^2/s].");
  type.def(
      "energy",
      [size](const Robot& own, const py::object& q, const py::object& v, const Gravity& gravity,
             int threads) {
        Dynamics& robot = *own.dynamics;
        Numbers numbers(threads);
        const Rows q_rows = numbers.take(q, "q", {size(robot.configs())}),
                   v_rows = numbers.take(v, "v", {size(robot.dofs())});
        auto kinetic = numbers.make({}), potential = numbers.make({});
        double *const kinetic_to = kinetic.mutable_data(), *const to = potential.mutable_data();
        compute([&] { robot.energy(numbers.call(), q_rows, v_rows, gravity, kinetic_to, to); });
        return py::make_tuple(numbers.number(kinetic), numbers.number(potential));
      },
      py::arg("q"), py::arg("v") = py::none(), py::kw_only(), py::arg("gravity") = earth,
      py::arg("threads") = 0,
      "(kinetic, potential) [J]: rotors and springs included, weight zero at the world's origin.");
  type.def(
      "integrate",
      [size](const Robot& own, const py::object& q, const py::object& v, double dt, int threads) {
        Dynamics& robot = *own.dynamics;
        Numbers numbers(threads);
        const Rows q_rows = numbers.take(q, "q", {size(robot.configs())}),
                   v_rows = numbers.take(v, "v", {size(robot.dofs())});
        auto moved = numbers.make({size(robot.configs())});
        double* const to = moved.mutable_data();
        compute([&] { robot.integrate(numbers.call(), q_rows, v_rows, dt, to); });
        return moved;
      },
      py::arg("q"), py::arg("v"), py::arg("dt") = 1.0, py::kw_only(), py::arg("threads") = 0,
      "q (+) dt v: where the constant rates v lead within dt [s].");
  type.def(
      "difference",
      [size](const Robot& own, const py::object& q_from, const py::object& q_to, int threads) {
        Dynamics& robot = *own.dynamics;
        Numbers numbers(threads);
        const Rows from = numbers.take(q_from, "q_from", {size(robot.configs())}),
                   until = numbers.take(q_to, "q_to", {size(robot.configs())});
        auto v = numbers.make({size(robot.dofs())});
        double* const to = v.mutable_data();
        compute([&] { robot.difference(numbers.call(), from, until, to); });
        return v;
      },
      py::arg("q_from"), py::arg("q_to"), py::kw_only(), py::arg("threads") = 0,
      "The constant rates v that lead from one configuration to another in a second.");
}

}  // namespace lockstep::host::python
