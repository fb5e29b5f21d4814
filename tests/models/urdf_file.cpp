#include "models/urdf_file.hpp"

#include <tinyxml2.h>

#include <sstream>
#include <stdexcept>

namespace lockstep::test {

using Eigen::AngleAxisd;
using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using tinyxml2::XMLElement;

namespace {

Vector3d triple(const XMLElement& element, const char* attribute) {
  Vector3d v = Vector3d::Zero();
  std::istringstream text(element.Attribute(attribute) ? element.Attribute(attribute) : "0 0 0");
  text >> v[0] >> v[1] >> v[2];
  return v;
}

Isometry3d origin(const XMLElement& element) {
  Isometry3d X = Isometry3d::Identity();
  if (const XMLElement* o = element.FirstChildElement("origin")) {
    const Vector3d rpy = triple(*o, "rpy");
    X.linear() = (AngleAxisd(rpy[2], Vector3d::UnitZ()) * AngleAxisd(rpy[1], Vector3d::UnitY()) *
                  AngleAxisd(rpy[0], Vector3d::UnitX()))
                     .toRotationMatrix();
    X.translation() = triple(*o, "xyz");
  }
  return X;
}

UrdfLink read_link(const XMLElement& element) {
  UrdfLink link{.name = element.Attribute("name"), .inertial = {}};
  const XMLElement* inertial = element.FirstChildElement("inertial");
  if (!inertial) return link;
  const Isometry3d X = origin(*inertial);
  const XMLElement& I = *inertial->FirstChildElement("inertia");
  const auto at = [&I](const char* name) { return I.DoubleAttribute(name); };
  Matrix3d moments;
  moments << at("ixx"), at("ixy"), at("ixz"),  //
      at("ixy"), at("iyy"), at("iyz"),         //
      at("ixz"), at("iyz"), at("izz");
  link.inertial = {inertial->FirstChildElement("mass")->DoubleAttribute("value"), X.translation(),
                   X.linear() * moments * X.linear().transpose()};
  return link;
}

UrdfJoint read_joint(const XMLElement& element) {
  UrdfJoint joint;
  joint.name = element.Attribute("name");
  joint.type = element.Attribute("type");
  joint.parent = element.FirstChildElement("parent")->Attribute("link");
  joint.child = element.FirstChildElement("child")->Attribute("link");
  joint.X_PJ = origin(element);
  if (const XMLElement* axis = element.FirstChildElement("axis")) joint.axis = triple(*axis, "xyz");
  if (const XMLElement* limit = element.FirstChildElement("limit")) {
    if (limit->Attribute("lower")) joint.lower = limit->DoubleAttribute("lower");
    if (limit->Attribute("upper")) joint.upper = limit->DoubleAttribute("upper");
  }
  return joint;
}

// of a point mass at c
Matrix3d steiner(double mass, const Vector3d& c) {
  return mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
}

}  // namespace

const UrdfLink& UrdfFile::link(const std::string& name) const {
  for (const UrdfLink& link : links) {
    if (link.name == name) return link;
  }
  throw std::runtime_error("no link " + name);
}

const UrdfJoint* UrdfFile::joint_above(const std::string& link) const {
  for (const UrdfJoint& joint : joints) {
    if (joint.child == link) return &joint;
  }
  return nullptr;
}

Isometry3d UrdfFile::pose(const std::string& link, const Angles& q) const {
  Isometry3d X = Isometry3d::Identity();
  std::size_t steps = 0;
  for (const UrdfJoint* j = joint_above(link); j; j = joint_above(j->parent)) {
    if (++steps > joints.size()) throw std::runtime_error("link " + link + " hangs on itself");
    const auto angle = q.find(j->name);
    X = j->X_PJ * AngleAxisd(angle == q.end() ? 0 : angle->second, j->axis) * X;
  }
  return X;
}

Inertial UrdfFile::lump_all() const {
  std::vector<std::string> names;
  for (const UrdfLink& link : links) names.push_back(link.name);
  return lump(names);
}

Inertial UrdfFile::lump(const std::vector<std::string>& names, const Angles& q) const {
  Inertial sum;
  Vector3d h = Vector3d::Zero();
  for (const std::string& name : names) {
    const std::optional<Inertial>& part = link(name).inertial;
    if (!part) continue;
    const Isometry3d X = pose(name, q);
    const Vector3d c = X * part->com;
    sum.mass += part->mass;
    h += part->mass * c;
    sum.inertia += X.linear() * part->inertia * X.linear().transpose() + steiner(part->mass, c);
  }
  sum.com = h / sum.mass;
  sum.inertia -= steiner(sum.mass, sum.com);
  return sum;
}

UrdfFile read_urdf_file(const std::string& path) {
  tinyxml2::XMLDocument document;
  if (document.LoadFile(path.c_str()) != tinyxml2::XML_SUCCESS) {
    throw std::runtime_error(document.ErrorStr());
  }
  UrdfFile file;
  const XMLElement* child = document.RootElement()->FirstChildElement();
  for (; child; child = child->NextSiblingElement()) {
    const std::string kind = child->Name();
    if (kind == "link") file.links.push_back(read_link(*child));
    if (kind == "joint") file.joints.push_back(read_joint(*child));
  }
  return file;
}

}  // namespace lockstep::test
