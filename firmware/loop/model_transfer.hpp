// A model on its way into a table, some bodies a frame.
#pragma once

#include "lockstep/hash.hpp"
#include "lockstep/link/messages.hpp"
#include "loop/robot.hpp"

namespace lockstep::firmware {

template <class T>
class ModelTransfer {
 public:
  template <class Table>
  void begin(Robot<Table, T>& robot, const link::ModelBegin& message) {
    robot.table().clear();
    robot.set_hash(0);
    promised_ = message;
    hash_ = Hash();
  }

  // All bodies of a frame or none.
  template <class Table>
  Status add(Robot<Table, T>& robot, const link::ModelBodies<T>& message) {
    if (message.first != robot.view().body_count()) return Status::kOutOfStep;
    link::ByteReader bodies(message.bytes);
    for (int i = 0; i < message.count; ++i) {
      const BodyData<T> body = link::take_body<T>(bodies);
      // a joint that pushes the faster it moves is none
      const Status status = body.damping >= T(0) ? robot.table().add(body) : Status::kBadJoint;
      if (status != Status::kOk) {
        robot.table().keep(message.first);
        return status;
      }
    }
    hash_.add_all(message.bytes);
    return Status::kOk;
  }

  template <class Table>
  Status end(Robot<Table, T>& robot, const link::ModelEnd& message) {
    // hash 0: nothing was begun
    if (promised_.model_hash == 0 || robot.view().body_count() != promised_.bodies ||
        hash_.value() != message.transfer_hash) {
      return Status::kTransferDamaged;
    }
    robot.set_hash(promised_.model_hash);
    return Status::kOk;
  }

 private:
  link::ModelBegin promised_;
  Hash hash_;
};

}  // namespace lockstep::firmware
