#include "states.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>

#include "rows.hpp"

namespace reference {

using Eigen::VectorXd;

namespace {

constexpr double kRowError = 1e-13;

class Draw {
 public:
  explicit Draw(const Robot& robot) : robot_(robot) {
    for (const char letter : robot.name) seed_ = 31 * seed_ + static_cast<unsigned char>(letter);
    engine_.seed(seed_);
  }

  State state(bool rest) {
    State state{VectorXd(robot_.configs()), VectorXd::Zero(robot_.dofs()),
                VectorXd::Zero(robot_.dofs())};
    for (const Body& body : robot_.bodies) {
      draw_pose(body, state.q.data() + body.q);
      for (int k = 0; k < dof_count(body.type); ++k) {
        const double velocity = between(-1, 1) * speed(body),
                     torque = between(-1, 1) * effort(body);
        if (!rest) state.v[body.v + k] = velocity;
        if (!rest || robot_.floating) state.tau[body.v + k] = torque;  // or it would only fall
      }
    }
    return state;
  }

 private:
  // the standard's distributions differ from library to library, its engines do not
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }

  void draw_pose(const Body& body, double* q) {
    if (body.type == JointType::kFloating) {
      for (int k = 0; k < 3; ++k) *q++ = between(-1, 1);
    }
    if (body.type == JointType::kFloating || body.type == JointType::kBall) {
      // any turn, but a small one where a loop must be closed from it
      Eigen::Map<Eigen::Vector4d> turn(q);
      do {
        for (int k = 0; k < 4; ++k) turn[k] = between(-1, 1);
      } while (turn.norm() > 1 || turn.norm() < 0.1);
      if (!robot_.loops.empty()) turn = 0.3 * turn.normalized() + Eigen::Vector4d::UnitW();
      turn.normalize();
      return;
    }
    const double part = robot_.loops.empty() ? 0.9 : 0.4, middle = (body.lower + body.upper) / 2;
    *q = middle + part * between(body.lower - middle, body.upper - middle);
  }

  static double speed(const Body& body) { return body.type == JointType::kPrismatic ? 0.3 : 2; }
  static double effort(const Body& body) {
    if (body.type == JointType::kFloating) return 10;
    return body.effort > 0 ? body.effort / 4 : 0.05;
  }

  const Robot& robot_;
  std::uint_fast64_t seed_ = 7;
  std::mt19937_64 engine_;
};

bool within_limits(const Robot& robot, const VectorXd& q) {
  for (const Body& body : robot.bodies) {
    const bool limited = body.type_name == "revolute" || body.type_name == "prismatic";
    if (limited && (q[body.q] < body.lower || q[body.q] > body.upper)) return false;
  }
  return true;
}

// Newton's method on the positions, then the velocities' part in the null space. False where the
// pose drawn leads nowhere.
bool close(MuJoCo& mujoco, DrawnState& drawn) {
  State& state = drawn.state;
  mujoco.set(state);
  for (int i = 0; i < 50; ++i) {
    const Rows rows = rows_of(mujoco);
    mujoco.move(-split_of(rows.G).inverse * rows.phi);
    if (rows.phi.cwiseAbs().maxCoeff() < kRowError) break;
  }
  state.q = mujoco.q_of();
  if (!state.q.allFinite() || !within_limits(mujoco.robot(), state.q)) return false;
  // twice: what rounding left of the first
  for (int i = 0; i < 2; ++i) {
    mujoco.set(state);
    const Rows rows = rows_of(mujoco);
    const VectorXd qvel = mujoco.velocity();
    state.v = mujoco.v_of(qvel - split_of(rows.G).inverse * (rows.G * qvel));
  }
  mujoco.set(state);
  const Rows rows = rows_of(mujoco);
  drawn.position = rows.phi.cwiseAbs().maxCoeff();
  drawn.velocity = (rows.G * mujoco.velocity()).cwiseAbs().maxCoeff();
  drawn.rows = static_cast<int>(rows.phi.size());
  drawn.rank = split_of(rows.G).rank;
  return upright(mujoco) && drawn.position < kRowError && drawn.velocity < kRowError;
}

}  // namespace

std::vector<DrawnState> draw_states(const Robot& robot, int count) {
  Draw draw(robot);
  MuJoCo mujoco(robot);
  std::vector<DrawnState> states;
  for (int tries = 0; static_cast<int>(states.size()) < count; ++tries) {
    if (tries == 1000) throw std::runtime_error(robot.file + ": no pose closes its loops");
    DrawnState drawn;
    drawn.state = draw.state(static_cast<int>(states.size()) == count - 1);
    if (!robot.closed() || close(mujoco, drawn)) states.push_back(drawn);
  }
  for (DrawnState& drawn : states) {  // efforts of followers are their leaders'
    for (const Mimic& mimic : robot.mimics) {
      drawn.state.tau[robot.bodies[static_cast<std::size_t>(mimic.follower)].v] = 0;
    }
  }
  return states;
}

}  // namespace reference
