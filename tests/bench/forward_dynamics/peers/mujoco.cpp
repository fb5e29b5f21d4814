// MuJoCo's mj_forward. The robot is handed over as MJCF without geometry, limits or actuators, and
// with everything but plain dynamics switched off; loops and couplings as equality constraints, as
// hard as MuJoCo has them.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <stdexcept>

#include "closed/closed_robot.hpp"
#include "mjcf.hpp"

namespace lockstep::bench {

namespace {

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
  return text + trees(bodies) + "</worldbody>" + constraints + "</mujoco>";
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
    put(bodies_, state, *data_);
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
