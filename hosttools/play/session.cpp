#include "play/session.hpp"

#include <limits>

#include "model/content_hash.hpp"
#include "model/loop_rows.hpp"
#include "model/summary.hpp"
#include "page/scene.hpp"
#include "page/visuals.hpp"
#include "robot/assemble.hpp"
#include "robot/devices.hpp"
#include "robot/robot.hpp"

namespace lockstep::host::play {

namespace {

// No number in JSON is infinite.
Json limit_of(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

Session::Session(const sim::SimOptions& options)
    : options_(options), start_(sim::prepare_joint(options)) {
  refuse_devices(options.load, "the playground");
  look();
}

JointRecord Session::record() const {
  return {start_.robot, start_.bounds, start_.settings.hold.has_value(), true};
}

Json Session::facts() const {
  const Tree& tree = start_.robot.whole;
  std::vector<RecordColumn> columns = {time_column()};
  const std::vector<RecordColumn> own = record().columns();
  columns.insert(columns.end(), own.begin(), own.end());
  Json named = Json::array();
  for (const RecordColumn& column : own) {
    named.push_back({{"name", column.name}, {"unit", column.unit}});
  }
  Json joints = Json::array();
  Counts at;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Body& body = tree.bodies[i];
    joints.push_back({{"name", tree.joint_names[i]},
                      {"link", tree.link_names[i]},
                      {"parent", body.parent},
                      {"dof", dof_count(body.joint)},
                      {"q", at.q},
                      {"unit", body.joint == JointType::kPrismatic ? "m" : "rad"},
                      {"lower", limit_of(body.limits.lower)},
                      {"upper", limit_of(body.limits.upper)},
                      {"mass", body.mass}});
    at.add(body.joint);
  }
  const Visuals visuals =
      read_visuals(options_.load.file, options_.load.read.limits, options_.load.read.mesh);
  return {{"name", tree.name},
          {"summary", summary(start_.robot.computed)},
          {"model", hash_text(content_hash(start_.robot.computed))},
          {"dt", start_.settings.dt},
          {"columns", named},
          {"joints", joints},
          {"scene", Json::parse(scene_of(tree, visuals, start_.bounds, own))}};
}

void Session::step(std::uint64_t count) {
  const JointRecord rows = record();
  const Tree& tree = start_.robot.whole;
  const std::uint64_t first = start_.state.step;
  const auto watch = [&](std::uint64_t step, const JointMoment& now) {
    if (count != 0 && step == first) return;
    Mechanics own = mechanics(tree.bodies, now);
    own.potential += soft_row_energy(tree, now.q) + now.stored;
    row_ = {time_of(step, start_.settings.dt)};
    const std::vector<double> values = rows.row(now, own);
    row_.insert(row_.end(), values.begin(), values.end());
  };
  sim::simulate<double>(start_.robot, start_.settings, count,
                        std::numeric_limits<std::uint64_t>::max(), start_.state, watch);
}

void Session::look() { step(0); }

bool Session::set_joint(int place, double value) {
  Eigen::VectorXd& target = start_.settings.hold ? start_.state.held : start_.state.q;
  const double before = target[place];
  target[place] = value;
  const Tree& tree = start_.robot.whole;
  if (is_closed(tree) && !holds(tree, target, kClosed)) {
    target[place] = before;
    return false;
  }
  if (!start_.settings.hold) start_.state.v.setZero();
  look();
  return true;
}

bool Session::push(int body, const Eigen::Vector3d& point, const Eigen::Vector3d& impulse) {
  const Tree& whole = start_.robot.whole;
  const RotorMap map(whole, start_.robot.computed);
  DenseInput in = rest(whole.bodies);
  in.q = start_.state.q, in.v = start_.state.v;
  const WorldBody place = place_in_world(whole.bodies, in.q, in.v)[at(body)];
  const Eigen::Matrix3d R_LB = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(
      whole.bodies[at(body)].R_LB.data());
  const Eigen::Matrix3d R_LW = R_LB * place.R_WB.transpose();

  // what the impulse changes is what a force of as many newtons would change in a second
  using Robot = HostRobot<double, HostConstrainedSolver<double>>;
  const auto robot = std::make_unique<Robot>(start_.robot.computed);
  const TreeRows<double> rows(start_.robot.computed);
  const auto acceleration = [&](const DenseInput& state) -> std::optional<Eigen::VectorXd> {
    robot->set(map.to_merged(state));
    auto forces = std::make_unique<typename HostConstrainedSolver<double>::Forces>();
    const Status status =
        robot->solver.forward_dynamics(robot->in, robot->external, rows, robot->out, *forces);
    if (status != Status::kOk) return std::nullopt;
    return Eigen::VectorXd(robot->out.vdot);
  };
  const auto without = acceleration(in);
  in.external.col(body) << R_LW * impulse, R_LW * (point - place.origin).cross(impulse);
  const auto with = acceleration(in);
  if (!without || !with) return false;
  start_.state.v += map.whole_v(*with - *without);
  look();
  return true;
}

void Session::hold(const std::optional<Hold>& gains) {
  start_.settings.hold = gains;
  start_.state.held = start_.state.q;
  look();
}

std::string Session::saved() const {
  return saved_text({.state = start_.state, .dt = start_.settings.dt}, start_.robot.whole,
                    options_.scalar);
}

}  // namespace lockstep::host::play
