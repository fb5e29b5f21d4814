#include "mujoco.hpp"

#include <tinyxml2.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace reference {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

using RowMajor3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using RowMajorX = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The URDF with what MuJoCo is to do with it: links that fixed joints hold are one body, inertias
// stay as they are. A floating base hangs on a joint of that type.
std::string urdf_text(const Robot& robot) {
  tinyxml2::XMLDocument document;
  document.Parse(text_without_shapes(robot).c_str());
  tinyxml2::XMLElement* root = document.FirstChildElement("robot");
  tinyxml2::XMLElement* compiler =
      root->InsertNewChildElement("mujoco")->InsertNewChildElement("compiler");
  compiler->SetAttribute("fusestatic", "true");
  compiler->SetAttribute("balanceinertia", "false");
  compiler->SetAttribute("inertiafromgeom", "false");
  compiler->SetAttribute("boundmass", "0");
  compiler->SetAttribute("boundinertia", "0");
  if (robot.floating) {
    root->InsertNewChildElement("link")->SetAttribute("name", "the_world");
    tinyxml2::XMLElement* joint = root->InsertNewChildElement("joint");
    joint->SetAttribute("name", robot.bodies[0].joint.c_str());
    joint->SetAttribute("type", "floating");
    joint->InsertNewChildElement("parent")->SetAttribute("link", "the_world");
    joint->InsertNewChildElement("child")->SetAttribute("link", robot.bodies[0].link.c_str());
  }
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  return printer.CStr();
}

std::string numbers(std::initializer_list<double> values) {
  std::string text;
  char buffer[32];
  for (const double value : values) {
    std::snprintf(buffer, sizeof buffer, text.empty() ? "%.17g" : " %.17g", value);
    text += buffer;
  }
  return text;
}

std::string place(const Vector3d& p, const Matrix3d& R) {
  const Quaterniond q(R);
  return " pos='" + numbers({p.x(), p.y(), p.z()}) + "' quat='" +
         numbers({q.w(), q.x(), q.y(), q.z()}) + "'";
}

const char* mjcf_type(JointType type) {
  switch (type) {
    case JointType::kRevolute: return "hinge";
    case JointType::kPrismatic: return "slide";
    case JointType::kBall: return "ball";
    default: return "free";
  }
}

std::string mjcf_subtree(const Robot& robot, int parent) {
  std::string text;
  for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
    const Body& body = robot.bodies[i];
    if (body.parent != parent) continue;
    const auto [R_LI, moments] = principal(body.inertial);
    text += "<body name='" + body.link + "'" + place(body.X_PJ.translation(), body.X_PJ.linear()) +
            "><inertial mass='" + numbers({body.inertial.mass}) + "'" +
            place(body.inertial.com, R_LI) + " diaginertia='" +
            numbers({moments.x(), moments.y(), moments.z()}) + "'/><joint name='" + body.joint +
            "' type='" + mjcf_type(body.type) + "' axis='" +
            numbers({body.axis.x(), body.axis.y(), body.axis.z()}) + "'/>" +
            mjcf_subtree(robot, static_cast<int>(i)) + "</body>\n";
  }
  return text;
}

std::string text_of(const Robot& robot) {
  if (!robot.has(JointType::kBall)) return urdf_text(robot);
  return "<mujoco><compiler angle='radian'/><worldbody>" + mjcf_subtree(robot, -1) +
         "</worldbody></mujoco>";
}

mjModel* load(const Robot& robot) {
  const std::string text = text_of(robot);
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "robot.xml", static_cast<int>(text.size()));
  std::memcpy(files->filedata[0], text.data(), text.size());
  char error[500] = "";
  mjModel* model = mj_loadXML("robot.xml", files.get(), error, sizeof error);
  mj_deleteVFS(files.get());
  if (model == nullptr) throw std::runtime_error(robot.file + ": MuJoCo: " + error);
  model->opt.gravity[0] = model->opt.gravity[1] = 0;
  model->opt.gravity[2] = kGravity;
  // of the plain dynamics: no limits, contacts, dry friction or damping
  model->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_PASSIVE | mjDSBL_ACTUATION;
  return model;
}

// MuJoCo finds principal axes to 1.5e-7 of the inertia. Where its inertia is as near to the file's,
// it gets the same with all digits.
void sharpen_inertia(mjModel& model, int id, const Body& body) {
  const Inertial& wanted = body.inertial;
  const Eigen::Map<Vector3d> com(model.body_ipos + 3 * id), moments(model.body_inertia + 3 * id);
  const double* q = model.body_iquat + 4 * id;
  const Matrix3d R = Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  const Matrix3d moment = R * moments.asDiagonal() * R.transpose();
  if (std::abs(model.body_mass[id] - wanted.mass) > 1e-14 * wanted.mass ||
      (com - wanted.com).norm() > 1e-14 ||
      (moment - wanted.moment).norm() > 1e-6 * wanted.moment.norm()) {
    throw std::runtime_error("MuJoCo reads another inertia for link " + body.link);
  }
  const Principal axes = principal(wanted);
  const Quaterniond turn(axes.R_LI);
  const double to[4] = {turn.w(), turn.x(), turn.y(), turn.z()};
  std::copy_n(to, 4, model.body_iquat + 4 * id);
  std::copy_n(axes.moments.data(), 3, model.body_inertia + 3 * id);
  model.body_sameframe[id] = 0;  // its axes were perhaps those of the link
}

}  // namespace

MuJoCo::MuJoCo(const Robot& robot)
    : robot_(robot),
      model_(load(robot), mj_deleteModel),
      data_(mj_makeData(model_.get()), mj_deleteData) {
  for (const Body& body : robot.bodies) {
    const int joint = mj_name2id(model_.get(), mjOBJ_JOINT, body.joint.c_str());
    if (joint < 0) throw std::runtime_error(robot.file + ": MuJoCo has no joint " + body.joint);
    joints_.push_back(joint);
    bodies_.push_back(model_->jnt_bodyid[joint]);
    sharpen_inertia(*model_, bodies_.back(), body);
  }
  if (model_->nv != robot.dofs())
    throw std::runtime_error(robot.file + ": MuJoCo has other joints");
}

Matrix3d MuJoCo::base_rotation() const {
  Matrix3d R = Matrix3d::Identity();
  if (robot_.floating) {
    const double* q = data_->qpos + config(0) + 3;
    R = Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  }
  return R;
}

void MuJoCo::set(const State& state) {
  mj_resetData(model_.get(), data_.get());
  for (std::size_t i = 0; i < robot_.bodies.size(); ++i) {
    const Body& body = robot_.bodies[i];
    const int at = dof(static_cast<int>(i)), configs = config_count(body.type),
              dofs = dof_count(body.type);
    double* to = data_->qpos + config(static_cast<int>(i));
    std::copy_n(state.q.data() + body.q, configs, to);
    if (configs > 1) std::rotate(to + configs - 4, to + configs - 1, to + configs);
    std::copy_n(state.v.data() + body.v, dofs, data_->qvel + at);
    std::copy_n(state.tau.data() + body.v, dofs, data_->qfrc_applied + at);
  }
  if (robot_.floating) {
    const Matrix3d R = base_rotation();
    Eigen::Map<Vector3d> linear(data_->qvel + dof(0)), force(data_->qfrc_applied + dof(0));
    linear = (R * linear).eval();
    force = (R * force).eval();
  }
  mj_fwdPosition(model_.get(), data_.get());
  mj_fwdVelocity(model_.get(), data_.get());
}

MatrixXd MuJoCo::mass_matrix() const {
  RowMajorX M(model_->nv, model_->nv);
  mj_fullM(model_.get(), M.data(), data_->qM);
  return M;
}

VectorXd MuJoCo::bias() const { return VectorXd::Map(data_->qfrc_bias, model_->nv); }
VectorXd MuJoCo::effort() const { return VectorXd::Map(data_->qfrc_applied, model_->nv); }
VectorXd MuJoCo::velocity() const { return VectorXd::Map(data_->qvel, model_->nv); }

// a force turns as a velocity does
VectorXd MuJoCo::force_of(const VectorXd& qfrc) const { return v_of(qfrc); }

VectorXd MuJoCo::v_of(const VectorXd& qvel) const {
  VectorXd result(qvel.size());
  for (std::size_t i = 0; i < robot_.bodies.size(); ++i) {
    const int dofs = dof_count(robot_.bodies[i].type);
    result.segment(robot_.bodies[i].v, dofs) = qvel.segment(dof(static_cast<int>(i)), dofs);
  }
  if (robot_.floating) result.head<3>() = (base_rotation().transpose() * result.head<3>()).eval();
  return result;
}

// d/dt (R v) = R (vdot + w x v)
VectorXd MuJoCo::vdot_of(const VectorXd& qacc) const {
  VectorXd result = v_of(qacc);
  if (robot_.floating) {
    const VectorXd v = v_of(velocity());
    result.head<3>() -= Vector3d(v.segment<3>(3)).cross(Vector3d(v.head<3>()));
  }
  return result;
}

VectorXd MuJoCo::q_of() const {
  VectorXd q(model_->nq);
  for (std::size_t i = 0; i < robot_.bodies.size(); ++i) {
    const Body& body = robot_.bodies[i];
    const int configs = config_count(body.type);
    double* to = q.data() + body.q;
    std::copy_n(data_->qpos + config(static_cast<int>(i)), configs, to);
    if (configs > 1) std::rotate(to + configs - 4, to + configs - 3, to + configs);
  }
  return q;
}

void MuJoCo::move(const VectorXd& qvel) {
  mj_integratePos(model_.get(), data_->qpos, qvel.data(), 1);
  mj_fwdPosition(model_.get(), data_.get());
}

namespace {

class Tree : public Peer {
 public:
  explicit Tree(const Robot& robot) : robot_(robot) {}

  std::string name() const override { return std::string("MuJoCo ") + mj_versionString(); }
  std::string how() const override {
    return std::string(robot_.robot().has(JointType::kBall)
                           ? "MJCF from the generator's reader"
                           : "its own reader of URDF, its principal inertias made exact") +
           "; accelerations by mj_forward, joint wrenches by mj_rnePostConstraint (cfrc_int)";
  }

  Answer answer(const State& state) override {
    robot_.set(state);
    const mjModel* model = robot_.model();
    mjData* data = robot_.data();
    mj_forward(model, data);
    mj_rnePostConstraint(model, data);
    const auto count = static_cast<Eigen::Index>(robot_.robot().bodies.size());
    Answer answer;
    answer.vdot = robot_.vdot_of(VectorXd::Map(data->qacc, model->nv));
    answer.reaction.resize(6, count);
    for (int i = 0; i < count; ++i) answer.reaction.col(i) = wrench(robot_.body(i));
    return answer;
  }

 private:
  // moment before force, along the world's axes about the centre of mass of the whole
  Eigen::Matrix<double, 6, 1> wrench(int body) const {
    const mjData* data = robot_.data();
    const Eigen::Map<const Vector3d> moment(data->cfrc_int + 6 * body);
    const Eigen::Map<const Vector3d> force(data->cfrc_int + 6 * body + 3);
    const Eigen::Map<const Vector3d> from(data->subtree_com +
                                          3 * robot_.model()->body_rootid[body]);
    const Eigen::Map<const Vector3d> to(data->xpos + 3 * body);
    const Matrix3d R_LW = Eigen::Map<const RowMajor3>(data->xmat + 9 * body).transpose();
    Eigen::Matrix<double, 6, 1> result;
    result << R_LW * force, R_LW * (moment + (from - to).cross(force));
    return result;
  }

  MuJoCo robot_;
};

}  // namespace

std::unique_ptr<Peer> make_mujoco(const Robot& robot) { return std::make_unique<Tree>(robot); }

}  // namespace reference
