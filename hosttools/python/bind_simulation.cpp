#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <numeric>

#include "model/content_hash.hpp"
#include "python/numbers.hpp"
#include "python/simulation.hpp"
#include "record/plots.hpp"
#include "robot/devices.hpp"
#include "system/write_file.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host::python {

namespace {

// A state to come back to, with all that the future depends on.
struct State {
  SimState own;
};

class Simulation {
 public:
  Simulation(const Robot& robot, const RunOptions& options)
      : robot_(robot),
        run_(std::shared_ptr<const RobotTrees>(robot.dynamics, &robot.dynamics->trees()),
             robot.file, options) {}

  const Robot& robot() const { return robot_; }
  Run& run() { return run_; }
  const Run& run() const { return run_; }

 private:
  Robot robot_;
  Run run_;
};

void require_within(double value, const char* name, bool positive) {
  if (!(positive ? value > 0 : value >= 0) || !is_finite(value)) {
    throw Error(std::string(name) + ": needs a number above 0" + (positive ? "" : ", or 0"));
  }
}

std::optional<Hold> hold_of(const std::optional<std::pair<double, double>>& gains) {
  if (!gains) return std::nullopt;
  require_within(gains->first, "hold", false);
  require_within(gains->second, "hold", false);
  return Hold{gains->first, gains->second};
}

// None, a word, a file's name or a height.
std::string ground_of(const py::object& ground) {
  if (ground.is_none()) return "";
  if (py::isinstance<py::str>(ground)) return ground.cast<std::string>();
  return write_number(ground.cast<double>());
}

std::unique_ptr<Simulation> make(
    const Robot& robot, double dt, const std::string& integrator, const std::string& scalar,
    const std::string& stabilization, const py::object& q, const py::object& v,
    const std::optional<double>& drop, const std::optional<std::pair<double, double>>& hold,
    const Gravity& gravity, const py::object& ground, const std::optional<double>& friction,
    const std::optional<double>& restitution, const std::optional<double>& stiffness,
    const std::optional<double>& damping, const std::vector<std::string>& limits,
    bool joint_friction, int max_contacts, const std::string& contact_solver,
    const std::optional<std::filesystem::path>& restore) {
  RunOptions options;
  require_within(dt, "dt", true);
  choose(integrator, "integrator", {"midpoint", "euler", "euler_middle", "rk4"}, [](int) {});
  choose(scalar, "scalar", {"double", "float"}, [](int) {});
  choose(stabilization, "stabilization", {"baumgarte", "projection", "none"}, [](int) {});
  choose(contact_solver, "contact_solver", {"newton", "pivoting", "gauss_seidel"}, [](int) {});
  for (const std::string& limit : limits) {
    choose(limit, "limits", {"urdf", "none", "position", "effort", "velocity"}, [](int) {});
  }
  if (drop) require_within(*drop, "drop", false);
  if (friction) require_within(*friction, "ground_friction", false);
  if (restitution && !(*restitution >= 0 && *restitution <= 1)) {
    throw Error("ground_restitution: needs 0 to 1");
  }
  if (stiffness) require_within(*stiffness, "ground_stiffness", true);
  if (damping) require_within(*damping, "ground_damping", false);
  if (damping && !stiffness) throw Error("ground_damping: needs ground_stiffness");
  if (max_contacts < 0 || max_contacts > kHostRoom.contacts) {
    throw Error("max_contacts: needs 0 to " + std::to_string(kHostRoom.contacts));
  }
  if (restore && (!q.is_none() || !v.is_none() || drop)) {
    throw Error("restore: brings its own state; leave out q, v and drop");
  }
  options.dt = dt;
  options.integrator = integrator;
  options.scalar = scalar;
  options.stabilization = stabilization;
  const Dynamics& dynamics = *robot.dynamics;
  if (!q.is_none()) options.q = vector_of(q, "q", dynamics.configs());
  if (!v.is_none()) options.v = vector_of(v, "v", dynamics.dofs());
  options.drop = drop;
  options.hold = hold_of(hold);
  options.gravity = gravity;
  options.bounds = {.limits = limits,
                    .friction = joint_friction ? "urdf" : "none",
                    .ground = ground_of(ground),
                    .ground_friction = friction,
                    .ground_restitution = restitution,
                    .ground_stiffness = stiffness,
                    .ground_damping = damping,
                    .contact_solver = contact_solver,
                    .most_contacts = max_contacts};
  if (restore) options.restore = restore->string();
  refuse_devices(robot.options, "Simulation");
  return std::make_unique<Simulation>(robot, options);
}

void step(Simulation& own, const py::object& tau, std::int64_t count) {
  if (count < 0) throw Error("n: needs 0 or more steps");
  Run& run = own.run();
  if (!tau.is_none()) {
    if (run.is_held()) throw Error("tau: drives hold the robot; call release() first");
    run.torques = vector_of(tau, "tau", own.robot().dynamics->dofs());
  }
  const py::gil_scoped_release released;
  run.step(static_cast<std::uint64_t>(count));
}

py::dict contacts(const Simulation& own) {
  const Run& run = own.run();
  const Bounded& bounded = run.bounded();
  const JointMoment& moment = run.moment();
  const Tree& tree = own.robot().dynamics->trees().computed;
  py::dict links;
  auto at = static_cast<Eigen::Index>(bounded.limited.size() + bounded.rubbing.size());
  Eigen::Index place = 0;
  for (const int body : bounded.touching) {
    const Eigen::Vector3d force = moment.bounded.segment<3>(at);
    if (force.norm() > 0) {
      links[py::str(tree.link_names[lockstep::at(body)])] =
          py::make_tuple(to_array(force), to_array(moment.contact_at.segment<3>(place)));
    }
    at += 3, place += 3;
  }
  return links;
}

py::dict joint_forces(const Simulation& own, const std::vector<int>& bodies, Eigen::Index first) {
  const Tree& tree = own.robot().dynamics->trees().computed;
  py::dict joints;
  for (const int body : bodies) {
    joints[py::str(tree.joint_names[lockstep::at(body)])] = own.run().moment().bounded[first++];
  }
  return joints;
}

// `q.elbow [rad]` again.
RecordColumn column_of(const std::string& header) {
  const std::size_t unit = header.rfind(" [");
  if (unit == std::string::npos || !header.ends_with(']')) return {header, ""};
  return {header.substr(0, unit), header.substr(unit + 2, header.size() - unit - 3)};
}

void plot(const std::filesystem::path& path, const std::vector<std::string>& columns,
          const py::array_t<double>& times, const py::array_t<double>& rows,
          const std::string& title) {
  Record record([&] {
    std::vector<RecordColumn> named;
    for (const std::string& column : columns) named.push_back(column_of(column));
    return named;
  }());
  const auto width = static_cast<py::ssize_t>(columns.size());
  if (times.ndim() != 1 || rows.ndim() != 2 || rows.shape(0) != times.shape(0) ||
      rows.shape(1) != width || width == 0) {
    throw Error("plot: give columns, as many times, and a row of a number a column for each");
  }
  std::vector<double> row(columns.size());
  for (py::ssize_t i = 0; i < times.shape(0); ++i) {
    for (py::ssize_t k = 0; k < width; ++k) row[static_cast<std::size_t>(k)] = rows.at(i, k);
    record.add(times.at(i), row);
  }
  std::vector<std::size_t> all(columns.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  write_file(path.string(), to_svg(title, record.panels("", all)));
}

}  // namespace

void bind_simulation(py::module_& module) {
  module.def("plot", &plot, py::arg("path"), py::arg("columns"), py::arg("times"), py::arg("rows"),
             py::arg("title") = "",
             "Draws columns, 'q.elbow [rad]', over times [s] into an SVG file, a chart a unit.");
  py::class_<State>(module, "State", "A state of a simulation, every bit of it, to come back to.")
      .def_property_readonly("q", [](const State& own) { return to_array(own.own.q); })
      .def_property_readonly("v", [](const State& own) { return to_array(own.own.v); })
      .def_property_readonly("steps", [](const State& own) { return own.own.step; })
      .def_property_readonly("hash", [](const State& own) { return hash_text(own.own.hash); });

  py::class_<Simulation> simulation(
      module, "Simulation",
      "`lockstep sim` step by step, with the same bits and the same hash: limits and dry friction\n"
      "of joints, ground, contacts, loops. Arguments are its options: docs/simulation.md.\n"
      "One thread at a time may use it; others may use others.");
  simulation.def(
      py::init(&make), py::arg("robot"), py::kw_only(), py::arg("dt") = 0.001,
      py::arg("integrator") = "midpoint", py::arg("scalar") = "double",
      py::arg("stabilization") = "baumgarte", py::arg("q") = py::none(), py::arg("v") = py::none(),
      py::arg("drop") = py::none(), py::arg("hold") = py::none(),
      py::arg("gravity") = py::make_tuple(0.0, 0.0, -9.81), py::arg("ground") = py::none(),
      py::arg("ground_friction") = py::none(), py::arg("ground_restitution") = py::none(),
      py::arg("ground_stiffness") = py::none(), py::arg("ground_damping") = py::none(),
      py::arg("limits") = std::vector<std::string>{"urdf"}, py::arg("joint_friction") = true,
      py::arg("max_contacts") = kHostContacts, py::arg("contact_solver") = "newton",
      py::arg("restore") = py::none(),
      "q, v: where it starts (None: as `lockstep sim` places the robot). drop: the height of its\n"
      "lowest point above the ground [m]. hold: (kp, kd) [N m/rad, N m s/rad] of drives that hold\n"
      "the start. ground: None (a plane under what floats), 'none', 'plane', a height [m] or a\n"
      "file. restore: a file that save() or `lockstep sim --save` wrote, with its dt.");
  simulation
      .def("step", &step, py::arg("tau") = py::none(), py::arg("n") = 1,
           "Moves on by n steps under the efforts tau [N m, N], within the joints' limits. They\n"
           "last until others are given.")
      .def(
          "hold",
          [](Simulation& own, double kp, double kd, const py::object& q) {
            std::optional<Eigen::VectorXd> held;
            if (!q.is_none()) held = vector_of(q, "q", own.robot().dynamics->configs());
            own.run().hold(*hold_of(std::pair(kp, kd)), held);
          },
          py::arg("kp"), py::arg("kd"), py::arg("q") = py::none(),
          "From now on drives hold q (None: where it is), implicit in the step.")
      .def(
          "release", [](Simulation& own) { own.run().release(); }, "Nothing holds it any more.")
      .def(
          "save",
          [](const Simulation& own, const std::filesystem::path& path) {
            own.run().save(path.string());
          },
          py::arg("path"), "Writes the state as `lockstep sim --save` does.")
      .def_property(
          "state", [](const Simulation& own) { return State{own.run().state()}; },
          [](Simulation& own, const State& state) { own.run().set_state(state.own); },
          "All that the future depends on; may be set.")
      .def_property_readonly("robot", [](const Simulation& own) { return own.robot(); })
      .def_property_readonly("q",
                             [](const Simulation& own) { return to_array(own.run().state().q); })
      .def_property_readonly("v",
                             [](const Simulation& own) { return to_array(own.run().state().v); })
      .def_property_readonly(
          "tau", [](const Simulation& own) { return to_array(own.run().moment().tau); },
          "What acted in the last step, cut to the joints' efforts [N m, N].")
      .def_property_readonly(
          "dt", [](const Simulation& own) { return own.run().dt(); }, "[s]")
      .def_property_readonly(
          "time", [](const Simulation& own) { return own.run().time(); }, "[s]")
      .def_property_readonly("steps", [](const Simulation& own) { return own.run().state().step; })
      .def_property_readonly(
          "hash", [](const Simulation& own) { return hash_text(own.run().state().hash); },
          "Over every q and v since step 0, as `lockstep sim` prints it.")
      .def_property_readonly(
          "energy",
          [](const Simulation& own) {
            const Mechanics now = own.run().energy();
            return py::make_tuple(now.kinetic, now.potential);
          },
          "(kinetic, potential) [J]; of springs, of rows and contacts that yield too.")
      .def_property_readonly("contacts", &contacts,
                             "Of the last step, by link: (force [N], point [m]) in the world. A\n"
                             "link's contacts are summed, and their points weighed.")
      .def_property_readonly(
          "limit_forces",
          [](const Simulation& own) { return joint_forces(own, own.run().bounded().limited, 0); },
          "Of the last step, by joint [N m, N].")
      .def_property_readonly(
          "friction_forces",
          [](const Simulation& own) {
            const Bounded& bounded = own.run().bounded();
            return joint_forces(own, bounded.rubbing,
                                static_cast<Eigen::Index>(bounded.limited.size()));
          },
          "Of the last step, by joint [N m, N].")
      .def_property_readonly(
          "reactions",
          [](const Simulation& own) {
            const Matrix6Xd& reaction = own.run().moment().reaction;
            py::array_t<double> rows({reaction.cols(), Eigen::Index(6)});
            std::copy_n(reaction.data(), reaction.size(), rows.mutable_data());
            return rows;
          },
          "Of the last step: what each joint passes to its link, as Robot.forward_dynamics.")
      .def_property_readonly(
          "limited", [](const Simulation& own) { return own.run().limited(); },
          "How many efforts were cut so far.")
      .def_property_readonly(
          "columns",
          [](const Simulation& own) {
            std::vector<std::string> names;
            for (const RecordColumn& column : own.run().columns()) {
              names.push_back(header_of(column));
            }
            return names;
          },
          "The columns of `lockstep sim --csv` but time: 'q.elbow [rad]'.")
      .def(
          "row",
          [](const Simulation& own) {
            const std::vector<double> row = own.run().row();
            return py::array_t<double>(static_cast<py::ssize_t>(row.size()), row.data());
          },
          "The numbers of these columns now; tau is what acted in the last step.");
}

}  // namespace lockstep::host::python
