// The members of TestRun and of the steppers, for the objects that compile them.
#pragma once

#include "core/maximal/test_mechanism.hpp"

namespace lockstep::test {

template <class Method>
auto TestSolver<Method>::make_state() const -> State {
  return core_.make_state();
}
template <class Method>
auto TestSolver<Method>::make_loads() const -> Loads {
  return core_.make_loads();
}
template <class Method>
auto TestSolver<Method>::make_solution() const -> Solution {
  return core_.make_solution();
}
template <class Method>
Status TestSolver<Method>::factor(const State& state, maximal::Form form) {
  return form == maximal::Form::kAlone ? core_.template factor<maximal::Form::kAlone>(state)
                                       : core_.factor(state);
}
template <class Method>
void TestSolver<Method>::pull_back(const Gains<T>& gains) {
  core_.pull_back(gains);
}
template <class Method>
Status TestSolver<Method>::accelerations(const State& state, const Loads& loads, Solution& out) {
  return core_.accelerations(state, loads, out);
}
template <class Method>
Status TestSolver<Method>::velocities(const State& state, const Loads& loads, Solution& out) {
  return core_.velocities(state, loads, out);
}
template <class Method>
Status TestSolver<Method>::velocity_changes(const typename Core::Velocities& impulse,
                                            Solution& out) {
  return core_.velocity_changes(impulse, out);
}
template <class Method>
Status TestSolver<Method>::displacements(Solution& out) {
  return core_.displacements(out);
}
template <class Method>
Status TestSolver<Method>::evaluate(const State& state) {
  return core_.evaluate(state);
}
template <class Method>
auto TestSolver<Method>::errors() const -> ConstraintErrors<T> {
  return core_.errors();
}

template <class Method>
TestStepper<Method>::TestStepper(const typename Method::Mechanism& table)
    : core_(std::make_unique<Core>(table)), solver_(core_->solver()) {}
template <class Method>
TestStepper<Method>::~TestStepper() = default;
template <class Method>
TestStepper<Method>::TestStepper(TestStepper&&) noexcept = default;
template <class Method>
Status TestStepper<Method>::step(State& state, const Loads& loads, const Settings& settings) {
  return core_->step(state, loads, settings);
}
template <class Method>
Status TestStepper<Method>::drag(State& state, const Loads& loads, const T& dt) {
  return core_->drag(state, loads, dt);
}
template <class Method>
Status TestStepper<Method>::strike(State& state, const Velocities& impulse) {
  return core_->strike(state, impulse);
}
template <class Method>
Status TestStepper<Method>::assemble(State& state, const Settings& settings) {
  return core_->assemble(state, settings);
}

template <class Method>
TestImpulses<Method>::TestImpulses(const typename Method::Mechanism& table)
    : core_(std::make_unique<Core>(table)) {}
template <class Method>
TestImpulses<Method>::~TestImpulses() = default;
template <class Method>
TestImpulses<Method>::TestImpulses(TestImpulses&&) noexcept = default;
template <class Method>
Status TestImpulses<Method>::step(State& state, const Loads& loads,
                                  const maximal::ImpulseSettings<T>& settings) {
  return core_->step(state, loads, settings);
}
template <class Method>
auto TestImpulses<Method>::errors() const -> ConstraintErrors<T> {
  return core_->errors();
}

template <class T>
TestRun<T>::TestRun(const TestMechanism& mechanism)
    : table_(assigned(mechanism)), stepper_(*table_) {
  state = solver().make_state();
  loads = solver().make_loads();
  LONGS_EQUAL(mechanism.x.size(), state.x.size());
  LONGS_EQUAL(mechanism.v.size(), state.v.size());
  for (Eigen::Index i = 0; i < state.x.size(); ++i) {
    state.x[i] = static_cast<T>(mechanism.x[static_cast<std::size_t>(i)]);
  }
  for (Eigen::Index i = 0; i < state.v.size(); ++i) {
    state.v[i] = static_cast<T>(mechanism.v[static_cast<std::size_t>(i)]);
  }
  settings.integrator = Integrator::kRungeKutta4;
}

template <class T>
auto TestRun<T>::assigned(const TestMechanism& mechanism) -> std::unique_ptr<Table> {
  auto table = std::make_unique<Table>();
  CHECK_TRUE(Status::kOk == table->assign(mechanism.bodies, mechanism.constraints));
  return table;
}

template <class T>
maximal::BodyPlace TestRun<T>::place(int body) const {
  maximal::BodyPlace found;
  int i = 0;
  table_->bodies([&](const auto&, const maximal::BodyPlace& place) {
    if (i++ == body) found = place;
  });
  return found;
}

template <class T>
double TestRun<T>::energy() const {
  double sum = 0;
  table_->bodies([&]<class B>(const B& body, const maximal::BodyPlace& place) {
    const auto own = maximal::load<typename B::Pose>(state.x.data() + place.x);
    const auto M = body.mass_matrix(own);
    for (int i = 0; i < B::kDimension; ++i) {
      for (int j = 0; j < B::kDimension; ++j) {
        sum += 0.5 * static_cast<double>(state.v[place.v + i] * M[maximal::at(i)][maximal::at(j)] *
                                         state.v[place.v + j]);
      }
    }
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    for (int i = 0; i < (
                            B::kDimension == 3 && maximal::pose_count<B>() == 3 &&
                                    requires(typename B::Pose pose) { pose.angle; }
                                ? 2
                                : 3);
         ++i) {
      centre[i] = static_cast<double>(state.x[place.x + i]);
    }
    sum -= static_cast<double>(body.mass) * centre.dot(loads.gravity.template cast<double>());
  });
  return sum;
}

template <class T>
Eigen::Matrix<double, 6, 1> TestRun<T>::momentum() const {
  Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
  table_->bodies([&]<class B>(const B& body, const maximal::BodyPlace& place) {
    const auto own = maximal::load<typename B::Pose>(state.x.data() + place.x);
    const auto M = body.mass_matrix(own);
    Eigen::Matrix<double, 6, 1> p = Eigen::Matrix<double, 6, 1>::Zero();
    for (int i = 0; i < std::min(6, B::kDimension); ++i) {
      for (int j = 0; j < B::kDimension; ++j) {
        p[i] += static_cast<double>(M[maximal::at(i)][maximal::at(j)] * state.v[place.v + j]);
      }
    }
    const Eigen::Vector3d centre = state.x.template segment<3>(place.x).template cast<double>();
    p.tail<3>() += centre.cross(p.head<3>());
    sum += p;
  });
  return sum;
}

template <class T>
DenseRows TestRun<T>::dense_rows(const TestMechanism& mechanism) const {
  const auto counts = table_->counts();
  const Eigen::Index n = counts.v, k = counts.lambda;
  DenseRows dense{Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(k, n), Eigen::VectorXd(n),
                  Eigen::VectorXd(k),          Eigen::VectorXd(k),          Eigen::VectorXd(k),
                  Eigen::VectorXd(k)};
  table_->bodies([&]<class B>(const B& body, const maximal::BodyPlace& place) {
    const auto pose = maximal::load<typename B::Pose>(state.x.data() + place.x);
    const auto v = maximal::load<maximal::Vector<T, B::kDimension>>(state.v.data() + place.v);
    const auto M = body.mass_matrix(pose);
    const auto inertial = body.inertial_force(pose, v);
    for (int i = 0; i < B::kDimension; ++i) {
      dense.inertial[place.v + i] = static_cast<double>(inertial[maximal::at(i)]);
      for (int j = 0; j < B::kDimension; ++j) {
        dense.M(place.v + i, place.v + j) = static_cast<double>(M[maximal::at(i)][maximal::at(j)]);
      }
    }
  });
  std::size_t index = 0;
  table_->constraints([&](const maximal::ConstraintPlace& place, const auto& evaluate) {
    const auto blocks = evaluate(state.x.data(), state.v.data(), state.time);
    const maximal::ConstraintRecord& record = mechanism.constraints[index++];
    for (int i = 0; i < place.dimension; ++i) {
      const Eigen::Index row = place.lambda + i;
      dense.c[row] = static_cast<double>(blocks.c[maximal::at(i)]);
      dense.velocity_error[row] = static_cast<double>(blocks.velocity_error[maximal::at(i)]);
      dense.phi_t[row] = static_cast<double>(blocks.phi_t[maximal::at(i)]);
      dense.value[row] = static_cast<double>(blocks.value[maximal::at(i)]);
      const auto put = [&](int body, int dimension, const auto& J) {
        const int first = this->place(body).v;
        for (int j = 0; j < dimension; ++j) {
          dense.J(row, first + j) = static_cast<double>(J[maximal::at(i)][maximal::at(j)]);
        }
      };
      if (record.a != kWorld) put(record.a, place.a.dimension, blocks.J_A);
      if (record.b != kWorld) put(record.b, place.b.dimension, blocks.J_B);
    }
  });
  return dense;
}

}  // namespace lockstep::test
