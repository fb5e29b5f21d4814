#include "hosttools/methods/test_parts.hpp"

namespace lockstep::test {

namespace {

// Part after part; a step that does not end fails.
class Patiently {
 public:
  template <class F>
  void operator()(int count, F&& f) const {
    if (--left_ < 0) FAIL("the step does not end");
    for (int i = 0; i < count; ++i) f(i);
  }

 private:
  mutable int left_ = 1'000'000;
};

}  // namespace

template <class T>
TestParts<T>::TestParts(const TestTable<T>& table) : core_(std::make_unique<Core>(table)) {}
template <class T>
TestParts<T>::~TestParts() = default;

template <class T>
Status TestParts<T>::assign(const host::methods::PartTable& table) {
  return core_->assign(table);
}
template <class T>
Status TestParts<T>::assign(const contact::Scene<T>& scene) {
  return core_->assign(scene);
}

template <class T>
Status TestParts<T>::step(State& state, const Loads& loads, const Settings& settings) {
  return core_->step(state, loads, settings, Patiently());
}
template <class T>
Status TestParts<T>::step_backwards(State& state, const Loads& loads, const Settings& settings) {
  return core_->step(state, loads, settings, [](int count, auto&& f) {
    for (int i = count; i-- > 0;) f(i);
  });
}
template <class T>
auto TestParts<T>::errors() const -> ConstraintErrors<T> {
  return core_->errors();
}

template class TestParts<double>;
template class TestParts<float>;

}  // namespace lockstep::test
