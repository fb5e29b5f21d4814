// MuJoCo's mj_forward. The robot is handed over as MJCF without geometry, limits or actuators, and
// with everything but plain dynamics switched off; loops and couplings as equality constraints, as
// hard as MuJoCo has them.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include "candidate.hpp"
#include "closed/closed_robot.hpp"
#include "principal_inertia.hpp"

namespace lockstep::bench {

namespace {

std::string numbers(std::initializer_list<double> values) {
  std::string text;
  char buffer[32];
  for (const double value : values) {
    std::snprintf(buffer, sizeof buffer, text.empty() ? "%.17g" : " %.17g", value);
    text += buffer;
  }
  return text;
}

std::string inertial(const Body& body) {
  const auto [R_BI, com, moments] = principal_inertia(body);
  const Eigen::Quaterniond q(R_BI);
  return "<inertial mass='" + numbers({body.mass}) + "' pos='" +
         numbers({com.x(), com.y(), com.z()}) + "' quat='" + numbers({q.w(), q.x(), q.y(), q.z()}) +
         "' diaginertia='" + numbers({moments.x(), moments.y(), moments.z()}) + "'/>";
}

std::string named(const char* kind, int body) {
  return body == kWorld ? "world" : kind + std::to_string(body);
}

std::string joint(JointType type, int body) {
  const std::string name = " name='" + named("joint", body) + "'";
  switch (type) {
    case JointType::kRevolute: return "<joint type='hinge' axis='0 0 1'" + name + "/>";
    case JointType::kPrismatic: return "<joint type='slide' axis='0 0 1'" + name + "/>";
    case JointType::kBall: return "<joint type='ball'/>";
    case JointType::kFloating: return "<freejoint/>";
    default: throw std::invalid_argument("no planar joints in MuJoCo");
  }
}

// A body and all that hangs on it; children in Backward order, so MuJoCo's order is ours.
std::string subtree(std::span<const Body> bodies, int i) {
  const Body& body = bodies[static_cast<std::size_t>(i)];
  double quaternion[4];
  mju_mat2Quat(quaternion, body.R_PJ.data());
  std::string text = "<body name='" + named("body", i) + "' pos='" +
                     numbers({body.p_PJ[0], body.p_PJ[1], body.p_PJ[2]}) + "' quat='" +
                     numbers({quaternion[0], quaternion[1], quaternion[2], quaternion[3]}) + "'>" +
                     inertial(body) + joint(body.joint, i);
  for (int k = i + 1; k < static_cast<int>(bodies.size()); ++k) {
    if (bodies[static_cast<std::size_t>(k)].parent == i) text += subtree(bodies, k);
  }
  return text + "</body>\n";
}

// One point of a loop holds a hinge as well where the robot is planar otherwise; of other robots
// the accelerations will not agree.
std::string equality(const ClosedRobot& robot) {
  std::string text = "<equality>";
  const std::string hard = " solimp='0.9999 0.9999 0.001' solref='0.002 1'/>\n";
  for (const maximal::ConstraintRecord& loop : robot.loops) {
    text += is_weld(loop) ? "<weld" : "<connect anchor='0 0 0'";
    text += " body1='" + named("body", loop.a) + "' body2='" + named("body", loop.b) + "'" + hard;
  }
  for (const Coupling& coupling : robot.couplings) {
    if (coupling.count != 2) throw std::invalid_argument("MuJoCo couples two joints");
    const CouplingTerm& one = robot.terms[static_cast<std::size_t>(coupling.first)];
    const CouplingTerm& other = robot.terms[static_cast<std::size_t>(coupling.first) + 1];
    text += "<joint joint1='" + named("joint", one.body) + "' joint2='" +
            named("joint", other.body) + "' polycoef='" +
            numbers({coupling.offset / one.coefficient, -other.coefficient / one.coefficient, 0, 0,
                     0}) +
            "'" + hard;
  }
  return text + "</equality>";
}

// Where frames are is not for MJCF: it takes the second from the zero pose.
void place_frames(const ClosedRobot& robot, mjModel& model) {
  for (std::size_t i = 0; i < robot.loops.size(); ++i) {
    const double* const A = robot.loops[i].numbers.data();  // columns, then the origin
    const double* const B = A + 12;
    double* const data = model.eq_data + i * mjNEQDATA;
    const bool weld = is_weld(robot.loops[i]);
    std::copy_n(A + 9, 3, data + (weld ? 3 : 0));
    std::copy_n(B + 9, 3, data + (weld ? 0 : 3));
    if (!weld) continue;
    double R_AB[9];  // row by row
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) {
        R_AB[3 * row + column] =
            A[row] * B[column] + A[3 + row] * B[3 + column] + A[6 + row] * B[6 + column];
      }
    }
    mju_mat2Quat(data + 6, R_AB);
  }
}

std::string mjcf(std::span<const Body> bodies, const std::string& constraints = "") {
  // some robots' files have inertias that no body has
  std::string text = "<mujoco><compiler balanceinertia='true'/><option gravity='" +
                     numbers({0, 0, kGravity}) +
                     "' solver='Newton' tolerance='1e-14' iterations='100'><flag " +
                     (constraints.empty() ? "constraint='disable' " : "") +
                     "contact='disable' passive='disable' actuation='disable' "
                     "sensor='disable' warmstart='disable'/></option><worldbody>\n";
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
    if (bodies[static_cast<std::size_t>(i)].parent == kWorld) text += subtree(bodies, i);
  }
  return text + "</worldbody>" + constraints + "</mujoco>";
}

mjModel* load(const std::string& text) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "robot.xml", static_cast<int>(text.size()));
  std::memcpy(files->filedata[0], text.data(), text.size());
  char error[500] = "";
  mjModel* model = mj_loadXML("robot.xml", files.get(), error, sizeof error);
  mj_deleteVFS(files.get());
  if (model == nullptr) throw std::runtime_error(std::string("MuJoCo: ") + error);
  return model;
}

class MuJoCo : public Candidate {
 public:
  explicit MuJoCo(std::span<const Body> bodies)
      : bodies_(bodies.begin(), bodies.end()),
        model_(load(mjcf(bodies)), mj_deleteModel),
        data_(mj_makeData(model_.get()), mj_deleteData) {}

  explicit MuJoCo(const ClosedRobot& robot)
      : bodies_(robot.bodies.begin(), robot.bodies.end()),
        model_(load(mjcf(robot.bodies, equality(robot))), mj_deleteModel),
        data_(mj_makeData(model_.get()), mj_deleteData) {
    place_frames(robot, *model_);
  }

  void set(const State& state) override {
    mj_resetData(model_.get(), data_.get());
    const double *q = state.q.data(), *v = state.v.data(), *tau = state.tau.data();
    double *to_q = data_->qpos, *to_v = data_->qvel, *to_tau = data_->qfrc_applied;
    for (const Body& body : bodies_) {
      const int configs = config_count(body.joint), dofs = dof_count(body.joint);
      std::copy_n(q, configs, to_q), std::copy_n(v, dofs, to_v), std::copy_n(tau, dofs, to_tau);
      if (configs > dofs) {  // quaternions end ours, w last; MuJoCo has w first
        double* quaternion = to_q + configs - 4;
        std::rotate(quaternion, quaternion + 3, quaternion + 4);
        if (body.joint == JointType::kFloating) {  // linear parts are the world's
          mju_rotVecQuat(to_v, v, quaternion);
          mju_rotVecQuat(to_tau, tau, quaternion);
        }
      }
      q += configs, to_q += configs, v += dofs, to_v += dofs, tau += dofs, to_tau += dofs;
    }
    state_ = state;
  }

  void run(int times) override {
    for (int i = 0; i < times; ++i) mj_forward(model_.get(), data_.get());
  }

  std::vector<double> vdot() const override {
    std::vector<double> result(data_->qacc, data_->qacc + model_->nv);
    std::size_t q = 0, at = 0;
    for (const Body& body : bodies_) {
      if (body.joint == JointType::kFloating) {  // d/dt (R v_B) = R (vdot_B + w_B x v_B)
        double back[4], turned[3], transport[3];
        mju_negQuat(back, data_->qpos + q + 3);
        mju_rotVecQuat(turned, &result[at], back);
        mju_cross(transport, &state_.v[at + 3], &state_.v[at]);
        mju_sub3(&result[at], turned, transport);
      }
      q += static_cast<std::size_t>(config_count(body.joint));
      at += static_cast<std::size_t>(dof_count(body.joint));
    }
    return result;
  }

 private:
  std::vector<Body> bodies_;
  std::unique_ptr<mjModel, void (*)(mjModel*)> model_;
  std::unique_ptr<mjData, void (*)(mjData*)> data_;
  State state_;
};

}  // namespace

[[gnu::visibility("default")]] std::unique_ptr<Candidate> make_mujoco(
    std::span<const Body> bodies) {
  return std::make_unique<MuJoCo>(bodies);
}

[[gnu::visibility("default")]] std::unique_ptr<Candidate> make_closed_mujoco(
    const ClosedRobot& robot) {
  return std::make_unique<MuJoCo>(robot);
}

}  // namespace lockstep::bench
