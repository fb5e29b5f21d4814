// The link as a board would hold it: frames, messages with scalars, a model body by body.
// toolchain/check-no-heap reads the symbols of what comes out.
#include "lockstep/link/frame.hpp"
#include "lockstep/link/messages.hpp"
#include "lockstep/link/seal.hpp"
#include "lockstep/table_model.hpp"

template class lockstep::link::FrameWriter<256>;
template class lockstep::link::FrameReader<256>;

// a keyed line's both halves
bool lockstep_link_keyed(lockstep::link::Seal& seal, lockstep::link::Frame& frame,
                         lockstep::link::ByteWriter& to);
bool lockstep_link_keyed(lockstep::link::Seal& seal, lockstep::link::Frame& frame,
                         lockstep::link::ByteWriter& to) {
  seal.close(frame.header, frame.payload, to);
  return seal.open(frame, frame);
}

template lockstep::Status lockstep::TableModel<float, 8>::add(const BodyData<float>&);

#define LOCKSTEP_INSTANTIATE(T)                                                      \
  template struct lockstep::link::Configure<T>;                                      \
  template struct lockstep::link::Limits<T>;                                         \
  template struct lockstep::link::Waves<T>;                                          \
  template struct lockstep::link::SetState<T>;                                       \
  template struct lockstep::link::Step<T>;                                           \
  template struct lockstep::link::StateReply<T>;                                     \
  template struct lockstep::link::Solve<T>;                                          \
  template struct lockstep::link::SolveReply<T>;                                     \
  template struct lockstep::link::Control<T>;                                        \
  template struct lockstep::link::ControlReply<T>;                                   \
  template struct lockstep::link::ModelBodies<T>;                                    \
  template void lockstep::link::put_body(ByteWriter&, const lockstep::BodyData<T>&); \
  template lockstep::BodyData<T> lockstep::link::take_body<T>(lockstep::link::ByteReader&);

LOCKSTEP_INSTANTIATE(float)
LOCKSTEP_INSTANTIATE(double)  // bits only, so it needs no double unit either
