// Random states of an emitted model.
#pragma once

#include "lockstep/model.hpp"
#include "support/random.hpp"

namespace lockstep::test {

template <class Model, class Input, class T>
void randomize(Input& in, T size, Random& random) {
  const auto number = [&](T scale) { return static_cast<T>(random.uniform(-1, 1)) * scale; };
  int q = 0;
  for (const Body& body : Model::kBodies) {
    const int count = config_count(body.joint);
    for (int i = 0; i < count; ++i) in.q[q + i] = number(size);
    if (body.joint == JointType::kBall || body.joint == JointType::kFloating) {
      const Eigen::Quaterniond unit = random.rotation();
      for (int i = 0; i < 4; ++i) in.q[q + count - 4 + i] = static_cast<T>(unit.coeffs()[i]);
    }
    q += count;
  }
  for (int i = 0; i < in.v.size(); ++i) in.v[i] = number(2), in.tau[i] = number(20);
}

}  // namespace lockstep::test
