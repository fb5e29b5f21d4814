// Our method on one system, static or in a table, and what the others begin with: M, J and c as the
// bodies and constraints themselves give them.
#pragma once

#include "entrant.hpp"
#include "equation_7.hpp"
#include "lockstep/maximal/sparse_system.hpp"

namespace lockstep::bench {

// Along the world's y, in which planar bodies move as well.
template <class T>
inline constexpr Vec3<T> kGravity = {T(0), T(-9.81), T(0)};

template <class Mechanism>
class LockstepMethod {
 public:
  using T = typename Mechanism::Scalar;
  using System = maximal::SparseSystem<Mechanism>;

  LockstepMethod(std::unique_ptr<const Mechanism> mechanism, const Motion& motion)
      : mechanism_(std::move(mechanism)),
        system_(*mechanism_),
        state_{cast<maximal::PosesOf<Mechanism>>(motion.x),
               cast<maximal::VelocitiesOf<Mechanism>>(motion.v), T(0)},
        force_(state_.v),
        solution_{state_.v, maximal::MultipliersOf<Mechanism>::Zero(mechanism_->counts().lambda)} {
    mechanism_->bodies([&]<class B>(const B& body, const maximal::BodyPlace& place) {
      using Velocity = maximal::Vector<T, B::kDimension>;
      const auto pose = maximal::load<typename B::Pose>(state_.x.data() + place.x);
      const auto velocity = maximal::load<Velocity>(state_.v.data() + place.v);
      Velocity force = body.inertial_force(pose, velocity);
      const Velocity weight = maximal::weight(body, pose, kGravity<T>);
      for (std::size_t i = 0; i < force.size(); ++i) force[i] += weight[i];
      maximal::store(force, force_.data() + place.v);
    });
  }

  void form() { good_ = system_.form(state_) == Status::kOk; }
  void factor() { good_ = good_ && system_.factor() == Status::kOk; }
  void solve() {
    system_.set_bodies([&]<class B>(const B&, const maximal::BodyPlace& place) {
      return maximal::load<maximal::Vector<T, B::kDimension>>(force_.data() + place.v);
    });
    const auto& c = system_.rows().c;
    system_.set_rows([&](int i) { return c[i]; });
    good_ = good_ && system_.solve(solution_) == Status::kOk;
  }
  // Nothing where something went wrong, which agrees with nobody.
  Answer answer() const {
    if (!good_) return {};
    return {solution_.v.template cast<double>(), solution_.lambda.template cast<double>()};
  }

  template <class World>
  Equation7<World> equation_7(const Records& records) const {
    Equation7<World> equation;
    mechanism_->bodies([&]<class B>(const B& body, const maximal::BodyPlace& place) {
      if constexpr (B::kDimension == World::kBody) {  // a table could hold others
        const auto M = body.mass_matrix(maximal::load<typename B::Pose>(state_.x.data() + place.x));
        equation.M.emplace_back();
        copy(M, equation.M.back());
        equation.force.emplace_back(
            Eigen::Map<const typename Equation7<World>::Force>(force_.data() + place.v));
      }
    });
    mechanism_->constraints([&](const auto&, const auto& evaluate) {
      const auto blocks = evaluate(state_.x.data(), state_.v.data(), T(0));
      if constexpr (std::tuple_size_v<decltype(blocks.c)> == World::kRows) {
        const auto& record = records.joints[equation.joints.size()];
        typename Equation7<World>::Joint joint = {record.a, record.b, {}, {}, {}};
        copy(blocks.J_A, joint.J_A);
        copy(blocks.J_B, joint.J_B);
        std::copy(blocks.c.begin(), blocks.c.end(), joint.c.begin());
        equation.joints.push_back(joint);
      }
    });
    return equation;
  }

 private:
  template <class Vector>
  static Vector cast(const std::vector<double>& values) {
    Vector result = Vector::Zero(static_cast<Eigen::Index>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) result.data()[i] = static_cast<T>(values[i]);
    return result;
  }
  template <class From, class To>
  static void copy(const From& from, To& to) {
    for (Eigen::Index i = 0; i < to.rows(); ++i) {
      for (Eigen::Index j = 0; j < to.cols(); ++j) {
        to(i, j) = from[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      }
    }
  }

  std::unique_ptr<const Mechanism> mechanism_;
  System system_;
  maximal::State<Mechanism> state_;
  maximal::VelocitiesOf<Mechanism> force_;
  typename System::Solution solution_;
  bool good_ = true;
};

template <class Mechanism>
Entrant lockstep_entrant(const char* name, std::shared_ptr<LockstepMethod<Mechanism>> method) {
  return {
      name,
      {[method] { method->form(); }, [method] { method->factor(); }, [method] { method->solve(); }},
      [method] { return method->answer(); }};
}

}  // namespace lockstep::bench
