#include "system.hpp"

#include "dynamics.hpp"
#include "lockstep/auxiliary/model_rows.hpp"
#include "lockstep/rows/equality.hpp"
#include "robot.hpp"
#include "states.hpp"

namespace lockstep::measure {

namespace {

constexpr int kRows = ModelRows<robot, Scalar>::kCount;

rows::System<Scalar, kRows> drawn;
rows::Solution<Scalar, kRows> solution;
rows::EqualitySolver<Scalar, kRows> solver;

// G G^T + 1, its rows of different units.
void draw(Random& random) {
  rows::Matrix<Scalar, kRows> G;
  drawn.count = kRows;
  for (auto& row : G) {
    for (Scalar& number : row) number = random.number<Scalar>();
  }
  for (int i = 0; i < kRows; ++i) {
    drawn.b[rows::at(i)] = random.number<Scalar>();
    for (int j = 0; j <= i; ++j) {
      Scalar sum = i == j ? Scalar(1) : Scalar(0);
      for (int k = 0; k < kRows; ++k)
        sum += G[rows::at(i)][rows::at(k)] * G[rows::at(j)][rows::at(k)];
      drawn.A[rows::at(i)][rows::at(j)] = drawn.A[rows::at(j)][rows::at(i)] = sum;
    }
  }
}

void solve(void*) { static_cast<void>(solver.solve(drawn, solution)); }

}  // namespace

std::uint32_t instructions_of_system() {
  Random random;
  std::uint32_t most = 0;
  for (int i = 0; i < kSystems; ++i) {
    draw(random);
    const std::uint32_t count = instructions_of(solve);
    most = count > most ? count : most;
  }
  return most;
}

}  // namespace lockstep::measure
