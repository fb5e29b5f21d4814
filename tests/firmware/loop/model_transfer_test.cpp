#include "loop/model_transfer.hpp"

#include <CppUTest/TestHarness.h>

#include "support/plant_line.hpp"

using namespace lockstep;
using namespace lockstep::test;
using enum lockstep::link::LoopState;

namespace {

template <class T>
void check_same_bits_as_a_plant_built_here() {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto bodies = random_tree({.shape = Shape::kForest, .bodies = 7, .seed = seed});
    Conversation<TestPlant<T>> line;
    send_model<T>(line, bodies);

    firmware::Robot<TableModel<T, 8>, T> robot;
    CHECK_TRUE(Status::kOk == robot.table().assign(bodies));
    firmware::Settings<TableModel<T, 8>, T> settings;
    settings.resize(robot.view().counts().v);
    firmware::Plant<TableModel<T, 8>, T> plant(robot);
    plant.incoming().tau.setConstant(T(0.25));
    CHECK_TRUE(Status::kOk == plant.set_command());
    for (int i = 0; i < 10; ++i) CHECK_TRUE(Status::kOk == plant.advance(settings));

    const std::vector<T> tau(static_cast<std::size_t>(robot.view().counts().v), T(0.25));
    CHECK_TRUE(Status::kOk == line.tell(link::Start()));
    const Heard heard = line.ask(link::Step<const T>{10, tau});
    const auto& motion = plant.motion();
    const Bytes expected = payload_of(
        link::StateReply<const T>{Status::kOk, kRunning, plant.hash(), firmware::span_of(motion.q),
                                  firmware::span_of(motion.v), firmware::span_of(motion.tau)});
    CHECK_TRUE(heard.payload == expected);
    LONGS_EQUAL(10, heard.header.step);
  }
}

struct Transfer {
  explicit Transfer(std::uint16_t promised = 5, std::uint64_t model_hash = kModelHash) {
    begun = line.tell(link::ModelBegin{promised, model_hash});
  }
  Status add(const Body& body, std::uint16_t first) {
    const Bytes bytes = bytes_of_body<double>(body);
    hash.add_all(bytes);
    return line.tell(link::ModelBodies<double>{first, 1, bytes});
  }
  void add_all() {
    for (std::uint16_t i = 0; i < 5; ++i) CHECK_TRUE(Status::kOk == add(line_robot()[i], i));
  }
  Status end() { return line.tell(link::ModelEnd{hash.value()}); }
  // It has no model, and can still be given one.
  void check_recovers() {
    link::HelloReply hello;
    line.ask(link::Hello(), hello);
    CHECK_TRUE(hello.state == kBoot && hello.model_hash == 0);
    send_model<double>(line, line_robot());
    CHECK_TRUE(line.device().state() == kReady);
  }
  PlantLine<double> line{kBoot};
  Hash hash;
  Status begun = Status::kOk;
};

}  // namespace

TEST_GROUP(ModelTransfer){};

TEST(ModelTransfer, GivesTheBitsOfAPlantBuiltHere) {
  check_same_bits_as_a_plant_built_here<float>();
  check_same_bits_as_a_plant_built_here<double>();
}

TEST(ModelTransfer, MoreBodiesThanThereIsRoomForAreRefused) {
  Transfer at_once(9);
  CHECK_TRUE(Status::kTooManyBodies == at_once.begun);
  at_once.check_recovers();

  Transfer broken_promise(8);
  for (std::uint16_t i = 0; i < 8; ++i) {
    CHECK_TRUE(Status::kOk == broken_promise.add(line_robot().front(), i));
  }
  CHECK_TRUE(Status::kTooManyBodies == broken_promise.add(line_robot().front(), 8));
  broken_promise.check_recovers();
}

// there is room for the bodies, but not in a frame for five vectors of their coordinates
TEST(ModelTransfer, ARobotTooLargeForTheFramesIsRefused) {
  Conversation<firmware::PlantDevice<TableModel<double, 20>, double, FakeBoard>> line;
  const Body free = {.joint = JointType::kFloating, .mass = 1, .inertia = {1, 0, 0, 1, 0, 1}};
  CHECK_TRUE(Status::kOk == line.tell(link::ModelBegin{20, kModelHash}));
  Hash hash;
  for (std::uint16_t i = 0; i < 20; ++i) {
    const Bytes bytes = bytes_of_body<double>(free);
    hash.add_all(bytes);
    CHECK_TRUE(Status::kOk == line.tell(link::ModelBodies<double>{i, 1, bytes}));
  }
  CHECK_TRUE(Status::kTooManyBodies == line.tell(link::ModelEnd{hash.value()}));
  link::HelloReply hello;
  line.ask(link::Hello(), hello);
  CHECK_TRUE(hello.state == kBoot && hello.model_hash == 0);
}

TEST(ModelTransfer, WhatDidNotArriveAsItWasSentIsRefused) {
  Transfer other_bytes;
  other_bytes.add_all();
  other_bytes.hash.add(std::uint8_t{1});
  CHECK_TRUE(Status::kTransferDamaged == other_bytes.end());
  other_bytes.check_recovers();

  for (const std::uint16_t promised : {std::uint16_t{4}, std::uint16_t{6}}) {
    Transfer other_count(promised);
    other_count.add_all();
    CHECK_TRUE(Status::kTransferDamaged == other_count.end());
    other_count.check_recovers();
  }

  Transfer without_hash(5, 0);
  without_hash.add_all();
  CHECK_TRUE(Status::kTransferDamaged == without_hash.end());
  without_hash.check_recovers();

  PlantLine<double> without_beginning(kBoot);
  CHECK_TRUE(Status::kTransferDamaged == without_beginning.tell(link::ModelEnd{Hash().value()}));
  CHECK_TRUE(without_beginning.device().state() == kBoot);
}

TEST(ModelTransfer, ARobotWithoutBodiesIsRefused) {
  Transfer none(0);
  CHECK_TRUE(Status::kMalformed == none.begun);
  CHECK_TRUE(Status::kTransferDamaged == none.end());
  none.check_recovers();
}

TEST(ModelTransfer, BodiesComeInTheirOrder) {
  Transfer t;
  CHECK_TRUE(Status::kOutOfStep == t.add(line_robot()[1], 1));
  t.check_recovers();
}

TEST(ModelTransfer, BodiesThatMakeNoSenseAreRefused) {
  const auto refused = [](auto&& spoil) {
    Transfer t;
    Body body = line_robot().front();
    spoil(body);
    const Status status = t.add(body, 0);
    t.check_recovers();
    return status;
  };
  CHECK_TRUE(Status::kBadInertia == refused([](Body& b) { b.mass = -1; }));
  CHECK_TRUE(Status::kBadInertia == refused([](Body& b) { b.p_PJ[0] = 0.0 / 0.0; }));
  CHECK_TRUE(Status::kBadInertia == refused([](Body& b) { b.inertia[1] = 0.0 / 0.0; }));
  CHECK_TRUE(Status::kBadInertia == refused([](Body& b) { b.inertia = {1, 1.1, 0, 1, 0, 1}; }));
  CHECK_TRUE(Status::kBadInertia == refused([](Body& b) { b.h[2] = 1e3; }));
  CHECK_TRUE(Status::kBadJoint ==
             refused([](Body& b) { b.R_PJ = {1, 0.01, 0, 0, 1, 0, 0, 0, 1}; }));
  CHECK_TRUE(Status::kBadJoint == refused([](Body& b) { b.R_PJ.fill(0); }));
  CHECK_TRUE(Status::kBadJoint == refused([](Body& b) { b.R_PJ = {1, 0, 0, 0, 1, 0, 0, 0, -1}; }));
  CHECK_TRUE(Status::kBadInertia == refused([](Body& b) { b.mass = 0; }));
  CHECK_TRUE(Status::kBadJoint == refused([](Body& b) { b.damping = -5; }));
  CHECK_TRUE(Status::kBadParent == refused([](Body& b) { b.parent = 0; }));
  CHECK_TRUE(Status::kBadJoint == refused([](Body& b) { b.joint = JointType{77}; }));
}

TEST(ModelTransfer, AFrameWithOneBadBodyAddsNone) {
  Transfer t;
  CHECK_TRUE(Status::kOk == t.add(line_robot()[0], 0));
  Body sheared = line_robot()[2];
  sheared.R_PJ[1] += 0.01;
  Bytes frame = bytes_of_body<double>(line_robot()[1]);
  const Bytes bad = bytes_of_body<double>(sheared);
  frame.insert(frame.end(), bad.begin(), bad.end());
  CHECK_TRUE(Status::kBadJoint == t.line.tell(link::ModelBodies<double>{1, 2, frame}));
  // the transfer goes on where it was
  for (std::uint16_t i = 1; i < 5; ++i) CHECK_TRUE(Status::kOk == t.add(line_robot()[i], i));
  CHECK_TRUE(Status::kOk == t.end());
  CHECK_TRUE(t.line.device().state() == kReady);
}

TEST(ModelTransfer, AnotherModelTakesThePlaceOfTheFirst) {
  PlantLine<double> line, fresh;
  line.start();
  CHECK_TRUE(Status::kOk == line.step(5, 1));
  CHECK_TRUE(Status::kOk == line.tell(link::Stop()));
  send_model<double>(line, random_tree({.bodies = 3, .seed = 5}));
  send_model<double>(line, line_robot());
  CHECK_TRUE(line.plant_bits() == fresh.plant_bits());
}
