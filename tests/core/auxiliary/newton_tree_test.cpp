// A robot's straight line of a Newton step against the loops over its bodies: the same bits.
#include "lockstep/auxiliary/newton_tree.hpp"

#include <CppUTest/TestHarness.h>

#include <memory>
#include <vector>

#include "lockstep/problem.hpp"
#include "quadruped.hpp"
#include "support/model_states.hpp"

using namespace lockstep;

namespace {

using Model = quadruped;

// Two trees of one robot. Wrenches from outside make one of them go by loops: they are zero.
template <class T>
class BothForms {
  static_assert(StraightNewtonModel<Model, T> && StraightLimbsNewtonModel<Model, T>);
  static constexpr int kBodies = static_cast<int>(Model::kBodies.size());
  using View = StaticModel<Model, T>;
  using Tree = auxiliary::NewtonTree<View, T>;

 public:
  void place() {
    test::randomize<Model>(in_, T(3), random_);
    PassInput<T> ask = {in_.q.data(), in_.v.data(), in_.tau.data(), in_.gravity.data(), nullptr};
    by_line_->place({}, ask, {T(1e-3), T(1e-3)});
    ask.external = nothing_.data();
    by_loops_->place({}, ask, {T(1e-3), T(1e-3)});
    for (int i = 0; i < kBodies; ++i) {
      CHECK(same(by_line_->pose(i).p, by_loops_->pose(i).p));
      CHECK(same(by_line_->pose(i).R.y, by_loops_->pose(i).R.y));
    }
  }
  // Loads on bodies and on some joints, then a solve.
  void solve(std::span<const int> bodies) {
    for (const int body : bodies) by_line_->expect({}, body);
    by_line_->unload({}), by_loops_->unload({});
    for (const int body : bodies) {
      CHECK(same(by_line_->twist(body), by_loops_->twist(body)));
      const Placement<T> X = {by_loops_->pose(body).R, point()};
      const T k = T(1e4) * share();
      const auto block = point_inertia_to_parent(X, Sym3<T>{k, T(0), T(0), k, T(0), k});
      const Spatial<T> wrench = {T(100) * point(), T(10) * point()};
      by_line_->load(body, wrench, block), by_loops_->load(body, wrench, block);
    }
    for (const BodyData<T>& body : View::bodies()) {
      if (dof_count(body.joint) != 1 || number() < T(0)) continue;
      const T effort = T(5) * number(), slope = number() > T(0) ? T(10) * share() : T(0);
      by_line_->load({}, body, effort, slope), by_loops_->load({}, body, effort, slope);
    }
    CHECK(by_line_->solve({}) && by_loops_->solve({}));
    for (const int body : bodies) {
      CHECK(same(by_line_->acceleration(body), by_loops_->acceleration(body)));
    }
    CHECK(is_finite(by_line_->write({})) && is_finite(by_loops_->write({})));
    const PassOutput<T> line = by_line_->output(), loops = by_loops_->output();
    const auto same_numbers = [](const T* a, const T* b, int count) {
      for (int i = 0; i < count; ++i) CHECK(a[i] == b[i]);
    };
    same_numbers(line.vdot, loops.vdot, View::kMaxDofs);
    same_numbers(line.reaction, loops.reaction, 6 * kBodies);
    same_numbers(line.lambda, loops.lambda, View::kMaxMultipliers);
  }

 private:
  T number() { return static_cast<T>(random_.uniform(-1, 1)); }
  T share() { return static_cast<T>(random_.uniform(0, 1)); }
  Vec3<T> point() { return {number(), number(), number()}; }
  static bool same(const Vec3<T>& a, const Vec3<T>& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }
  static bool same(const Spatial<T>& a, const Spatial<T>& b) {
    return same(a.linear, b.linear) && same(a.angular, b.angular);
  }

  test::Random random_{2027};
  std::unique_ptr<Tree> by_line_ = std::make_unique<Tree>(), by_loops_ = std::make_unique<Tree>();
  typename Problem<View, T>::Input in_ = Problem<View, T>().make_input();
  std::array<T, 6 * at(kBodies)> nothing_ = {};
};

template <class T>
void check_line() {
  std::vector<int> touched;
  for (const auto& collider : Model::kColliders) touched.push_back(collider.body);
  BothForms<T> forms;
  for (int i = 0; i < 20; ++i) {
    forms.place();
    forms.solve(touched);
    forms.solve(std::span(touched).first(1));
    forms.solve({});
  }
  // a body that has no collider: by loops, until the next step
  const std::array<int, 2> abads = {1, 4};
  forms.solve(abads);
  forms.place();
  forms.solve(touched);
}

}  // namespace

TEST_GROUP(NewtonTree){};

TEST(NewtonTree, TheLineHasTheBitsOfTheLoops) { check_line<double>(); }
// Where registers hold four, with limbs side by side.
TEST(NewtonTree, TheLineHasTheBitsOfTheLoopsInFloat) { check_line<float>(); }
