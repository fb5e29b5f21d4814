#include "eval/contact_engine.hpp"

#include <memory>

#include "robot/bounded_tables.hpp"
#include "robot/robot.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

// s: short enough that no state moves within it, long enough for the digits of a velocity.
constexpr double kMoment = 1e-7;

Json three(const Vec3<double>& v) { return Json::array({v.x, v.y, v.z}); }

class ContactWorkspace {
 public:
  ContactWorkspace(const Tree& tree, const Bounds& bounds)
      : tree_(tree),
        bounded_(tree, bounds),
        tables_(tree, bounds),
        robot_(tree, TreeRows<double>(tree), tables_.joints, tables_.scene(bounds)),
        settings_(bounded_settings(kMoment, bounds)) {
    settings_.contact.correction = 0;  // what is too deep stays there
    // exact, and from no step before
    if (bounds.solver == RowSolver::kNewton) settings_.solver = RowSolver::kPivoting;
  }

  ContactAnswer answer(const DenseInput& state) {
    Stepper& stepper = robot_.solver;
    robot_.set(state);
    stepper.forget();
    Stepper::Demands demands;
    demands.external = &robot_.external;
    const Status status = stepper.step(robot_.in, settings_, demands);
    if (!has_moved(status)) throw Error(to_string(status));
    const auto& result = stepper.result();
    ContactAnswer answer = {
        .out = {.vdot = stepper.output().vdot, .reaction = stepper.output().reaction},
        .contacts = Json::array(),
        .limit_force = Json::object(),
        .friction = Json::object()};
    for (const auto& own : result.contacts()) {
      if (!(own.normal > 0)) continue;
      answer.contacts.push_back({{"link", name(own.contact.a)},
                                 {"other", name(own.contact.b)},
                                 {"point", three(own.contact.point)},
                                 {"normal", three(own.contact.normal)},
                                 {"distance", own.contact.distance},
                                 {"force", three(own.normal * own.contact.normal + own.friction)}});
    }
    for (const int body : bounded_.limited) {
      answer.limit_force[joint(body)] = result.limit_force(body);
    }
    for (const int body : bounded_.rubbing) {
      answer.friction[joint(body)] = result.force(RowOf::kFriction, body);
    }
    return answer;
  }

 private:
  using Stepper = HostBoundedStepper<double>;

  std::string name(int body) const { return body == kWorld ? "world" : tree_.link_names[at(body)]; }
  const std::string& joint(int body) const { return tree_.joint_names[at(body)]; }

  const Tree tree_;
  const Bounded bounded_;
  const BoundedTables<double> tables_;
  HostRobot<double, Stepper> robot_;
  BoundedSettings<double> settings_;
};

}  // namespace

ContactEngine make_contact_engine(const Tree& tree, const Bounds& bounds) {
  return [work = std::make_shared<ContactWorkspace>(tree, bounds)](const DenseInput& in) {
    return work->answer(in);
  };
}

}  // namespace lockstep::host
