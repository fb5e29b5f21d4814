#include "python/lanes.hpp"

#include "lockstep/lanes.hpp"
#include "lockstep/solver.hpp"
#include "model/tree_model.hpp"

namespace lockstep::host::python {

namespace {

using Four = Lanes<double, kLanes>;

using LaneTable = TreeModel<Four, kLaneBodies, true>;

template <class Values>
void put(int lane, const double* from, Values& to) {
  for (Eigen::Index i = 0; i < to.size(); ++i) to.data()[i].set(lane, from[i]);
}
template <class Values>
void take(int lane, const Values& from, double* to) {
  for (Eigen::Index i = 0; i < from.size(); ++i) to[i] = from.data()[i][lane];
}

}  // namespace

struct LaneSolver::Own {
  LaneTable model;
  Solver<LaneTable, Four> solver;
  Solver<LaneTable, Four>::Input in;
  Solver<LaneTable, Four>::Wrenches external;
  Solver<LaneTable, Four>::Output out;

  explicit Own(const Tree& tree)
      : model(tree),
        solver(model),
        in(solver.make_input()),
        external(solver.make_wrenches()),
        out(solver.make_output()) {}
};

LaneSolver::LaneSolver(const Tree& tree) : own_(std::make_unique<Own>(tree)) {}
LaneSolver::~LaneSolver() = default;

std::array<Status, kLanes> LaneSolver::solve(const std::array<LaneAsk, kLanes>& ask,
                                             const std::array<double, 3>& gravity,
                                             const std::array<LaneAnswer, kLanes>& answer) {
  for (int i = 0; i < 3; ++i) own_->in.gravity[i] = Four(gravity[static_cast<std::size_t>(i)]);
  for (int lane = 0; lane < kLanes; ++lane) {
    const LaneAsk& one = ask[static_cast<std::size_t>(lane)];
    put(lane, one.q, own_->in.q);
    put(lane, one.v, own_->in.v);
    put(lane, one.tau, own_->in.tau);
    if (one.external != nullptr) put(lane, one.external, own_->external);
  }
  const auto statuses = own_->solver.forward_dynamics(own_->in, own_->external, own_->out);
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto i = static_cast<std::size_t>(lane);
    if (statuses[i] != Status::kOk) continue;
    take(lane, own_->out.vdot, answer[i].vdot);
    if (answer[i].reaction != nullptr) take(lane, own_->out.reaction, answer[i].reaction);
  }
  return statuses;
}

}  // namespace lockstep::host::python
