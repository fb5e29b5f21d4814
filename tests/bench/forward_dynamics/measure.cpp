#include "measure.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>

#include "support/random_tree.hpp"

namespace lockstep::bench {

namespace {

constexpr int kComparedStates = 20;
constexpr double kBatchNs = 30e3;  // long against the clock's own cost, short against interruptions

double batch_ns(Candidate& candidate, int calls) {
  const auto start = std::chrono::steady_clock::now();
  candidate.run(calls);
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  return time.count();
}

// Addresses that are alike in their last twelve bits get in each other's way, which makes or costs
// a tenth. So that no candidate is lucky, the stack begins elsewhere in every round.
[[gnu::noinline]] double batch_ns_elsewhere(Candidate& candidate, int calls, int round) {
  volatile char* const skipped =
      static_cast<char*>(__builtin_alloca(static_cast<std::size_t>(round * 208 % 4096 + 16)));
  skipped[0] = 0;
  return batch_ns(candidate, calls);
}

}  // namespace

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

double minimum_of(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

double Entrant::minimum() const { return minimum_of(ns); }

double Entrant::median() const { return median_of(ns); }

double median_ratio(const std::vector<double>& part, const std::vector<double>& whole) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < part.size(); ++i) ratios.push_back(part[i] / whole[i]);
  return median_of(std::move(ratios));
}

State random_state(std::span<const Body> bodies, unsigned seed) {
  test::Random random(seed);
  const host::DenseInput in = test::random_state(bodies, random);
  return {{in.q.begin(), in.q.end()}, {in.v.begin(), in.v.end()}, {in.tau.begin(), in.tau.end()}};
}

States random_states(std::span<const Body> bodies) {
  return [bodies](unsigned seed) { return random_state(bodies, seed); };
}

void compare(std::vector<Entrant>& entrants) {
  for (unsigned seed = 1; seed <= kComparedStates; ++seed) {
    std::vector<double> reference;
    for (Entrant& entrant : entrants) {
      entrant.candidate->set(entrant.states(seed));
      entrant.candidate->run(1);
      const std::vector<double> vdot = entrant.candidate->vdot();
      if (reference.empty()) reference = vdot;
      double difference = 0, greatest = 0;
      for (std::size_t i = 0; i < reference.size(); ++i) {
        // a NaN must not get lost in a maximum
        const double apart = std::abs(vdot[i] - reference[i]);
        if (!(apart <= difference)) difference = apart;
        greatest = std::max(greatest, std::abs(reference[i]));
      }
      if (!(difference / greatest <= entrant.error)) entrant.error = difference / greatest;
    }
  }
}

void measure(std::vector<Entrant>& entrants, int rounds, unsigned seed) {
  std::vector<int> calls;
  for (const Entrant& entrant : entrants) {
    const double once = batch_ns(*entrant.candidate, 8) / 8;
    calls.push_back(std::max(1, static_cast<int>(kBatchNs / once)));
  }
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < entrants.size(); ++i) {
      Candidate& candidate = *entrants[i].candidate;
      candidate.set(entrants[i].states(seed + static_cast<unsigned>(round)));
      candidate.run(2);  // the others have used the caches
      entrants[i].ns.push_back(batch_ns_elsewhere(candidate, calls[i], round) / calls[i]);
    }
  }
}

const std::vector<int>& cores() {
  static const std::vector<int> all = [] {
    std::vector<int> found = {sched_getcpu()};
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (CPU_ISSET(static_cast<std::size_t>(core), &set) && core != found[0]) {
        found.push_back(core);
      }
    }
    return found;
  }();
  return all;
}

void pin_to_core(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(core), &set);
  sched_setaffinity(0, sizeof set, &set);
}

}  // namespace lockstep::bench
