#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <string>

#include "eval/states.hpp"
#include "fuzz/targets.hpp"
#include "hil/scenario.hpp"
#include "mechanism/read.hpp"
#include "mesh/fit.hpp"
#include "mesh/hull.hpp"
#include "mesh/mesh.hpp"
#include "model/reduce.hpp"
#include "record/read.hpp"
#include "robot/ground.hpp"
#include "robot/state_file.hpp"
#include "sim/torques.hpp"
#include "text/error.hpp"
#include "urdf/read.hpp"

namespace lockstep::fuzz {

using namespace host;

namespace {

std::string text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The bytes as a file, for readers that open one.
class MemoryFile {
 public:
  explicit MemoryFile(Bytes bytes) : file_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    complain_unless(file_ >= 0, "no memfd");
    complain_unless(::write(file_, bytes.data(), bytes.size()) == ssize_t(bytes.size()),
                    "no memory for a file");
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(file_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

// Whether all went well; an error is one line that says something.
template <class F>
bool read(F&& reader) {
  try {
    reader();
    return true;
  } catch (const Error& error) {
    const std::string told = error.what();
    complain_unless(!told.empty() && told.find('\n') == std::string::npos,
                    "an error is not one line");
    return false;
  }
}

bool is_finite(double value) { return std::isfinite(value); }
template <class Vector>
bool is_finite(const Vector& values) {
  return values.allFinite();
}

// A robot with a joint of every kind that files of states speak of.
const Tree& robot() {
  static const Tree tree = [] {
    std::vector<Finding> warnings;
    const std::string inertial =
        "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
        "izz='1'/></inertial>";
    std::string text = "<robot name='r'><link name='base'/>";
    const char* kinds[] = {"revolute", "prismatic", "floating", "ball"};
    for (int i = 0; i < 4; ++i) {
      const std::string n = std::to_string(i);
      text += "<link name='l" + n + "'>" + inertial + "</link><joint name='j" + n + "' type='" +
              kinds[i] + "'><parent link='base'/><child link='l" + n +
              "'/><axis xyz='0 0 1'/>"
              "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>";
    }
    return reduce(read_urdf_text(text + "</robot>", "robot.urdf", {}, warnings), {});
  }();
  return tree;
}

template <class Read>
bool mesh(Read read_points, Bytes bytes) {
  try {
    const auto points = read_points(text_of(bytes));
    for (const MeshPoint& p : points) {
      // read_mesh looks at this; a format's own reader need not
      if (!(std::abs(p.x) <= 1e12 && std::abs(p.y) <= 1e12 && std::abs(p.z) <= 1e12)) return false;
    }
    if (points.empty() || points.size() > 1000) return false;
    const auto hull = convex_hull(points);
    if (hull.empty()) return false;
    for (const auto kind : {MeshFit::kPoints, MeshFit::kBox, MeshFit::kSphere, MeshFit::kCapsule}) {
      fit(hull, kind, 16);
    }
    return true;
  } catch (const BadMesh&) {
  } catch (const UnreadMesh&) {
  }
  return false;
}

}  // namespace

bool urdf(Bytes bytes) {
  return read([&] {
    std::vector<Finding> warnings;
    const Description robot = read_urdf_text(text_of(bytes), "fuzz.urdf", {}, warnings);
    for (const auto& link : robot.links) {
      complain_unless(
          is_finite(link.mass) && link.mass >= 0 && is_finite(link.com) && is_finite(link.inertia),
          "a link's inertia makes no sense");
    }
    for (const auto& joint : robot.joints) {
      complain_unless(is_finite(joint.R_PJ) && is_finite(joint.p_PJ) && is_finite(joint.damping),
                      "a joint's frame makes no sense");
    }
    if (robot.links.size() < 50) static_cast<void>(reduce(robot, {}));
  });
}
bool mechanism(Bytes bytes) {
  return read([&] {
    for (const Finding& finding : examine_mechanism_text(text_of(bytes), {}).findings) {
      if (finding.severity == Severity::kError) throw Error("a finding");
    }
  });
}
bool states(Bytes bytes) {
  const MemoryFile file(bytes);
  return read([&] {
    const StatesFile read_states(file.path(), robot());
    for (std::size_t i = 0; i < read_states.size(); ++i) {
      const auto state = read_states.state(i);
      complain_unless(is_finite(state.in.q) && is_finite(state.in.v) && is_finite(state.in.tau),
                      "a state is not finite");
    }
  });
}
bool start(Bytes bytes) {
  const MemoryFile file(bytes);
  const bool started = read([&] {
    const SimState state = read_start(file.path(), robot());
    complain_unless(is_finite(state.q) && is_finite(state.v), "a start is not finite");
  });
  const bool saved = read([&] { static_cast<void>(read_saved(file.path(), robot(), "double")); });
  return started || saved;
}
bool scenario(Bytes bytes) {
  const MemoryFile file(bytes);
  return read([&] {
    const auto asked = hil::read_scenario(file.path());
    complain_unless(asked.dt() > 0 && is_finite(asked.dt()), "a time step makes no sense");
  });
}
bool record(Bytes bytes) {
  const MemoryFile file(bytes);
  return read([&] { static_cast<void>(read_record(file.path()).csv()); });
}
bool torques(Bytes bytes) {
  const MemoryFile file(bytes);
  const RecordColumn columns[] = {{"tau.j0", "N m"}, {"tau.j1", "N"}};
  return read([&] { static_cast<void>(sim::read_torques(file.path(), columns, 0.001)); });
}
bool heights(Bytes bytes) {
  const MemoryFile file(bytes);
  return read([&] {
    Bounds bounds;
    read_ground(file.path(), bounds);
    complain_unless(bounds.has_ground() && bounds.heights != nullptr,
                    "no ground from a file of heights");
    complain_unless(AnyGround<double>(bounds, *bounds.heights).check() == Status::kOk,
                    "a field of heights makes no sense");
  });
}
bool stl(Bytes bytes) { return mesh(read_stl, bytes); }
bool obj(Bytes bytes) { return mesh(read_obj, bytes); }
bool collada(Bytes bytes) { return mesh(read_collada, bytes); }

}  // namespace lockstep::fuzz
