#include "contact/lockstep.hpp"

#include <Eigen/Geometry>

#include "contact/joint_space.hpp"
#include "robot/bounded_tables.hpp"
#include "robot/mechanism_robot.hpp"
#include "robot/part_stepping.hpp"

namespace lockstep::bench {

namespace {

// What the table's stepper looks into.
struct Tables {
  Tables(const host::Tree& tree, const host::Bounds& bounds)
      : model(host::to_table<double>(tree)), bounded(tree, bounds) {}
  std::unique_ptr<TableModel<double, host::kHostBodies>> model;
  host::BoundedTables<double> bounded;
};
class Table : private Tables, public JointSpace<host::HostBoundedStepper<double>> {
 public:
  Table(const host::Tree& tree, const host::Bounds& bounds, RowSolver solver)
      : Tables(tree, bounds),
        JointSpace(solver, *model, host::TreeRows<double>(tree), bounded.joints,
                   bounded.scene(bounds)) {}
};

host::Mechanism to_mechanism(const host::Tree& tree) {
  host::Mechanism mechanism;
  mechanism.name = tree.name;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Body& body = tree.bodies[i];
    maximal::BodyRecord record = {static_cast<int>(maximal::BodyType::kRigid), {body.mass}};
    std::copy(body.inertia.begin(), body.inertia.end(), record.numbers.begin() + 1);
    mechanism.bodies.push_back(record);
    mechanism.body_names.push_back(tree.link_names[i]);
  }
  mechanism.colliders = tree.colliders;
  mechanism.collider_pairs = tree.collider_pairs;
  mechanism.ground = {.friction = kGroundFriction};
  return mechanism;
}

class Maximal : public Contestant {
 public:
  Maximal(const host::Tree& tree, const host::MaximalSettings& settings)
      : mechanism_(to_mechanism(tree)), settings_(settings), robot_(mechanism_) {}

  void set(const State& state) override {
    stepping_ = host::make_stepping(mechanism_, robot_.table(), settings_);
    const auto map = [](const std::vector<double>& values) {
      return Eigen::Map<const Eigen::VectorXd>(values.data(),
                                               static_cast<Eigen::Index>(values.size()));
    };
    Eigen::VectorXd v = map(state.v);
    turn(map(state.q), v, [](const auto& q) { return q; });
    robot_.set(map(state.q), v);
    robot_.set_loads(Eigen::VectorXd::Zero(v.size()), settings_.gravity);
  }
  void drive(const std::vector<double>&) override {}  // all of it floats
  bool step() override {
    status_ = stepping_->step(robot_.state, robot_.loads);
    return has_moved(status_);
  }
  void read(State& state) const override {
    Eigen::VectorXd v = robot_.state.v;
    turn(robot_.state.x, v, [](const auto& q) { return q.conjugate(); });
    state.q.assign(robot_.state.x.begin(), robot_.state.x.end());
    state.v.assign(v.begin(), v.end());
  }
  int iterations() const override {
    const auto* const parts = dynamic_cast<const host::PartStepping<double>*>(stepping_.get());
    return parts == nullptr ? 0 : parts->sweeps();
  }
  bool stopped_short() const override { return status_ != Status::kOk; }

 private:
  // Velocities between the axes of bodies and the world's.
  template <class F>
  static void turn(const Eigen::VectorXd& x, Eigen::VectorXd& v, F&& by) {
    for (Eigen::Index i = 0; 6 * i < v.size(); ++i) {
      const auto R = by(Eigen::Quaterniond(x.segment<4>(7 * i + 3))).toRotationMatrix().eval();
      v.segment<3>(6 * i) = (R * v.segment<3>(6 * i)).eval();
      v.segment<3>(6 * i + 3) = (R * v.segment<3>(6 * i + 3)).eval();
    }
  }

  const host::Mechanism mechanism_;
  const host::MaximalSettings settings_;
  host::MechanismRobot<double> robot_;
  std::unique_ptr<host::MaximalStepping<double>> stepping_;
  Status status_ = Status::kOk;
};

}  // namespace

std::unique_ptr<Contestant> make_table(const host::Tree& tree, const host::Bounds& bounds,
                                       RowSolver solver) {
  return std::make_unique<Table>(tree, bounds, solver);
}

std::unique_ptr<Contestant> make_maximal(const host::Tree& tree,
                                         const host::MaximalSettings& settings) {
  return std::make_unique<Maximal>(tree, settings);
}

}  // namespace lockstep::bench
