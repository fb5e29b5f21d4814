#include "contact/contest.hpp"

#include <algorithm>
#include <numeric>

#include "clock.hpp"
#include "contact/lockstep.hpp"
#include "lockstep/contact/detect.hpp"
#include "model/tree_colliders.hpp"
#include "robot/balance.hpp"
#include "sim/motors.hpp"

namespace lockstep::bench {

namespace {

constexpr std::size_t kRest = 500, kDrift = 1000;  // steps

// Knows nothing of who moves the bodies.
class Judge {
 public:
  explicit Judge(const Scene& scene)
      : tree_(scene.tree), shapes_(scene.tree), ground_(scene.settings.bounds, {}) {}

  void look(const Eigen::VectorXd& q, const Eigen::VectorXd& v, double work, double damped) {
    host::DenseInput now = host::rest(tree_.bodies);
    now.q = q, now.v = v;
    balance_.add(host::mechanics(tree_.bodies, now), work, q, v, damped);
  }
  const host::Balance& balance() const { return balance_; }

  void measure(const Eigen::VectorXd& q, Track& track) const {
    const auto world = host::place_in_world(tree_.bodies, q, host::rest(tree_.bodies).v);
    const auto vec3 = [](const auto& v) -> Vec3<double> { return {v[0], v[1], v[2]}; };
    std::vector<Placement<double>> X_WB;
    Eigen::Matrix3Xd& places = track.places.emplace_back(3, world.size());
    for (const host::WorldBody& body : world) {
      places.col(static_cast<Eigen::Index>(X_WB.size())) = body.origin;
      X_WB.push_back({{vec3(body.R_WB.col(0)), vec3(body.R_WB.col(1)), vec3(body.R_WB.col(2))},
                      vec3(body.origin)});
    }
    contact::ContactList<double, 1> deepest;
    const Status status =
        contact::detect<double>(shapes_.colliders(), shapes_.pairs(), X_WB, ground_, 0.0, deepest);
    if (status != Status::kOk) throw host::Error(to_string(status));
    track.depth.push_back(deepest.size() == 0 ? 0 : -deepest[0].distance);
  }

 private:
  const host::Tree& tree_;
  const host::TreeColliders<double> shapes_;
  const host::AnyGround<double> ground_;
  host::Balance balance_;
};

Eigen::VectorXd to_vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

double farthest(const Eigen::Matrix3Xd& a, const Eigen::Matrix3Xd& b) {
  return (a - b).colwise().norm().maxCoeff();
}

host::MaximalSettings maximal_settings(host::Method method, std::optional<double> tolerance,
                                       RowSolver solver) {
  host::MaximalSettings settings;
  settings.dt = kStep;
  settings.integrator = Integrator::kSemiImplicitEuler;
  settings.method = method;
  settings.tolerance = tolerance;
  settings.contact_solver = solver;
  return settings;
}

}  // namespace

double Track::total_us() const { return std::accumulate(us.begin(), us.end(), 0.0); }
double Track::deepest() const { return *std::ranges::max_element(depth); }
double Track::deepest_at_rest() const {
  return *std::max_element(depth.end() - std::ptrdiff_t{kRest}, depth.end());
}
double Track::drift() const { return farthest(places[places.size() - 1 - kDrift], places.back()); }

double apart(const Track& a, const Track& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.places.size(); ++i) {
    most = std::max(most, farthest(a.places[i], b.places[i]));
  }
  return most;
}

const Runner* Contest::find(const std::string& name) const {
  const auto found = std::ranges::find(runners, name, &Runner::name);
  return found == runners.end() ? nullptr : &*found;
}

Contest make_contest(const Scene& scene) {
  Contest contest = {&scene};
  const auto add = [&](std::string name, bool ours, std::unique_ptr<Contestant> contestant) {
    contest.runners.push_back({std::move(name), ours, std::move(contestant)});
  };
  const auto table = [&](const char* name, RowSolver solver) {
    add(name, true, make_table(scene.tree, scene.settings.bounds, solver));
  };
  table(kExact, RowSolver::kPivoting);
  table("Gauss-Seidel", RowSolver::kGaussSeidel);
  table("Newton", RowSolver::kNewton);
  if (const StaticMaker make = static_maker(scene.name)) {
    add("Newton, static", true, make(RowSolver::kNewton));
  }
  if (!scene.settings.hold) {
    using host::Method;
    const auto maximal = [&](const char* name, const host::MaximalSettings& settings) {
      add(name, true, make_maximal(scene.tree, settings));
    };
    maximal("Lagrange", maximal_settings(Method::kLinear, {}, RowSolver::kGaussSeidel));
    maximal("impulses", maximal_settings(Method::kLinear, 1e-6, RowSolver::kGaussSeidel));
    maximal("parts", maximal_settings(Method::kParts, 1e-6, RowSolver::kGaussSeidel));
  }
#if LOCKSTEP_BENCH_MUJOCO
  add(kMuJoCo, false, make_stepping_mujoco(scene.tree, kUsual));
  add(kStiffMuJoCo, false, make_stepping_mujoco(scene.tree, kStiff));
#endif
  return contest;
}

void run(const Scene& scene, Runner& runner) {
  const host::sim::SimSettings& settings = scene.settings;
  Track& track = runner.track;
  const bool first = track.us.empty();
  if (!first && !track.good) return;
  Judge judge(scene);
  host::sim::Motors<double> motors(scene.tree, settings, scene.start);
  const host::DenseInput rest = host::rest(scene.tree.bodies);
  Eigen::VectorXd q = scene.start, v = rest.v;
  State state = {{q.begin(), q.end()}, {v.begin(), v.end()}, {rest.tau.begin(), rest.tau.end()}};
  runner.contestant->set(state);
  double work = 0, damped = 0;
  if (first) judge.look(q, v, work, damped);
  for (int i = 0; i < scene.steps; ++i) {
    if (settings.hold && motors.drive(static_cast<std::uint64_t>(i), q, v) != Status::kOk) return;
    const Eigen::VectorXd tau = motors.tau(), before = v;
    runner.contestant->drive({tau.begin(), tau.end()});
    // the processor's clock is slow to ask, the wall's counts interruptions: neither is too short
    const double begin = now_us(), wall_begin = wall_us();
    const bool moved = runner.contestant->step();
    const double wall = wall_us() - wall_begin, us = std::min(now_us() - begin, wall);
    if (!moved) return;
    runner.contestant->read(state);
    q = to_vector(state.q), v = to_vector(state.v);
    if (!first) {
      track.us[at(i)] = std::min(track.us[at(i)], us);
      continue;
    }
    track.us.push_back(us);
    track.iterations.push_back(runner.contestant->iterations());
    track.short_stops += runner.contestant->stopped_short();
    track.violation = std::max(track.violation, runner.contestant->violation());
    work += host::work_of(tau, before, v, settings.dt);
    damped += host::work_of(motors.damper(), before, v, settings.dt);
    judge.look(q, v, work, damped);
    judge.measure(q, track);
  }
  track.good = true;
  if (!first) return;
  track.gained = judge.balance().gained();
  track.exchanged = judge.balance().exchanged();
}

}  // namespace lockstep::bench
