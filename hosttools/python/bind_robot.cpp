#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "lockstep/body_data.hpp"
#include "model/content_hash.hpp"
#include "oracle/world.hpp"
#include "python/numbers.hpp"
#include "robot/placement.hpp"
#include "text/finding.hpp"
#include "text/suggest.hpp"

namespace lockstep::host::python {

namespace {

struct Joint {
  std::string name, type;
  int body, q, v, q_count, v_count;
  Limits limits;
};

const char* type_name(JointType type) {
  switch (type) {
    case JointType::kRevolute: return "revolute";
    case JointType::kPrismatic: return "prismatic";
    case JointType::kPlanar: return "planar";
    case JointType::kBall: return "ball";
    case JointType::kFloating: return "floating";
  }
  return "";
}

// One place, or several.
py::object place(int first, int count) {
  if (count == 1) return py::int_(first);
  return py::slice(first, first + count, 1);
}

std::vector<Joint> joints_of(const Tree& tree) {
  std::vector<Joint> joints;
  Counts at;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Body& body = tree.bodies[i];
    joints.push_back({tree.joint_names[i], type_name(body.joint), static_cast<int>(i), at.q, at.v,
                      config_count(body.joint), dof_count(body.joint), body.limits});
    at.add(body.joint);
  }
  return joints;
}

Joint joint_of(const Robot& robot, const std::string& name) {
  const Tree& tree = robot.dynamics->tree();
  for (const Joint& joint : joints_of(tree)) {
    if (joint.name == name) return joint;
  }
  const std::string_view near =
      nearest_word(name, {tree.joint_names.begin(), tree.joint_names.end()});
  throw Error(robot.file + ": has no joint " + quote(name) + " that moves" +
              (near.empty() ? "; see robot.joints" : "; did you mean " + quote(near) + "?"));
}

Robot load(const std::filesystem::path& path, const std::optional<std::string>& base,
           bool ignore_damping, bool ignore_mimic, bool keep_rotors, bool accept_unphysical,
           bool freeze_massless, double inertia_floor,
           const std::vector<std::filesystem::path>& package_paths, const std::string& mesh) {
  const std::string file = path.string();
  LoadOptions options;
  options.file = file;
  using Base = ReduceOptions::Base;
  if (base) {
    choose(*base, "base", {"fixed", "floating"},
           [&](int i) { options.reduce.base = i == 0 ? Base::kFixed : Base::kFloating; });
  }
  options.reduce.ignore_damping = ignore_damping;
  options.reduce.ignore_mimic = options.read.ignore_mimic = ignore_mimic;
  options.keep_rotors = keep_rotors;
  options.reduce.accept_unphysical = accept_unphysical;
  options.reduce.freeze_massless = freeze_massless;
  if (!(inertia_floor >= 0)) throw Error("inertia_floor: needs 0 or more, in kg m^2");
  options.reduce.inertia_floor = inertia_floor;
  options.read.mesh.package_paths = package_paths;
  choose(mesh, "mesh", {"points", "box", "sphere", "capsule", "inertia"}, [&](int i) {
    constexpr std::array kFits = {MeshFit::kPoints, MeshFit::kBox, MeshFit::kSphere,
                                  MeshFit::kCapsule, MeshFit::kInertia};
    options.read.mesh.fit = kFits[static_cast<std::size_t>(i)];
  });
  std::vector<std::string> warnings;
  options.tell = [&](const std::string& line) { warnings.push_back(line); };
  Robot robot{file, std::make_shared<Dynamics>(load_robot(options)), options};
  robot.options.tell = {};
  for (const std::string& line : warnings) {
    if (PyErr_WarnEx(PyExc_UserWarning, line.c_str(), 1) != 0) throw py::error_already_set();
  }
  return robot;
}

void bind_joint(py::module_& module) {
  py::class_<Joint>(module, "Joint", "Where a joint's numbers stand, and its limits.")
      .def_readonly("name", &Joint::name)
      .def_readonly("type", &Joint::type, "revolute, prismatic, planar, ball or floating")
      .def_readonly("index", &Joint::body, "its row in reactions and external wrenches")
      .def_property_readonly(
          "q", [](const Joint& own) { return place(own.q, own.q_count); },
          "its place in q: an index, or a slice of several numbers")
      .def_property_readonly(
          "v", [](const Joint& own) { return place(own.v, own.v_count); },
          "its place in v, tau and vdot: an index, or a slice")
      .def_property_readonly(
          "lower", [](const Joint& own) { return own.limits.lower; }, "rad or m")
      .def_property_readonly(
          "upper", [](const Joint& own) { return own.limits.upper; }, "rad or m")
      .def_property_readonly(
          "velocity", [](const Joint& own) { return own.limits.velocity; }, "rad/s or m/s")
      .def_property_readonly(
          "effort", [](const Joint& own) { return own.limits.effort; }, "N m or N")
      .def("__repr__",
           [](const Joint& own) { return "<Joint '" + own.name + "' " + own.type + ">"; });
}

}  // namespace

void bind_robot(py::module_& module) {
  bind_joint(module);
  py::class_<Robot> robot(
      module, "Robot",
      "A robot: made by load(). q, v and tau are those of docs/notation.md, SI units and radians.\n"
      "Arguments are of one state, shape (nq,) or (nv,), or with a state a row, (n, nq) or (n, "
      "nv);\n"
      "results have the same leading axis. Batches are computed on all cores, or on so many\n"
      "threads, while the interpreter goes on; each state has the bits that it has alone.");
  robot.def_readonly("file", &Robot::file)
      .def_property_readonly("name", [](const Robot& own) { return own.dynamics->tree().name; })
      .def_property_readonly(
          "hash", [](const Robot& own) { return hash_text(content_hash(own.dynamics->tree())); },
          "of the model's content, as `lockstep inspect` tells it")
      .def_property_readonly(
          "nq", [](const Robot& own) { return own.dynamics->configs(); }, "numbers in q")
      .def_property_readonly(
          "nv", [](const Robot& own) { return own.dynamics->dofs(); }, "numbers in v, tau, vdot")
      .def_property_readonly(
          "bodies", [](const Robot& own) { return own.dynamics->bodies(); },
          "rows in reactions and external wrenches: links that move")
      .def_property_readonly(
          "joints", [](const Robot& own) { return joints_of(own.dynamics->tree()); },
          "that move, in order")
      .def_property_readonly(
          "links", [](const Robot& own) { return own.dynamics->tree().frame_names; },
          "every link of the file")
      .def("joint", &joint_of, py::arg("name"), "A joint by its name.")
      .def(
          "zero", [](const Robot& own) { return to_array(rest(own.dynamics->tree().bodies).q); },
          "The zero configuration, quaternions (0, 0, 0, 1).")
      .def(
          "start",
          [](const Robot& own) { return to_array(usual_start(own.file, own.dynamics->tree()).q); },
          "The pose nearest to zero within the limits in which loops and couplings hold.")
      .def("__repr__", [](const Robot& own) {
        return "<Robot '" + own.dynamics->tree().name +
               "' nq=" + std::to_string(own.dynamics->configs()) +
               " nv=" + std::to_string(own.dynamics->dofs()) + ">";
      });
  bind_dynamics(robot);
  bind_geometry(robot);
  module.def("load", &load, py::arg("file"), py::kw_only(), py::arg("base") = py::none(),
             py::arg("ignore_damping") = false, py::arg("ignore_mimic") = false,
             py::arg("keep_rotors") = false, py::arg("accept_unphysical") = false,
             py::arg("freeze_massless") = false, py::arg("inertia_floor") = 0.0,
             py::arg("package_paths") = std::vector<std::filesystem::path>(),
             py::arg("mesh") = "points",
             "Reads a URDF file. base: None (as the file says), 'fixed' or 'floating'. The others\n"
             "are the tool's options of these names. Warns as the tool does, by UserWarning;\n"
             "raises Error, which names the file, the element and the remedy.");
}

}  // namespace lockstep::host::python
