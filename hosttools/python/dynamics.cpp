#include "python/dynamics.hpp"

#include "lockstep/joint_space.hpp"
#include "lockstep/mass_matrix.hpp"
#include "python/lanes.hpp"
#include "robot/closed_robot.hpp"
#include "robot/plant.hpp"
#include "robot/tied.hpp"
#include "text/finding.hpp"
#include "text/suggest.hpp"

namespace lockstep::host::python {

namespace {

using Model = HostModel<double>;
using Inverse = HostRobot<double, HostInverseDynamics<double>>;

Eigen::Map<const Eigen::VectorXd> view(const double* row, std::size_t size) {
  return {row, static_cast<Eigen::Index>(size)};
}
template <class Values>
void write(const Values& values, double* to) {
  std::copy_n(values.data(), values.size(), to);
}

void require(const Call& call, std::size_t state, Status status) {
  if (status != Status::kOk) throw Error(state_text(state, call.count, to_string(status)));
}
template <class F>
auto answer_of(const Call& call, std::size_t state, F&& answer) {
  try {
    return answer();
  } catch (const Error& error) {
    throw Error(state_text(state, call.count, error.what()));
  }
}

// What looks at poses and masses.
struct Geometry {
  Kinematics<Model, double> kinematics;
  MassMatrix<Model, double> mass;
  Kinematics<Model, double>::Configs q, to;
  Kinematics<Model, double>::Dofs v;
  Kinematics<Model, double>::Jacobian jacobian;
  Eigen::MatrixXd M;

  explicit Geometry(const Model& model)
      : kinematics(model),
        mass(model),
        q(model.counts().q),
        to(model.counts().q),
        v(model.counts().v),
        jacobian(kinematics.make_jacobian()),
        M(model.counts().v, model.counts().v) {}
};

// Steps of the robot as it is computed, its rotors merged.
struct Stepper {
  RotorMap map;
  std::unique_ptr<LoopRobot<double>> robot;
  HostStepping<double> stepping;
  HostStepping<double>::Input state;
  LoopSettings<double> settings;

  explicit Stepper(const RobotTrees& trees)
      : map(trees.whole, trees.computed),
        robot(make_loop_robot<double>(trees.computed)),
        stepping(*robot, trees.computed, Bounds()),
        state(stepping.make_input()) {}
};

}  // namespace

struct Dynamics::Own {
  RobotTrees trees;
  std::unique_ptr<Model> model;  // of the whole robot
  std::size_t configs, dofs, bodies;
  Pool<HostRobot<double>> open;
  Pool<ClosedRobot<double>> closed;
  Pool<Inverse> inverse;
  Pool<Geometry> geometry;
  Pool<Stepper> stepper;
  Pool<LaneSolver> lanes;

  explicit Own(RobotTrees robot)
      : trees(std::move(robot)),
        model(to_table<double>(trees.whole)),
        configs(static_cast<std::size_t>(model->counts().q)),
        dofs(static_cast<std::size_t>(model->counts().v)),
        bodies(trees.whole.bodies.size()),
        open([this] { return std::make_unique<HostRobot<double>>(trees.whole); }),
        closed(
            [this] { return std::make_unique<ClosedRobot<double>>(trees.whole, trees.computed); }),
        inverse([this] { return std::make_unique<Inverse>(trees.whole); }),
        geometry([this] { return std::make_unique<Geometry>(*model); }),
        stepper([this] { return std::make_unique<Stepper>(trees); }),
        lanes([this] { return std::make_unique<LaneSolver>(trees.whole); }) {}

  void closed_dynamics(const Call& call, Rows q, Rows v, Rows tau, Rows external,
                       const Gravity& gravity, double* vdot, double* reaction) {
    for_each_state(closed, call.count, call.threads, [&](ClosedRobot<double>& work, std::size_t i) {
      DenseInput in = rest(trees.whole.bodies);
      in.q = view(q[i], configs), in.v = view(v[i], dofs), in.tau = view(tau[i], dofs);
      if (external.data != nullptr) write(view(external[i], 6 * bodies), in.external.data());
      in.gravity = Eigen::Vector3d(gravity.data());
      const ClosedAnswer answer = answer_of(call, i, [&] { return work.answer(in); });
      write(answer.out.vdot, vdot + i * dofs);
      if (reaction != nullptr) write(answer.out.reaction, reaction + i * 6 * bodies);
    });
  }

  void open_dynamics(const Call& call, Rows q, Rows v, Rows tau, Rows external,
                     const Gravity& gravity, double* vdot, double* reaction) {
    for_each_state(open, call.count, call.threads, [&](HostRobot<double>& work, std::size_t i) {
      write(view(q[i], configs), work.in.q.data());
      write(view(v[i], dofs), work.in.v.data());
      write(view(tau[i], dofs), work.in.tau.data());
      if (external.data != nullptr) write(view(external[i], 6 * bodies), work.external.data());
      if (external.data == nullptr) work.external.setZero();
      write(gravity, work.in.gravity.data());
      require(call, i, work.solver.forward_dynamics(work.in, work.external, work.out));
      write(work.out.vdot, vdot + i * dofs);
      if (reaction != nullptr) write(work.out.reaction, reaction + i * 6 * bodies);
    });
  }

  void lane_dynamics(const Call& call, Rows q, Rows v, Rows tau, Rows external,
                     const Gravity& gravity, double* vdot, double* reaction) {
    const std::vector<double> none(external.data == nullptr ? 6 * bodies : 0);
    constexpr auto kWidth = static_cast<std::size_t>(kLanes);
    const std::size_t groups = (call.count + kWidth - 1) / kWidth;
    for_each_state(lanes, groups, call.threads, [&](LaneSolver& work, std::size_t group) {
      std::array<LaneAsk, kWidth> ask;
      std::array<LaneAnswer, kWidth> answer;
      for (std::size_t k = 0; k < kWidth; ++k) {
        // the last group may have fewer states than lanes: its last one is solved again
        const std::size_t i = std::min(kWidth * group + k, call.count - 1);
        ask[k] = {q[i], v[i], tau[i], external.data == nullptr ? none.data() : external[i]};
        answer[k] = {vdot + i * dofs, reaction == nullptr ? nullptr : reaction + i * 6 * bodies};
      }
      const auto statuses = work.solve(ask, gravity, answer);
      for (std::size_t k = 0; k < kWidth; ++k) {
        require(call, std::min(kWidth * group + k, call.count - 1), statuses[k]);
      }
    });
  }

  // Calls one(geometry, i), with q and v of the state in it.
  template <class F>
  void look(const Call& call, Rows q, Rows v, F&& one) {
    for_each_state(geometry, call.count, call.threads, [&](Geometry& work, std::size_t i) {
      write(view(q[i], configs), work.q.data());
      if (v.data != nullptr) write(view(v[i], dofs), work.v.data());
      require(call, i, one(work, i));
    });
  }
};

Dynamics::Dynamics(RobotTrees trees) : own_(std::make_unique<Own>(std::move(trees))) {
  const int rows = row_count(own_->trees.computed);
  if (rows > kHostRows) {
    throw Error("robot " + quote(tree().name) + ": its loops and couplings have " +
                std::to_string(rows) + " rows, and at most " + std::to_string(kHostRows) +
                " can act; choose loop types with fewer rows");
  }
}
Dynamics::~Dynamics() = default;

const Tree& Dynamics::tree() const { return own_->trees.whole; }
const RobotTrees& Dynamics::trees() const { return own_->trees; }
std::size_t Dynamics::configs() const { return own_->configs; }
std::size_t Dynamics::dofs() const { return own_->dofs; }
std::size_t Dynamics::bodies() const { return own_->bodies; }

const NamedFrame& Dynamics::link(const std::string& name) const {
  const auto& names = tree().frame_names;
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return tree().frames[static_cast<std::size_t>(found - names.begin())];
  const std::string_view near = nearest_word(name, {names.begin(), names.end()});
  throw Error("robot " + quote(tree().name) + ": has no link " + quote(name) +
              (near.empty() ? "" : "; did you mean " + quote(std::string(near)) + "?"));
}

void Dynamics::forward_dynamics(const Call& call, Rows q, Rows v, Rows tau, Rows external,
                                const Gravity& gravity, double* vdot, double* reaction) {
  const auto solve = is_closed(tree()) ? &Own::closed_dynamics
                     : call.count > 1 && bodies() <= static_cast<std::size_t>(kLaneBodies)
                         ? &Own::lane_dynamics
                         : &Own::open_dynamics;
  (own_.get()->*solve)(call, q, v, tau, external, gravity, vdot, reaction);
}

void Dynamics::inverse_dynamics(const Call& call, Rows q, Rows v, Rows vdot, Rows external,
                                const Gravity& gravity, double* tau) {
  for_each_state(own_->inverse, call.count, call.threads, [&](Inverse& work, std::size_t i) {
    write(view(q[i], configs()), work.in.q.data());
    write(view(v[i], dofs()), work.in.v.data());
    write(view(vdot[i], dofs()), work.in.vdot.data());
    work.external.setZero();
    if (external.data != nullptr) write(view(external[i], 6 * bodies()), work.external.data());
    write(gravity, work.in.gravity.data());
    require(call, i, work.solver.inverse_dynamics(work.in, work.external, work.out));
    write(work.out, tau + i * dofs());
  });
}

void Dynamics::gravity_torque(const Call& call, Rows q, const Gravity& gravity, double* tau) {
  for_each_state(own_->inverse, call.count, call.threads, [&](Inverse& work, std::size_t i) {
    write(view(q[i], configs()), work.in.q.data());
    write(gravity, work.in.gravity.data());
    require(call, i, work.solver.gravity_torque(work.in.q, work.in.gravity, work.out));
    write(work.out, tau + i * dofs());
  });
}

void Dynamics::mass_matrix(const Call& call, Rows q, double* M) {
  own_->look(call, q, {}, [&](Geometry& work, std::size_t i) {
    const Status status = work.mass.mass_matrix(work.q, work.M);
    if (status == Status::kOk) write(work.M, M + i * dofs() * dofs());
    return status;
  });
}

void Dynamics::pose(const Call& call, Rows q, const NamedFrame& link, double* T_WL) {
  const LinkFrame<double> frame(link);
  own_->look(call, q, {}, [&](Geometry& work, std::size_t i) {
    Kinematics<Model, double>::Pose pose;
    const Status status = work.kinematics.pose(work.q, frame, pose);
    Eigen::Map<Eigen::Matrix<double, 4, 4, Eigen::RowMajor>> to(T_WL + 16 * i);
    to.setIdentity();
    to.topLeftCorner<3, 3>() = pose.R_WL;
    to.topRightCorner<3, 1>() = pose.p_WL;
    return status;
  });
}

void Dynamics::twist(const Call& call, Rows q, Rows v, const NamedFrame& link, Axes axes,
                     double* twist) {
  const LinkFrame<double> frame(link);
  own_->look(call, q, v, [&](Geometry& work, std::size_t i) {
    auto out = work.kinematics.make_twist();
    const Status status = work.kinematics.twist(work.q, work.v, frame, axes, out);
    write(out, twist + 6 * i);
    return status;
  });
}

void Dynamics::jacobian(const Call& call, Rows q, const NamedFrame& link, Axes axes, double* J) {
  const LinkFrame<double> frame(link);
  own_->look(call, q, {}, [&](Geometry& work, std::size_t i) {
    const Status status = work.kinematics.jacobian(work.q, frame, axes, work.jacobian);
    using ByRow = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::Map<ByRow>(J + i * 6 * dofs(), 6, work.jacobian.cols()) = work.jacobian;
    return status;
  });
}

void Dynamics::centre_of_mass(const Call& call, Rows q, double* centre) {
  own_->look(call, q, {}, [&](Geometry& work, std::size_t i) {
    Kinematics<Model, double>::Place place = Kinematics<Model, double>::Place::Zero();
    const Status status = work.kinematics.centre_of_mass(work.q, place);
    write(place, centre + 3 * i);
    return status;
  });
}

void Dynamics::momentum(const Call& call, Rows q, Rows v, double* momentum) {
  own_->look(call, q, v, [&](Geometry& work, std::size_t i) {
    Kinematics<Model, double>::Momentum sum;
    const Status status = work.kinematics.momentum(work.q, work.v, sum);
    write(sum.linear, momentum + 9 * i);
    write(sum.angular, momentum + 9 * i + 3);
    write(sum.about_centre, momentum + 9 * i + 6);
    return status;
  });
}

void Dynamics::energy(const Call& call, Rows q, Rows v, const Gravity& gravity, double* kinetic,
                      double* potential) {
  const Kinematics<Model, double>::Gravity g(gravity.data());
  own_->look(call, q, v, [&](Geometry& work, std::size_t i) {
    Kinematics<Model, double>::Energy sum;
    const Status status = work.kinematics.energy(work.q, work.v, g, sum);
    kinetic[i] = sum.kinetic, potential[i] = sum.potential;
    return status;
  });
}

void Dynamics::integrate(const Call& call, Rows q, Rows v, double dt, double* to) {
  own_->look(call, q, v, [&](Geometry& work, std::size_t i) {
    const Status status = lockstep::integrate(*own_->model, work.q, work.v, dt);
    write(work.q, to + i * configs());
    return status;
  });
}

void Dynamics::difference(const Call& call, Rows from, Rows to, double* v) {
  own_->look(call, from, {}, [&](Geometry& work, std::size_t i) {
    write(view(to[i], configs()), work.to.data());
    const Status status = lockstep::difference(*own_->model, work.q, work.to, work.v);
    write(work.v, v + i * dofs());
    return status;
  });
}

void Dynamics::step(const Call& call, Rows q, Rows v, Rows tau, double dt, Integrator integrator,
                    const Gravity& gravity, double* q_next, double* v_next) {
  for_each_state(own_->stepper, call.count, call.threads, [&](Stepper& work, std::size_t i) {
    work.state.q = work.map.merged_q(view(q[i], configs()));
    work.state.v = work.map.merged_v(view(v[i], dofs()));
    work.state.tau = work.map.merged_tau(view(tau[i], dofs()));
    follow_leaders(work.robot->view(), work.state.v);
    write(gravity, work.state.gravity.data());
    work.settings.dt = dt;
    work.settings.integrator = integrator;
    const Status status = work.stepping.step(work.state, work.settings);
    if (!has_moved(status)) require(call, i, status);
    write(work.map.whole_q(work.state.q), q_next + i * configs());
    write(work.map.whole_v(work.state.v), v_next + i * dofs());
  });
}

}  // namespace lockstep::host::python
