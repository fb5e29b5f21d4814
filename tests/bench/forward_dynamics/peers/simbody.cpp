// Simbody's recursive algorithm, by realizing its system to accelerations.
#include "candidate.hpp"
#include "central_inertia.hpp"
#include "simbody_plain.hpp"

namespace lockstep::bench {

namespace {

class Simbody : public Candidate {
 public:
  explicit Simbody(std::unique_ptr<SimbodyPlain> robot) : robot_(std::move(robot)) {}

  void set(const State& state) override {
    robot_->set(state.q.data(), state.v.data(), state.tau.data());
  }
  void run(int times) override { robot_->run(times); }
  std::vector<double> vdot() const override { return robot_->vdot(); }

 private:
  std::unique_ptr<SimbodyPlain> robot_;
};

}  // namespace

[[gnu::visibility("default")]] std::unique_ptr<Candidate> make_simbody(
    std::span<const Body> bodies) {
  std::vector<CentralInertia> inertias;
  for (const Body& body : bodies) inertias.push_back(central_inertia(body));
  std::vector<SimbodyBody> plain;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    if (body.joint == JointType::kPlanar) return nullptr;
    plain.push_back({.parent = body.parent,
                     .joint = body.joint == JointType::kRevolute    ? SimbodyBody::kRevolute
                              : body.joint == JointType::kPrismatic ? SimbodyBody::kPrismatic
                              : body.joint == JointType::kBall      ? SimbodyBody::kBall
                                                                    : SimbodyBody::kFloating,
                     .R_PJ = body.R_PJ.data(),
                     .p_PJ = body.p_PJ.data(),
                     .mass = body.mass,
                     .com = inertias[i].com.data(),
                     .inertia = body.inertia.data()});
  }
  return std::make_unique<Simbody>(make_simbody_plain(plain, kGravity));
}

}  // namespace lockstep::bench
