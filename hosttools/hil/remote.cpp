#include "hil/remote.hpp"

namespace lockstep::host::hil {

namespace {

template <class T>
void send_model(Client& client, const LoopRobot<T>& robot) {
  const auto bodies = static_cast<std::uint16_t>(robot.view().body_count());
  client.tell(link::ModelBegin{bodies, robot.hash()});
  const std::size_t a_frame =
      std::max<std::size_t>(1, (client.max_payload() - 4) / link::kBodyBytes<T>);
  Hash hash;
  std::vector<std::uint8_t> bytes;
  std::uint16_t first = 0, count = 0;
  const auto flush = [&] {
    if (count == 0) return;
    client.tell(link::ModelBodies<T>{first, count, bytes});
    hash.add_all(bytes);
    bytes.clear();
    first = static_cast<std::uint16_t>(first + count);
    count = 0;
  };
  robot.view().backward([&]<JointType kJoint>(int, const BodyData<T>& body) {
    std::array<std::uint8_t, link::kBodyBytes<T>> room;
    link::ByteWriter to(room);
    link::put_body(to, body);
    bytes.insert(bytes.end(), room.begin(), room.end());
    if (++count == a_frame) flush();
  });
  flush();
  client.tell(link::ModelEnd{hash.value()});
}

}  // namespace

template <class T>
link::HelloReply introduce(Client& client, Application application, const LoopRobot<T>& robot,
                           std::chrono::milliseconds starting, const std::string& untold) {
  link::HelloReply hello;
  client.ask(link::Hello(), hello, 0, starting / Client::kTries);
  client.set_max_payload(hello.max_payload);
  client.set_clock_hz(hello.clock_hz);
  if (hello.application != application) {
    throw Error(client.target() + ": runs the application '" + name_of(hello.application) +
                "', not '" + name_of(application) + "'; flash that one, or change the scenario");
  }
  if (hello.scalar_bytes != sizeof(T)) {
    throw Error(
        client.target() + ": computes in " +
        (hello.scalar_bytes == 4 ? "float; add --scalar float" : "double; add --scalar double"));
  }
  client.open(hello.session);
  if (hello.state == link::LoopState::kRunning || hello.state == link::LoopState::kSafe) {
    client.tell(link::Stop());
  }
  if (!hello.is_table) {
    if (hello.model_hash == robot.hash()) return hello;
    throw Error(client.target() + ": holds another robot, of hash " + hash_text(hello.model_hash) +
                "; this one's is " + hash_text(robot.hash()) +
                "; flash a firmware for this robot, or one that takes models");
  }
  if (!untold.empty()) {
    throw Error(client.target() + ": takes models over the link, which carries no " + untold);
  }
  if (robot.view().body_count() > hello.capacity) {
    throw Error(client.target() + ": has room for " + std::to_string(hello.capacity) +
                " bodies, the robot has " + std::to_string(robot.view().body_count()) +
                "; build the firmware with a larger LOCKSTEP_TABLE_BODIES");
  }
  send_model(client, robot);
  return hello;
}

template <class T>
void configure(Client& client, const LoopRobot<T>& robot, const LoopSettings<T>& settings) {
  using firmware::span_of;
  client.tell(
      link::Configure<T>{.model_hash = robot.hash(),
                         .dt = settings.dt,
                         .gravity = {settings.gravity[0], settings.gravity[1], settings.gravity[2]},
                         .kp = settings.kp,
                         .kd = settings.kd,
                         .watchdog_ticks = settings.watchdog_ticks,
                         .free_running = settings.free_running,
                         .integrator = static_cast<std::uint8_t>(settings.integrator),
                         .drive = settings.drive,
                         .publish_every = settings.publish_every,
                         .missed_allowed = settings.missed_allowed,
                         .missed_forgotten = settings.missed_forgotten,
                         .safe = settings.safe});
  const auto& limits = settings.limits;
  client.tell(link::Limits<const T>{span_of(limits.effort), span_of(limits.effort_rate),
                                    span_of(limits.lower), span_of(limits.upper),
                                    span_of(limits.velocity)});
  const auto& waves = settings.waves;
  client.tell(link::Waves<const T>{span_of(waves.offset), span_of(waves.amplitude),
                                   span_of(waves.increment), span_of(waves.phase)});
}

template link::HelloReply introduce(Client&, Application, const LoopRobot<float>&,
                                    std::chrono::milliseconds, const std::string&);
template link::HelloReply introduce(Client&, Application, const LoopRobot<double>&,
                                    std::chrono::milliseconds, const std::string&);
template void configure(Client&, const LoopRobot<float>&, const LoopSettings<float>&);
template void configure(Client&, const LoopRobot<double>&, const LoopSettings<double>&);

}  // namespace lockstep::host::hil
