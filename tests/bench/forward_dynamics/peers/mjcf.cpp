#include "mjcf.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "principal_inertia.hpp"

namespace lockstep::bench {

namespace {

std::string inertial(const Body& body) {
  const auto [R_BI, com, moments] = principal_inertia(body);
  const Eigen::Quaterniond q(R_BI);
  return "<inertial mass='" + numbers({body.mass}) + "' pos='" +
         numbers({com.x(), com.y(), com.z()}) + "' quat='" + numbers({q.w(), q.x(), q.y(), q.z()}) +
         "' diaginertia='" + numbers({moments.x(), moments.y(), moments.z()}) + "'/>";
}

std::string joint(JointType type, int body, const std::string& more) {
  const std::string name = " name='" + named("joint", body) + "'" + more;
  switch (type) {
    case JointType::kRevolute: return "<joint type='hinge' axis='0 0 1'" + name + "/>";
    case JointType::kPrismatic: return "<joint type='slide' axis='0 0 1'" + name + "/>";
    case JointType::kBall: return "<joint type='ball'/>";
    case JointType::kFloating: return "<freejoint/>";
    default: throw std::invalid_argument("no planar joints in MuJoCo");
  }
}

std::string subtree(std::span<const Body> bodies, int i, const Extras& extras) {
  const Body& body = bodies[at(i)];
  double quaternion[4];
  mju_mat2Quat(quaternion, body.R_PJ.data());
  std::string text = "<body name='" + named("body", i) + "' pos='" +
                     numbers({body.p_PJ[0], body.p_PJ[1], body.p_PJ[2]}) + "' quat='" +
                     numbers({quaternion[0], quaternion[1], quaternion[2], quaternion[3]}) + "'>" +
                     inertial(body) + joint(body.joint, i, extras.joint ? extras.joint(i) : "") +
                     (extras.elements ? extras.elements(i) : "");
  for (int k = i + 1; k < static_cast<int>(bodies.size()); ++k) {
    if (bodies[at(k)].parent == i) text += subtree(bodies, k, extras);
  }
  return text + "</body>\n";
}

}  // namespace

std::string numbers(std::initializer_list<double> values) {
  std::string text;
  char buffer[32];
  for (const double value : values) {
    std::snprintf(buffer, sizeof buffer, text.empty() ? "%.17g" : " %.17g", value);
    text += buffer;
  }
  return text;
}

std::string named(const char* kind, int body) {
  return body == kWorld ? "world" : kind + std::to_string(body);
}

std::string trees(std::span<const Body> bodies, const Extras& extras) {
  std::string text;
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
    if (bodies[at(i)].parent == kWorld) text += subtree(bodies, i, extras);
  }
  return text;
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

void put(std::span<const Body> bodies, const State& state, mjData& data) {
  const double *q = state.q.data(), *v = state.v.data(), *tau = state.tau.data();
  double *to_q = data.qpos, *to_v = data.qvel, *to_tau = data.qfrc_applied;
  for (const Body& body : bodies) {
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
}

void get(std::span<const Body> bodies, const mjData& data, State& state) {
  const double *q = data.qpos, *v = data.qvel;
  double *to_q = state.q.data(), *to_v = state.v.data();
  for (const Body& body : bodies) {
    const int configs = config_count(body.joint), dofs = dof_count(body.joint);
    std::copy_n(q, configs, to_q), std::copy_n(v, dofs, to_v);
    if (configs > dofs) {
      double* quaternion = to_q + configs - 4;
      if (body.joint == JointType::kFloating) {
        double back[4];
        mju_negQuat(back, quaternion);
        mju_rotVecQuat(to_v, v, back);
      }
      std::rotate(quaternion, quaternion + 1, quaternion + 4);
    }
    q += configs, to_q += configs, v += dofs, to_v += dofs;
  }
}

}  // namespace lockstep::bench
