// What goes over the wire: frames and seals, byte by byte.
#include "hashes.hpp"
#include "lockstep/link/frame.hpp"
#include "lockstep/link/messages.hpp"
#include "lockstep/link/seal.hpp"

namespace lockstep::test {

namespace {

constexpr std::size_t kNumbers = 12, kRoom = 512;

template <class T>
void tell_frames() {
  static link::FrameWriter<kRoom> writer;
  static link::FrameReader<kRoom> reader;
  Witness<T> witness("frames");
  std::array<T, kNumbers> q{}, v{}, tau{};
  std::array<T, kNumbers> got_q{}, got_v{}, got_tau{};
  link::Seal seal(link::Key{1, 2, 3, 4}, link::End::kHost, 5);
  Random random;
  for (int i = 0; i < 100; ++i) {
    for (auto* values : {&q, &v, &tau}) {
      for (T& value : *values) value = static_cast<T>(random.next() * 10);
    }
    const link::Header header = {.type = link::request_type(link::MessageType::kSetState),
                                 .sequence = static_cast<std::uint16_t>(i * 777),
                                 .step = static_cast<std::uint64_t>(i) << 33,
                                 .session = 0x01020304u};
    std::array<std::uint8_t, kRoom> room;
    link::ByteWriter payload(room);
    link::SetState<const T>{0x0123456789abcdefu, q, v, tau}.write(payload);
    seal.close(header, payload.written(), writer.begin(header));
    bool arrived = false;
    for (const std::uint8_t byte : writer.finish()) {
      witness.add(static_cast<int>(byte));
      const link::Frame* frame = reader.push(byte);
      if (frame == nullptr) continue;
      link::ByteReader from(frame->payload.first(frame->payload.size() - link::Seal::kBytes));
      link::SetState<T> message{0, got_q, got_v, got_tau};
      arrived = message.read(from) && got_q == q && got_v == v && got_tau == tau &&
                frame->header == header && message.hash == 0x0123456789abcdefu;
    }
    witness.add(arrived ? Status::kOk : Status::kMalformed);
  }
}

}  // namespace

void tell_link() {
  tell_frames<float>();
  tell_frames<double>();
}

}  // namespace lockstep::test
