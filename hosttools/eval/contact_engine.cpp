#include "eval/contact_engine.hpp"

#include <memory>

#include "sim/bounded_tables.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

// s: short enough that no state moves within it, long enough for the digits of a velocity.
constexpr double kMoment = 1e-7;

Json three(const Vec3<double>& v) { return Json::array({v.x, v.y, v.z}); }

class Workspace {
 public:
  Workspace(const Tree& tree, const sim::BoundOptions& options)
      : tree_(tree),
        bounded_(tree, options),
        tables_(tree, options),
        model_(to_table<double>(tree)),
        stepper_(*model_, TreeRows<double>(tree), tables_.bounds, tables_.scene(options)),
        settings_(sim::bounded_settings(kMoment, options)) {
    settings_.contact.correction = 0;  // what is too deep stays there
  }

  ContactAnswer answer(const DenseInput& state) {
    auto in = stepper_.make_input();
    in.q = state.q, in.v = state.v, in.tau = state.tau, in.gravity = state.gravity;
    const Stepper::Wrenches external = state.external;
    stepper_.forget();
    Stepper::Demands demands;
    demands.external = &external;
    const Status status = stepper_.step(in, settings_, demands);
    if (status != Status::kOk) throw Error(to_string(status));
    const auto& result = stepper_.result();
    ContactAnswer answer = {
        .out = {.vdot = stepper_.output().vdot, .reaction = stepper_.output().reaction},
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
  using Stepper = sim::HostBoundedStepper<double>;

  std::string name(int body) const {
    return body == kWorld ? "world" : tree_.link_names[static_cast<std::size_t>(body)];
  }
  const std::string& joint(int body) const {
    return tree_.joint_names[static_cast<std::size_t>(body)];
  }

  const Tree tree_;
  const sim::Bounded bounded_;
  const sim::BoundedTables<double> tables_;
  std::unique_ptr<TableModel<double, kHostBodies>> model_;
  Stepper stepper_;
  BoundedSettings<double> settings_;
};

}  // namespace

ContactEngine make_contact_engine(const Tree& tree, const sim::BoundOptions& options) {
  return [work = std::make_shared<Workspace>(tree, options)](const DenseInput& in) {
    return work->answer(in);
  };
}

}  // namespace lockstep::host
