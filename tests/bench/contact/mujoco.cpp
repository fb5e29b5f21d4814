// MuJoCo's mj_step with Newton's method and elliptic cones, on the robot that Lockstep has: its
// dampers, dry friction, limits, shapes, and the same pairs of them.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "contact/contestant.hpp"
#include "peers/mjcf.hpp"

namespace lockstep::bench {

namespace {

std::string softness(const Compliance& own, const std::string& of = "") {
  return " solref" + of + "='" + numbers({own.time_constant, 1}) + "' solimp" + of + "='" +
         numbers({own.least, own.most, 0.001}) + "'";
}

std::string joint(const Body& body, const Compliance& compliance) {
  if (body.spin != std::array<double, 3>{}) {
    throw std::invalid_argument("MuJoCo has no rotors that lean");
  }
  if (dof_count(body.joint) != 1) return "";
  std::string text = " damping='" + numbers({body.damping}) + "' frictionloss='" +
                     numbers({body.friction}) + "' armature='" + numbers({body.armature}) + "'" +
                     softness(compliance, "limit") + softness(compliance, "friction");
  const double least = std::max(body.limits.lower, -1e6), most = std::min(body.limits.upper, 1e6);
  if (std::isfinite(body.limits.lower) || std::isfinite(body.limits.upper)) {
    text += " limited='true' range='" + numbers({least, most}) + "'";
  }
  return text;
}

std::string vertices(std::span<const std::array<double, 3>> points) {
  std::string text;
  for (const auto& point : points) text += numbers({point[0], point[1], point[2]}) + " ";
  return text;
}

class Writer {
 public:
  Writer(const host::Tree& tree, const Compliance& compliance)
      : tree_(tree), compliance_(compliance) {}

  std::string text() const {
    const Extras extras = {[&](int i) { return joint(tree_.bodies[at(i)], compliance_); },
                           [&](int i) { return geoms(i); }};
    // some robots' files have inertias that no body has
    return "<mujoco><compiler angle='radian' balanceinertia='true'/><option timestep='" +
           numbers({kStep}) + "' gravity='" + numbers({0, 0, kGravity}) +
           "' solver='Newton' cone='elliptic' collision='predefined'/><asset>" + meshes() +
           "</asset><worldbody><geom name='ground' type='plane' size='0 0 1'/>" + geoms(kWorld) +
           "\n" + trees(tree_.bodies, extras) + "</worldbody><contact>\n" + pairs() +
           "</contact></mujoco>";
  }

 private:
  static std::string shape(const contact::ColliderRecord& own, int number) {
    const auto [x, y, z] = own.half;
    switch (own.type) {
      case contact::ShapeType::kSphere: return "sphere' size='" + numbers({own.radius});
      case contact::ShapeType::kCapsule: return "capsule' size='" + numbers({own.radius, z});
      case contact::ShapeType::kBox: return "box' size='" + numbers({x, y, z});
      case contact::ShapeType::kCylinder: return "cylinder' size='" + numbers({own.radius, z});
      case contact::ShapeType::kPoints: return "mesh' mesh='" + named("mesh", number);
    }
    throw std::invalid_argument("a shape that MuJoCo has not");
  }

  template <class F>
  std::string each_collider(F&& f) const {
    std::string text;
    for (int i = 0; i < static_cast<int>(tree_.colliders.size()); ++i) {
      text += f(i, tree_.colliders[at(i)]);
    }
    return text;
  }

  std::string geoms(int body) const {
    return each_collider([&](int i, const contact::ColliderRecord& own) -> std::string {
      if (own.body != body) return "";
      double q[4];
      mju_mat2Quat(q, own.R_BS.data());
      return "<geom name='" + named("geom", i) + "' type='" + shape(own, i) + "' pos='" +
             numbers({own.p_BS[0], own.p_BS[1], own.p_BS[2]}) + "' quat='" +
             numbers({q[0], q[1], q[2], q[3]}) + "'/>";
    });
  }

  std::string meshes() const {
    return each_collider([&](int i, const contact::ColliderRecord& own) -> std::string {
      if (own.type != contact::ShapeType::kPoints) return "";
      return "<mesh name='" + named("mesh", i) + "' vertex='" +
             vertices(std::span(tree_.collider_points).subspan(at(own.first), at(own.count))) +
             "'/>";
    });
  }

  std::string pair(const std::string& a, const std::string& b, double product) const {
    const double friction = std::sqrt(product);
    return "<pair geom1='" + a + "' geom2='" + b + "' condim='3' friction='" +
           numbers({friction, friction, 0, 0, 0}) + "'" + softness(compliance_) + "/>\n";
  }

  std::string pairs() const {
    std::string text = each_collider([&](int i, const contact::ColliderRecord& own) {
      return own.body == kWorld ? ""
                                : pair("ground", named("geom", i), own.friction * kGroundFriction);
    });
    for (const auto& [a, b] : tree_.collider_pairs) {
      text += pair(named("geom", a), named("geom", b),
                   tree_.colliders[at(a)].friction * tree_.colliders[at(b)].friction);
    }
    return text;
  }

  const host::Tree& tree_;
  const Compliance& compliance_;
};

class MuJoCo : public Contestant {
 public:
  MuJoCo(const host::Tree& tree, const Compliance& compliance)
      : bodies_(tree.bodies),
        model_(load(Writer(tree, compliance).text()), mj_deleteModel),
        data_(mj_makeData(model_.get()), mj_deleteData) {}

  void set(const State& state) override {
    mj_resetData(model_.get(), data_.get());
    put(bodies_, state, *data_);
  }
  void drive(const std::vector<double>& tau) override {
    std::copy(tau.begin(), tau.end(), data_->qfrc_applied);
  }
  bool step() override {
    mj_step(model_.get(), data_.get());
    return data_->warning[mjWARN_BADQPOS].number + data_->warning[mjWARN_BADQVEL].number +
               data_->warning[mjWARN_BADQACC].number ==
           0;
  }
  void read(State& state) const override { get(bodies_, *data_, state); }
  int iterations() const override { return data_->solver_iter; }
  bool stopped_short() const override {
    return data_->solver_iter >= model_->opt.iterations ||
           data_->warning[mjWARN_CONTACTFULL].number > 0 ||
           data_->warning[mjWARN_CNSTRFULL].number > 0;
  }

 private:
  const std::vector<Body> bodies_;
  std::unique_ptr<mjModel, void (*)(mjModel*)> model_;
  std::unique_ptr<mjData, void (*)(mjData*)> data_;
};

}  // namespace

[[gnu::visibility("default")]] std::unique_ptr<Contestant> make_stepping_mujoco(
    const host::Tree& tree, const Compliance& compliance) {
  return std::make_unique<MuJoCo>(tree, compliance);
}

}  // namespace lockstep::bench
