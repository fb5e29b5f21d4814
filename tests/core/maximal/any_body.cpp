#include "core/maximal/any_body.hpp"

#include <algorithm>

namespace lockstep::test {
namespace {

template <class B>
maximal::Vector<double, B::kDimension> head(const AnyBody::Velocity& v) {
  maximal::Vector<double, B::kDimension> result;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = v[i];
  return result;
}

template <class B>
void put_random(AnyBody& body, AnyBody::Pose& pose, Random& random) {
  body.body = body_of<B>(random_cloud<B>(random));
  pose = random_pose<B>(random);
}

void put_random(int type, AnyBody& body, AnyBody::Pose& pose, Random& random) {
  switch (type) {
    case 1: return put_random<Particle>(body, pose, random);
    case 2: return put_random<PlanarBody>(body, pose, random);
    case 3: return put_random<RigidBody>(body, pose, random);
    case 4: return put_random<ScalingBody>(body, pose, random);
    case 5: return put_random<StretchingBody>(body, pose, random);
    default: return;  // the world, as a variant starts
  }
}

AnyBody::Velocity unit_velocity(int i) {
  AnyBody::Velocity e{};
  e[maximal::at(i)] = 1;
  return e;
}

}  // namespace

maximal::FrameKinematics<double, 9> AnyBody::kinematics(const Pose& pose, const Velocity& v,
                                                        const Placement<double>& X) const {
  return std::visit(
      [&]<class B>(const B& b) {
        const auto k = b.kinematics(std::get<typename B::Pose>(pose), head<B>(v), X);
        maximal::FrameKinematics<double, 9> padded{k.frame, {}, k.bias};
        std::ranges::copy(k.columns(), padded.J.begin());
        return padded;
      },
      body);
}

AnyBody::Pose AnyBody::moved(const Pose& pose, const Velocity& v, double t) const {
  return std::visit(
      [&]<class B>(const B& b) {
        typename B::Pose next = std::get<typename B::Pose>(pose);
        if constexpr (B::kDimension > 0) CHECK(b.integrate(next, head<B>(v), t) == Status::kOk);
        return Pose(next);
      },
      body);
}

Scene random_bodies(int type_A, int type_B, Random& random) {
  Scene scene{};
  put_random(type_A, scene.A, scene.pose_A, random);
  put_random(type_B, scene.B, scene.pose_B, random);
  for (double& v : scene.v_A) v = random.uniform(-1, 1);
  for (double& v : scene.v_B) v = random.uniform(-1, 1);
  scene.X_A = placement(random_placement(random));
  scene.X_B = placement(random_placement(random));
  scene.time = random.uniform(0, 1);
  return scene;
}

void check_velocity_level(const Scene& scene, const char* where) {
  const AnyBlocks now = scene.now();
  const Eigen::VectorXd expected = scene.after(0, {}, {}).velocity_error +
                                   now.J_A * vector(scene.v_A) + now.J_B * vector(scene.v_B);
  CHECK_AT_MOST(1e-13, relative_error(now.velocity_error, expected), where);
  const Eigen::VectorXd c =
      rate_of([&](double t) { return scene.after(t, scene.v_A, scene.v_B).velocity_error; });
  CHECK_AT_MOST(1e-8, relative_error(now.c, c), where);
}

void check_position_level(const Scene& scene, const char* where) {
  const AnyBlocks now = scene.now();
  Eigen::MatrixXd J_A(now.value.size(), 9), J_B(now.value.size(), 9);
  for (int i = 0; i < 9; ++i) {
    J_A.col(i) = rate_of([&](double t) { return scene.after(t, unit_velocity(i), {}, 0).value; });
    J_B.col(i) = rate_of([&](double t) { return scene.after(t, {}, unit_velocity(i), 0).value; });
  }
  CHECK_AT_MOST(1e-8, relative_error(now.J_A, J_A), where);
  CHECK_AT_MOST(1e-8, relative_error(now.J_B, J_B), where);
  const Eigen::VectorXd rate =
      rate_of([&](double t) { return scene.after(t, scene.v_A, scene.v_B).value; });
  CHECK_AT_MOST(1e-8, relative_error(now.velocity_error, rate), where);
}

}  // namespace lockstep::test
