#include "support/test_plant.hpp"

namespace lockstep::test {

template <class T>
TestPlant<T>::TestPlant() : core_(std::make_unique<Core>()) {}
template <class T>
TestPlant<T>::~TestPlant() = default;

template <class T>
bool TestPlant<T>::receive(std::uint8_t byte) {
  return core_->receive(byte);
}
template <class T>
std::span<const std::uint8_t> TestPlant<T>::outgoing() const {
  return core_->outgoing();
}
template <class T>
void TestPlant<T>::sent() {
  core_->sent();
}
template <class T>
void TestPlant<T>::poll() {
  core_->poll();
}
template <class T>
bool TestPlant<T>::is_busy() const {
  return core_->is_busy();
}
template <class T>
link::LoopState TestPlant<T>::state() const {
  return core_->state();
}

template class TestPlant<double>;
template class TestPlant<float>;

}  // namespace lockstep::test
