// The systems of Baraff 1996, section 9, as records: planar bodies on pins and rigid bodies on ball
// joints, in a chain or in a binary tree. Joint i holds body i + 1; body 0 is free. Numbers are
// random, the same everywhere.
#pragma once

#include <span>
#include <vector>

#include "lockstep/maximal/catalogue.hpp"
#include "support/random.hpp"

namespace lockstep::bench {

enum class Shape { kChain, kTree };

// Dimensions of a body and of a joint.
struct Plane {
  static constexpr int kBody = 3, kRows = 2;
  static constexpr auto kBodyType = maximal::BodyType::kPlanar;
  static constexpr auto kJointType = maximal::ConstraintType::kPointOnLine;
};
struct Space {
  static constexpr int kBody = 6, kRows = 3;
  static constexpr auto kBodyType = maximal::BodyType::kRigid;
  static constexpr auto kJointType = maximal::ConstraintType::kBall;
};

template <class World>
constexpr maximal::BodyRecord body_record(int index) {
  test::Random random(static_cast<std::uint64_t>(index) + 1);
  maximal::BodyRecord record = {.type = static_cast<int>(World::kBodyType)};
  record.numbers[0] = random.uniform(0.5, 2);  // kg
  if (World::kBody == 3) {
    record.numbers[1] = random.uniform(0.02, 0.1);
    return record;
  }
  for (const std::size_t diagonal : {1u, 4u, 6u})
    record.numbers[diagonal] = random.uniform(0.04, 0.1);
  for (const std::size_t other : {2u, 3u, 5u}) record.numbers[other] = random.uniform(-0.01, 0.01);
  return record;
}

template <class World>
constexpr maximal::ConstraintRecord joint_record(Shape shape, int index) {
  test::Random random(static_cast<std::uint64_t>(index) + 100001);
  const int child = index + 1;
  maximal::ConstraintRecord record = {.type = static_cast<int>(World::kJointType),
                                      .a = shape == Shape::kChain ? child - 1 : child / 2,
                                      .b = child};
  for (const std::size_t end : {0u, 12u}) {  // R along the body, then p
    for (const std::size_t diagonal : {0u, 4u, 8u}) record.numbers[end + diagonal] = 1;
    const double side = end == 0 ? 1 : -1;
    record.numbers[end + 9] = side * random.uniform(0.2, 0.4);
    record.numbers[end + 10] = random.uniform(-0.2, 0.2);
    if (World::kBody == 6) record.numbers[end + 11] = random.uniform(-0.2, 0.2);
  }
  return record;
}

// As a StaticMechanism wants it.
template <class World, Shape kShape, int kJoints>
struct ConstantRecords {
  template <class T>
  using Types = maximal::StandardTypes<T>;
  static constexpr auto kBodies = [] {
    std::array<maximal::BodyRecord, kJoints + 1> all;
    for (int i = 0; i <= kJoints; ++i) all[maximal::at(i)] = body_record<World>(i);
    return all;
  }();
  static constexpr auto kConstraints = [] {
    std::array<maximal::ConstraintRecord, kJoints> all;
    for (int i = 0; i < kJoints; ++i) all[maximal::at(i)] = joint_record<World>(kShape, i);
    return all;
  }();
};

struct Records {
  std::vector<maximal::BodyRecord> bodies;
  std::vector<maximal::ConstraintRecord> joints;
};
template <class World>
Records make_records(Shape shape, int joints) {
  Records records;
  for (int i = 0; i <= joints; ++i) records.bodies.push_back(body_record<World>(i));
  for (int i = 0; i < joints; ++i) records.joints.push_back(joint_record<World>(shape, i));
  return records;
}

// Assembled at random angles, moving as the joints allow: poses and velocities, body after body.
struct Motion {
  std::vector<double> x, v;
};
template <class World>
Motion random_motion(const Records& records, unsigned seed);

}  // namespace lockstep::bench
