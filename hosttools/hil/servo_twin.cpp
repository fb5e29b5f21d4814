#include "hil/servo_twin.hpp"

#include "boards/board.hpp"
#include "hil/device_transport.hpp"
#include "loop/link_port.hpp"
#include "loop/servo_device.hpp"
#include "robot/solvers.hpp"

namespace lockstep::host::hil {

namespace {

struct NoBoard {  // time comes with the frames
  static constexpr std::uint32_t kLongestPeriod = 1u << 24;
  static std::uint32_t clock_hz() { return 1'000'000'000; }
  static void start_ticking(std::uint32_t) {}
  static std::uint32_t ticks() { return 0; }
  static std::uint32_t cycles() { return 0; }
  static std::uint32_t stack_bytes() { return 0; }
  static std::uint32_t build_id() { return 0; }
  static link::ResetReason reset_reason() { return link::ResetReason::kUnknown; }
  static board::LineErrors line_errors() { return {}; }
  static link::LatenessReply lateness() { return {.status = Status::kUnknownMessage}; }
  static void feed_watchdog() {}
  static const board::FaultRecord* fault() { return nullptr; }
  static void forget_fault() {}
  static void note_step(std::uint64_t) {}
};

template <class T>
using Device = firmware::ServoDevice<HostModel<T>, T, NoBoard, firmware::LinkPort<HostModel<T>, T>>;

// Holds its robot from the start: no link carries all of what the host knows of it.
template <class T>
class Twin : public Device<T> {
 public:
  explicit Twin(const LoopRobot<T>& robot) {
    auto& own = this->Device<T>::Session::robot_;
    own = robot;
    status_ = this->Device<T>::Session::take_robot();
  }

 private:
  Status status_;
};

}  // namespace

template <class T>
std::unique_ptr<Transport> make_servo_twin(const LoopRobot<T>& robot) {
  return std::make_unique<DeviceTransport<Twin<T>>>(std::make_unique<Twin<T>>(robot));
}

template std::unique_ptr<Transport> make_servo_twin(const LoopRobot<float>&);
template std::unique_ptr<Transport> make_servo_twin(const LoopRobot<double>&);

}  // namespace lockstep::host::hil
