#include "robot.hpp"

#include <tinyxml2.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <stdexcept>

namespace reference {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using tinyxml2::XMLElement;

int config_count(JointType type) {
  return type == JointType::kFloating ? 7 : type == JointType::kBall ? 4 : 1;
}

int dof_count(JointType type) {
  return type == JointType::kFloating ? 6 : type == JointType::kBall ? 3 : 1;
}

Principal principal(const Inertial& inertial) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(inertial.moment);
  Principal result{solver.eigenvectors(), solver.eigenvalues()};
  if (result.R_LI.determinant() < 0) result.R_LI.col(0) *= -1;
  return result;
}

std::vector<std::pair<Vector3d, Vector3d>> Loop::right_angles() const {
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
  if (type == kBall) return {};
  if (type == kFixed) return {{x, y}, {y, z}, {z, x}};
  const Vector3d across = axis.unitOrthogonal();
  return {{axis, across}, {axis, axis.cross(across)}};
}

bool Robot::has(JointType type) const {
  return std::any_of(bodies.begin(), bodies.end(), [=](const Body& b) { return b.type == type; });
}

int Robot::configs() const { return bodies.back().q + config_count(bodies.back().type); }
int Robot::dofs() const { return bodies.back().v + dof_count(bodies.back().type); }

namespace {

Vector3d vector_of(const char* text) {
  if (text == nullptr) return Vector3d::Zero();
  std::istringstream stream(text);
  Vector3d v;
  if (!(stream >> v[0] >> v[1] >> v[2]))
    throw std::runtime_error("not three numbers: " + std::string(text));
  return v;
}

const char* attribute(const XMLElement* holder, const char* element, const char* name) {
  const XMLElement* child = holder->FirstChildElement(element);
  return child ? child->Attribute(name) : nullptr;
}

std::string text_of(const XMLElement* holder, const char* element, const char* name) {
  const char* value = attribute(holder, element, name);
  if (value == nullptr) throw std::runtime_error(std::string("no ") + element + " " + name);
  return value;
}

double number_of(const XMLElement* holder, const char* element, const char* name,
                 double otherwise) {
  const char* value = attribute(holder, element, name);
  return value ? std::stod(value) : otherwise;
}

Isometry3d origin_of(const XMLElement* holder) {
  const Vector3d rpy = vector_of(attribute(holder, "origin", "rpy"));
  Isometry3d X = Isometry3d::Identity();
  X.translation() = vector_of(attribute(holder, "origin", "xyz"));
  X.linear() =
      (Eigen::AngleAxisd(rpy[2], Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy[1], Vector3d::UnitY()) *
       Eigen::AngleAxisd(rpy[0], Vector3d::UnitX()))
          .toRotationMatrix();
  return X;
}

Vector3d axis_of(const XMLElement* holder) {
  const char* text = attribute(holder, "axis", "xyz");
  return text ? vector_of(text).normalized() : Vector3d(Vector3d::UnitX());
}

Inertial inertial_of(const XMLElement* link) {
  const XMLElement* element = link->FirstChildElement("inertial");
  if (element == nullptr) return {};
  const auto moment = [&](const char* name) { return number_of(element, "inertia", name, 0); };
  const Isometry3d X = origin_of(element);
  Matrix3d I;
  I << moment("ixx"), moment("ixy"), moment("ixz"), moment("ixy"), moment("iyy"), moment("iyz"),
      moment("ixz"), moment("iyz"), moment("izz");
  return {number_of(element, "mass", "value", 0), X.translation(),
          X.linear() * I * X.linear().transpose()};
}

// Of a point mass at r, about the origin.
Matrix3d point_moment(double mass, const Vector3d& r) {
  return mass * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
}

Inertial together(const Inertial& a, const Inertial& b) {
  const double mass = a.mass + b.mass;
  if (mass == 0) return {0, Vector3d::Zero(), a.moment + b.moment};
  const Vector3d com = (a.mass * a.com + b.mass * b.com) / mass;
  return {
      mass, com,
      a.moment + point_moment(a.mass, a.com - com) + b.moment + point_moment(b.mass, b.com - com)};
}

class Reader {
 public:
  Reader(const std::string& file, bool floating) {
    if (document_.LoadFile(file.c_str()) != tinyxml2::XML_SUCCESS)
      throw std::runtime_error(document_.ErrorStr());
    root_ = document_.FirstChildElement("robot");
    robot_.name = std::filesystem::path(file).stem().string();
    robot_.file = file;
    robot_.floating = floating;
  }

  Robot read() {
    const std::string base = root_link();
    Place place;
    if (robot_.floating) {
      Body body;
      body.joint = "root_joint";
      body.link = base;
      body.type_name = "floating";
      body.type = JointType::kFloating;
      place.body = push(body);
    }
    add_link(base, place);
    each("loop", [this](const XMLElement* e) { add_loop(e); });
    each("coupling", [this](const XMLElement* e) { add_coupling(e); });
    each("joint", [this](const XMLElement* e) { add_mimic(e); });
    return robot_;
  }

 private:
  // Where a link is: on a body, and where in that body's L.
  struct Place {
    int body = -1;
    Isometry3d X = Isometry3d::Identity();
  };

  template <class Use>
  void each(const char* name, Use use) const {
    for (const XMLElement* e = root_->FirstChildElement(name); e; e = e->NextSiblingElement(name)) {
      use(e);
    }
  }

  std::string root_link() const {
    std::string result;
    each("link", [&](const XMLElement* link) {
      bool carried = false;
      each("joint", [&](const XMLElement* joint) {
        carried |= text_of(joint, "child", "link") == link->Attribute("name");
      });
      if (!carried) result = link->Attribute("name");
    });
    return result;
  }

  void add_link(const std::string& name, const Place& place) {
    places_[name] = place;
    each("link", [&](const XMLElement* link) {
      if (name != link->Attribute("name") || place.body < 0) return;
      Inertial own = inertial_of(link);
      own.com = place.X * own.com;
      own.moment = place.X.linear() * own.moment * place.X.linear().transpose();
      Inertial& whole = body(place.body).inertial;
      whole = together(whole, own);
    });
    each("joint", [&](const XMLElement* joint) {
      if (text_of(joint, "parent", "link") == name) add_joint(joint, place);
    });
  }

  void add_joint(const XMLElement* joint, const Place& on) {
    const std::string type = joint->Attribute("type"), child = text_of(joint, "child", "link");
    const Isometry3d X_PJ = on.X * origin_of(joint);
    if (type == "fixed") return add_link(child, {on.body, X_PJ});
    Body added;
    added.joint = joint->Attribute("name");
    added.link = child;
    added.type_name = type;
    added.type = type_of(type);
    added.parent = on.body;
    added.X_PJ = X_PJ;
    added.axis = axis_of(joint);
    if (type != "continuous") {
      added.lower = number_of(joint, "limit", "lower", added.lower);
      added.upper = number_of(joint, "limit", "upper", added.upper);
    }
    added.effort = number_of(joint, "limit", "effort", 0);
    add_link(child, {push(added), Isometry3d::Identity()});
  }

  static JointType type_of(const std::string& type) {
    if (type == "revolute" || type == "continuous") return JointType::kRevolute;
    if (type == "prismatic") return JointType::kPrismatic;
    if (type == "ball") return JointType::kBall;
    throw std::runtime_error("joint type " + type + " is not known here");
  }

  void add_loop(const XMLElement* element) {
    const std::string type = element->Attribute("type");
    Loop loop;
    if (type == "revolute" || type == "continuous") {
      loop.type = Loop::kRevolute;
    } else if (type == "fixed") {
      loop.type = Loop::kFixed;
    } else if (type != "ball" && type != "spherical") {
      throw std::runtime_error("loop type " + type + " is not known here");
    }
    const Place& a = place_of(text_of(element, "predecessor", "link"));
    const Place& b = place_of(text_of(element, "successor", "link"));
    loop.a = a.body;
    loop.b = b.body;
    loop.X_A = a.X * origin_of(element->FirstChildElement("predecessor"));
    loop.X_B = b.X * origin_of(element->FirstChildElement("successor"));
    loop.axis = axis_of(element);
    robot_.loops.push_back(loop);
  }

  // ratio times the joints to the predecessor is those to the successor; what both paths share
  // counts in neither
  void add_coupling(const XMLElement* element) {
    const double ratio = number_of(element, "ratio", "value", 1);
    std::vector<int> to_a = path(place_of(text_of(element, "predecessor", "link")).body);
    std::vector<int> to_b = path(place_of(text_of(element, "successor", "link")).body);
    while (!to_a.empty() && !to_b.empty() && to_a.back() == to_b.back()) {
      to_a.pop_back();
      to_b.pop_back();
    }
    Coupling coupling;
    for (const int i : to_a) coupling.terms.emplace_back(i, ratio);
    for (const int i : to_b) coupling.terms.emplace_back(i, -1.0);
    robot_.couplings.push_back(coupling);
  }

  void add_mimic(const XMLElement* joint) {
    if (joint->FirstChildElement("mimic") == nullptr) return;
    Mimic mimic;
    mimic.follower = body_of_joint(joint->Attribute("name"));
    mimic.leader = body_of_joint(text_of(joint, "mimic", "joint"));
    mimic.multiplier = number_of(joint, "mimic", "multiplier", 1);
    mimic.offset = number_of(joint, "mimic", "offset", 0);
    robot_.mimics.push_back(mimic);
    robot_.couplings.push_back(
        {{{mimic.follower, 1.0}, {mimic.leader, -mimic.multiplier}}, mimic.offset});
  }

  int push(Body added) {
    if (!robot_.bodies.empty()) {
      added.q = robot_.configs();
      added.v = robot_.dofs();
    }
    robot_.bodies.push_back(added);
    return static_cast<int>(robot_.bodies.size()) - 1;
  }

  Body& body(int i) { return robot_.bodies[static_cast<std::size_t>(i)]; }

  // From the body up to the root.
  std::vector<int> path(int i) {
    std::vector<int> result;
    for (; i >= 0; i = body(i).parent) result.push_back(i);
    return result;
  }

  int body_of_joint(const std::string& name) const {
    for (std::size_t i = 0; i < robot_.bodies.size(); ++i) {
      if (robot_.bodies[i].joint == name) return static_cast<int>(i);
    }
    throw std::runtime_error("no joint " + name);
  }

  const Place& place_of(const std::string& link) const {
    const auto found = places_.find(link);
    if (found == places_.end()) throw std::runtime_error("no link " + link);
    return found->second;
  }

  tinyxml2::XMLDocument document_;
  const XMLElement* root_ = nullptr;
  Robot robot_;
  std::map<std::string, Place> places_;
};

}  // namespace

Robot read_robot(const std::string& file, bool floating) {
  try {
    return Reader(file, floating).read();
  } catch (const std::exception& error) {
    throw std::runtime_error(file + ": " + error.what());
  }
}

std::string text_without_shapes(const Robot& robot) {
  tinyxml2::XMLDocument document;
  if (document.LoadFile(robot.file.c_str()) != tinyxml2::XML_SUCCESS) {
    throw std::runtime_error(robot.file + ": " + document.ErrorStr());
  }
  XMLElement* link = document.FirstChildElement("robot")->FirstChildElement("link");
  for (; link; link = link->NextSiblingElement("link")) {
    for (const char* shape : {"visual", "collision"}) {
      while (XMLElement* child = link->FirstChildElement(shape)) link->DeleteChild(child);
    }
  }
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  return printer.CStr();
}

}  // namespace reference
