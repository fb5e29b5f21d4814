#include "eval/closed_case.hpp"

#include <Eigen/Dense>

#include "lockstep/maximal/catalogue.hpp"
#include "model/axis_frame.hpp"
#include "model/loop_rows.hpp"
#include "system/json_file.hpp"
#include "text/error.hpp"
#include "urdf/placement.hpp"

namespace lockstep::host {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using RowMajor3d = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

template <std::size_t kCount>
std::array<double, kCount> numbers(const Json& object, const char* key, const std::string& where) {
  const auto found = object.find(key);
  bool fits = found != object.end() && found->is_array() && found->size() == kCount;
  std::array<double, kCount> result{};
  for (std::size_t i = 0; fits && i < kCount; ++i) {
    fits = (*found)[i].is_number();
    if (fits) result[i] = (*found)[i].get<double>();
  }
  if (!fits) throw Error(where + ": '" + key + "' needs " + std::to_string(kCount) + " numbers");
  return result;
}

int whole(const Json& object, const char* key, int least, int most, const std::string& where) {
  const auto found = object.find(key);
  const bool fits = found != object.end() && found->is_number_integer();
  const auto value = fits ? found->get<long long>() : 0;
  if (!fits || value < least || value > most) {
    throw Error(where + ": '" + key + "' needs a whole number from " + std::to_string(least) +
                " to " + std::to_string(most));
  }
  return static_cast<int>(value);
}

Matrix3d rotation(const std::array<double, 9>& rows) { return RowMajor3d(rows.data()); }

JointType joint_type(const Json& joint, const std::string& where) {
  const auto found = joint.find("type");
  const std::string type =
      found != joint.end() && found->is_string() ? found->get<std::string>() : "";
  if (type == "R") return JointType::kRevolute;
  if (type == "P") return JointType::kPrismatic;
  if (type == "S") return JointType::kBall;
  if (type == "F") return JointType::kFloating;
  throw Error(where + ": 'type' needs R, P, S or F: revolute, prismatic, ball, floating");
}

const Json& list(const Json& document, const char* key, const std::string& path) {
  const auto found = document.find(key);
  if (found == document.end() || !found->is_array()) {
    throw Error(path + ": has no array '" + key + "'");
  }
  return *found;
}

// Reads joints and remembers how each body's axes are turned from the file's joint frames L.
class Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}

  Tree read() {
    const Json document = read_json(path_, "a mechanism with loops");
    if (!document.is_object()) throw Error(path_ + ": not an object with joints and constraints");
    const auto name = document.find("name");
    tree_.name = name != document.end() && name->is_string() ? name->get<std::string>() : path_;
    for (const Json& joint : list(document, "joints", path_)) add_joint(joint);
    for (const Json& constraint : list(document, "constraints", path_)) add_constraint(constraint);
    return std::move(tree_);
  }

 private:
  int last_body() const { return static_cast<int>(tree_.bodies.size()) - 1; }
  Matrix3d turned(int body) const {
    return body == kWorld ? Matrix3d(Matrix3d::Identity()) : R_LB_[at(body)];
  }

  void add_joint(const Json& joint) {
    const std::string where = path_ + ": joints[" + std::to_string(last_body() + 1) + "]";
    Body body;
    body.joint = joint_type(joint, where);
    body.parent = whole(joint, "parent_joint", kWorld, last_body(), where);
    Matrix3d R_LB = Matrix3d::Identity();
    if (dof_count(body.joint) == 1) {
      const auto axis = numbers<3>(joint, "axis", where);
      if (!(Vector3d(axis.data()).norm() > 0)) {
        throw Error(where + ": 'axis' has no length; give a direction");
      }
      R_LB = to_eigen(axis_frame(to_vec(axis)));
    }
    const Matrix3d R_PL = turned(body.parent).transpose();
    const Vector3d p = R_PL * Vector3d(numbers<3>(joint, "p_in_parent", where).data());
    body.R_PJ =
        to_rows(to_mat(R_PL * rotation(numbers<9>(joint, "R_in_parent_rowmajor", where)) * R_LB));
    body.p_PJ = to_array(to_vec(p));
    body.R_LB = to_rows(to_mat(R_LB));
    weigh(joint, where, R_LB, body);
    tree_.bodies.push_back(body);
    const auto name = joint.find("name");
    if (name == joint.end() || !name->is_string()) throw Error(where + ": has no 'name'");
    tree_.joint_names.push_back(name->get<std::string>());
    tree_.link_names.push_back(tree_.joint_names.back());
    R_LB_.push_back(R_LB);
  }

  static void weigh(const Json& joint, const std::string& where, const Matrix3d& R_LB, Body& body) {
    const auto I = numbers<6>(joint, "inertia_com_xx_xy_xz_yy_yz_zz", where);
    const Vector3d c = R_LB.transpose() * Vector3d(numbers<3>(joint, "com", where).data());
    const auto mass = joint.find("mass");
    if (mass == joint.end() || !mass->is_number() || !(mass->get<double>() >= 0)) {
      throw Error(where + ": 'mass' needs 0 or a number above");
    }
    body.mass = mass->get<double>();
    const Matrix3d about_com{{I[0], I[1], I[2]}, {I[1], I[3], I[4]}, {I[2], I[4], I[5]}};
    const Matrix3d about_origin =
        R_LB.transpose() * about_com * R_LB +
        body.mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
    const Vector3d h = body.mass * c;
    body.h = {h[0], h[1], h[2]};
    body.inertia = {about_origin(0, 0), about_origin(0, 1), about_origin(0, 2),
                    about_origin(1, 1), about_origin(1, 2), about_origin(2, 2)};
  }

  void add_constraint(const Json& constraint) {
    const std::string where = path_ + ": constraints[" + std::to_string(tree_.loops.size()) + "]";
    const int type = whole(constraint, "type", 3, 6, where);
    if (type != 3 && type != 6) {
      throw Error(where + ": 'type' needs 3, origins coincide, or 6, frames coincide");
    }
    maximal::ConstraintRecord record;
    record.type = static_cast<int>(type == 3 ? maximal::ConstraintType::kBall
                                             : maximal::ConstraintType::kFixed);
    record.a = whole(constraint, "joint1", kWorld, last_body(), where);
    record.b = whole(constraint, "joint2", kWorld, last_body(), where);
    double* to = record.numbers.data();
    to = place(record.a, numbers<9>(constraint, "R1_rowmajor", where),
               numbers<3>(constraint, "p1", where), to);
    place(record.b, numbers<9>(constraint, "R2_rowmajor", where),
          numbers<3>(constraint, "p2", where), to);
    tree_.loop_names.push_back("constraint" + std::to_string(tree_.loops.size()));
    tree_.loops.push_back(record);
  }

  // A frame of the file in its body, as records hold it: columns, then the origin.
  double* place(int body, const std::array<double, 9>& R, const std::array<double, 3>& p,
                double* to) const {
    const Matrix3d R_BL = turned(body).transpose();
    Matrix3d::Map(to) = R_BL * rotation(R);
    Vector3d::Map(to + 9) = R_BL * Vector3d(p.data());
    return to + 12;
  }

  std::string path_;
  Tree tree_;
  std::vector<Matrix3d> R_LB_;
};

}  // namespace

Tree read_closed_case(const std::string& path) { return Reader(path).read(); }

// The rows of a ball and of a weld: against B's origin along A's axes, then the turn of A about its
// z, x and y.
Eigen::VectorXd constraint_force(const Tree& tree, const Eigen::VectorXd& mu) {
  Eigen::VectorXd force = -mu;
  Eigen::Index first = 0;
  for (const maximal::ConstraintRecord& loop : tree.loops) {
    const int count = loop_row_count(loop);
    if (count == 6) force.segment<3>(first + 3) << mu[first + 4], mu[first + 5], mu[first + 3];
    first += count;
  }
  return force;
}

}  // namespace lockstep::host
