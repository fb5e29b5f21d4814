// A robot's straight line of a Newton step against the loops over a table: the same bits.
#include "lockstep/auxiliary/newton_tree.hpp"

#include <CppUTest/TestHarness.h>

#include <memory>
#include <vector>

#include "humanoid.hpp"
#include "lockstep/problem.hpp"
#include "quadruped.hpp"
#include "support/model_states.hpp"

using namespace lockstep;

namespace {

template <class Model, class T>
class BothForms {
  static constexpr int kBodies = static_cast<int>(Model::kBodies.size());
  using Fixed = StaticModel<Model, T>;
  using Table = TableModel<T, kBodies>;

 public:
  BothForms() { CHECK(table_.assign(Model::kBodies) == Status::kOk); }

  void place() {
    test::randomize<Model>(in_, T(3), random_);
    const PassInput<T> ask = {in_.q.data(), in_.v.data(), in_.tau.data(), in_.gravity.data(),
                              external_};
    by_line_->place({}, ask, T(1e-3));
    by_loops_->place(table_, ask, T(1e-3));
    for (int i = 0; i < kBodies; ++i) {
      CHECK(same(by_line_->pose(i).p, by_loops_->pose(i).p));
      CHECK(same(by_line_->pose(i).R.y, by_loops_->pose(i).R.y));
    }
  }
  // Loads on bodies and on some joints, then a solve.
  void solve(const auto& bodies) {
    by_line_->unload({}), by_loops_->unload(table_);
    for (const int body : bodies) {
      by_line_->expect({}, body);
      CHECK(same(by_line_->twist(body), by_loops_->twist(body)));
      const Placement<T> X = {{{number(), T(0), number()}, {T(0), number(), T(1)}, {}}, point()};
      const T stiffness = T(1e4) * number() * number();
      const Inertia6<T> block =
          point_inertia_to_parent(X, Sym3<T>{stiffness, T(0), T(0), stiffness, T(0), stiffness});
      const Spatial<T> wrench = {T(100) * point(), T(10) * point()};
      by_line_->load(body, wrench, block), by_loops_->load(body, wrench, block);
    }
    for (int i = 0; i < kBodies; ++i) {
      const BodyData<T>& body = table_.bodies()[at(i)];
      if (dof_count(body.joint) != 1 || number() < T(0)) continue;
      const T effort = T(5) * number(), slope = number() > T(0) ? T(10) * number() : T(0);
      const T held = slope > T(0) ? slope : T(0);
      by_line_->load({}, body, effort, held), by_loops_->load(table_, body, effort, held);
    }
    CHECK(by_line_->solve({}) && by_loops_->solve(table_));
    for (const int body : bodies) {
      CHECK(same(by_line_->acceleration(body), by_loops_->acceleration(body)));
    }
    CHECK(is_finite(by_line_->write({})) && is_finite(by_loops_->write(table_)));
    const auto same_numbers = [](const T* a, const T* b, int count) {
      for (int i = 0; i < count; ++i) CHECK(a[i] == b[i]);
    };
    const PassOutput<T> line = by_line_->output(), loops = by_loops_->output();
    same_numbers(line.vdot, loops.vdot, table_.counts().v);
    same_numbers(line.reaction, loops.reaction, 6 * kBodies);
    same_numbers(line.lambda, loops.lambda, table_.counts().lambda);
  }
  void push_from_outside() {
    wrenches_.setConstant(T(0.5));
    external_ = wrenches_.data();
  }

 private:
  T number() { return static_cast<T>(random_.uniform(-1, 1)); }
  Vec3<T> point() { return {number(), number(), number()}; }
  static bool same(const Vec3<T>& a, const Vec3<T>& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }
  static bool same(const Spatial<T>& a, const Spatial<T>& b) {
    return same(a.linear, b.linear) && same(a.angular, b.angular);
  }

  test::Random random_{2027};
  Table table_;
  std::unique_ptr<auxiliary::NewtonTree<Fixed, T>> by_line_ =
      std::make_unique<auxiliary::NewtonTree<Fixed, T>>();
  std::unique_ptr<auxiliary::NewtonTree<Table, T>> by_loops_ =
      std::make_unique<auxiliary::NewtonTree<Table, T>>();
  typename Problem<Fixed, T>::Input in_ = Problem<Fixed, T>().make_input();
  typename Problem<Fixed, T>::Wrenches wrenches_;
  const T* external_ = nullptr;
};

// Bodies that have colliders.
template <class Model>
std::vector<int> touched() {
  std::vector<int> bodies;
  for (const auto& collider : Model::kColliders) {
    if (collider.body != kWorld) bodies.push_back(collider.body);
  }
  return bodies;
}

template <class Model, class T>
void check_line() {
  static_assert(StraightNewtonModel<Model, T>);
  BothForms<Model, T> forms;
  const std::vector<int> feet = touched<Model>();
  for (int i = 0; i < 20; ++i) {
    forms.place();
    forms.solve(std::span(feet));
    forms.solve(std::span(feet).first(1));
    forms.solve(std::span<const int>());
  }
}

}  // namespace

TEST_GROUP(NewtonTree){};

// In float with limbs side by side, where registers hold four.
TEST(NewtonTree, TheLineOfAQuadrupedHasTheBitsOfTheLoops) {
  check_line<quadruped, double>();
  check_line<quadruped, float>();
}
TEST(NewtonTree, TheLineOfAHumanoidHasTheBitsOfTheLoops) { check_line<humanoid, float>(); }

// Bodies without colliders and wrenches from outside, after which it is the line's turn again.
TEST(NewtonTree, WhatTheLineDoesNotKnowGoesByLoops) {
  BothForms<quadruped, double> forms;
  const std::array<int, 2> abads = {1, 4};
  forms.place();
  forms.solve(std::span(abads));
  forms.push_from_outside();
  forms.place();
  forms.solve(std::span(abads));
}
