// Many states of one robot: four at a time in SIMD lanes, over as many threads as there are.
//   example_02_many_states [THREADS [STATES]]
// The hash at the end is the same for any number of threads, and for lanes or none.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "lockstep/hash.hpp"
#include "lockstep/solver.hpp"
#include "six_axis_arm.hpp"

namespace {

using lockstep::Status;
using One = lockstep::Solver<six_axis_arm>;
using Four = lockstep::Solver<six_axis_arm, lockstep::Lanes<double, 4>>;

One::Input state(int number) {
  One::Input in = One().make_input();
  for (int i = 0; i < 6; ++i) {
    in.q[i] = 0.001 * number * (i + 1);
    in.v[i] = 0.1 * i - 0.2;
    in.tau[i] = 0.01 * (number % 100);
  }
  return in;
}

// Threads share nothing but the lists, in which each has a range of its own.
void solve(const std::vector<One::Input>& in, std::vector<One::Output>& out, std::size_t begin,
           std::size_t end, bool& good) {
  Four solver;
  auto lanes_in = solver.make_input();
  auto lanes_out = solver.make_output();
  for (std::size_t i = begin; i < end; i += 4) {
    // the last few states of a range may fill less than four lanes
    for (int k = 0; k < 4; ++k) set_lane(lanes_in, k, in[std::min(i + k, end - 1)]);
    const auto statuses = solver.forward_dynamics(lanes_in, lanes_out);
    for (std::size_t k = 0; k < 4 && i + k < end; ++k) {
      good = good && statuses[k] == Status::kOk;
      get_lane(lanes_out, static_cast<int>(k), out[i + k]);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t threads =
      argc > 1 ? std::strtoul(argv[1], nullptr, 10) : std::thread::hardware_concurrency();
  const std::size_t states = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 100000;
  if (threads < 1 || states < 1) {
    std::printf("usage: example_02_many_states [THREADS [STATES]], both at least 1\n");
    return 1;
  }
  std::vector<One::Input> in;
  for (std::size_t i = 0; i < states; ++i) in.push_back(state(static_cast<int>(i)));
  std::vector<One::Output> out(states, One().make_output());

  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> team;
  std::vector<char> good(threads, true);
  for (std::size_t t = 0; t < threads; ++t) {
    team.emplace_back([&, t] {
      bool all = true;
      solve(in, out, states * t / threads, states * (t + 1) / threads, all);
      good[t] = all;
    });
  }
  for (std::thread& thread : team) thread.join();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  if (std::count(good.begin(), good.end(), true) != static_cast<std::ptrdiff_t>(threads)) {
    std::printf("a state has no answer\n");
    return 1;
  }

  lockstep::Hash hash;
  for (const One::Output& answer : out) {
    for (const double value : answer.vdot) hash.add(value);
    for (const double value : answer.reaction.reshaped()) hash.add(value);
  }
  std::printf("%zu states, %zu threads: %.2f million a second\nhash %016llx\n", states, threads,
              static_cast<double>(states) / time.count() / 1e6,
              static_cast<unsigned long long>(hash.value()));
}
