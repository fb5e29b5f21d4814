// The firmware's plant of a table of eight bodies, compiled in one object for all tests.
#pragma once

#include <memory>

#include "loop/plant_device.hpp"
#include "support/fake_board.hpp"

namespace lockstep::test {

template <class T>
class TestPlant {
 public:
  using Core = firmware::PlantDevice<TableModel<T, 8>, T, FakeBoard>;
  static constexpr auto kMaxPayload = Core::kMaxPayload;

  TestPlant();
  ~TestPlant();

  bool receive(std::uint8_t byte);
  std::span<const std::uint8_t> outgoing() const;
  void sent();
  void poll();
  bool is_busy() const;
  link::LoopState state() const;

 private:
  std::unique_ptr<Core> core_;
};

extern template class TestPlant<double>;
extern template class TestPlant<float>;

}  // namespace lockstep::test
