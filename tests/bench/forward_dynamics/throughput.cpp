#include "throughput.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <thread>

#include "lockstep/hash.hpp"
#include "robots.hpp"
#include "throughput_report.hpp"

namespace lockstep::bench {

namespace {

constexpr int kStates = 96;  // a thread: more than the nearest cache holds, less than the next
constexpr double kBatchNs = 200e3;  // long against the start of threads that do not start as one
constexpr Scalar kScalars[] = {Scalar::kDouble, Scalar::kDoubleLanes, Scalar::kFloat,
                               Scalar::kFloatLanes};

std::vector<State> random_states(const host::Tree& tree, int count, unsigned seed) {
  std::vector<State> states;
  for (int i = 0; i < count; ++i) {
    states.push_back(random_state(tree.bodies, seed + static_cast<unsigned>(i)));
  }
  return states;
}

// All states so many times, each thread a range of its own on a core of its own. The clock runs
// from when all threads are awake and warm to when the last is done.
double run_ns(ManyStates& many, int states, int threads, int times) {
  std::atomic<int> ready = 0, done = 0;
  const auto wait_for_all = [&](std::atomic<int>& count) {
    ++count;
    while (count < threads) std::this_thread::yield();
  };
  const auto work = [&](int thread) {
    const auto bound = [&](int t) { return states / kFloatLanes * t / threads * kFloatLanes; };
    many.run(bound(thread), bound(thread + 1), 1);
    wait_for_all(ready);
    const auto start = std::chrono::steady_clock::now();
    many.run(bound(thread), bound(thread + 1), times);
    wait_for_all(done);
    return start;
  };
  std::vector<std::thread> team;
  for (int t = 1; t < threads; ++t) {
    team.emplace_back([&work, t] {
      pin_to_core(cores()[static_cast<std::size_t>(t) % cores().size()]);
      work(t);
    });
  }
  const auto start = work(0);
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  for (std::thread& thread : team) thread.join();
  return time.count();
}

std::vector<std::uint64_t> bits_of(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits;
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

// Of every state alone.
std::vector<std::vector<std::uint64_t>> answers(ManyStates& many, int threads) {
  run_ns(many, kStates, threads, 1);
  std::vector<std::vector<std::uint64_t>> all;
  for (int i = 0; i < kStates; ++i) all.push_back(bits_of(many.answer(i)));
  return all;
}

std::uint64_t hash_of(const std::vector<std::vector<std::uint64_t>>& all) {
  Hash hash;
  for (const auto& bits : all) hash.add_all(bits);
  return hash.value();
}

bool is_double(Scalar scalar) {
  return scalar == Scalar::kDouble || scalar == Scalar::kDoubleLanes;
}

bool has_lanes(Scalar scalar) {
  return scalar == Scalar::kDoubleLanes || scalar == Scalar::kFloatLanes;
}

// Every lane of every build has the bits of the first build's number alone, and any number of
// threads the same hash.
bool same_bits(const Race& race, const host::Tree& tree) {
  const std::vector<State> states = random_states(tree, kStates, 1);
  bool same = true;
  for (const bool in_double : {true, false}) {
    std::vector<std::vector<std::uint64_t>> reference;
    for (const Pace& pace : race.paces) {
      if (is_double(pace.scalar) != in_double || pace.threads > 1) continue;
      pace.states->set(states);
      const auto all = answers(*pace.states, 1);
      if (reference.empty()) reference = all;
      bool good = all == reference;
      for (const int threads : {2, 3}) {
        pace.states->set(states);  // answers of the last time are gone
        good &= hash_of(answers(*pace.states, threads)) == hash_of(reference);
      }
      if (good) continue;
      std::fprintf(stderr, "%s is not timed: %s%s by %s has bits of its own, or with threads\n",
                   race.robot->name, in_double ? "double" : "float",
                   has_lanes(pace.scalar) ? " in lanes" : "", pace.build->compiler);
      same = false;
    }
  }
  return same;
}

Race enter(const Robot& robot, const std::vector<const Build*>& builds) {
  Race race = {.robot = &robot};
  const int all = static_cast<int>(cores().size());
  for (const Build* build : builds) {
    for (const Scalar scalar : kScalars) {
      const bool lanes = scalar == Scalar::kDoubleLanes || scalar == Scalar::kFloatLanes;
      for (const int threads : lanes&& all > 1 ? std::vector{1, all} : std::vector{1}) {
        auto states = build->make_many(robot.name, scalar);
        if (states == nullptr) continue;
        race.paces.push_back({build, scalar, threads, std::move(states)});
      }
    }
  }
  return race;
}

void measure(Race& race, const host::Tree& tree, int rounds, unsigned seed) {
  const int most = kStates * static_cast<int>(cores().size());
  const std::vector<State> states = random_states(tree, most, seed);
  std::vector<int> times;
  for (const Pace& pace : race.paces) {
    const int count = kStates * pace.threads;
    pace.states->set(std::span(states).first(static_cast<std::size_t>(count)));
    const double once = run_ns(*pace.states, count, pace.threads, 4) / 4;
    times.push_back(std::max(1, static_cast<int>(kBatchNs / once)));
  }
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < race.paces.size(); ++i) {
      Pace& pace = race.paces[i];
      const int count = kStates * pace.threads;
      const double ns = run_ns(*pace.states, count, pace.threads, times[i]);
      pace.ns.push_back(ns / times[i] / count);
    }
  }
}

}  // namespace

Section measure_throughput(const Options& options) {
  bool all_same = true;
  std::vector<Race> races;
  std::vector<host::Tree> trees;
  for (const Robot* robot : choose(options.robots)) {
    Race race = enter(*robot, options.builds);
    if (race.paces.empty()) continue;
    host::Tree tree = load(*robot);
    if (!same_bits(race, tree)) {
      all_same = false;
      continue;
    }
    races.push_back(std::move(race));
    trees.push_back(std::move(tree));
  }
  if (options.sweeps == 0) return {.name = "throughput", .good = all_same};

  for (int sweep = 1; sweep <= options.sweeps; ++sweep) {
    show_progress("throughput", sweep, options.sweeps);
    for (std::size_t i = 0; i < races.size(); ++i) {
      measure(races[i], trees[i], options.rounds, static_cast<unsigned>(sweep * 1000));
    }
  }
  Section section = report_throughput(races, options.builds);
  section.good = all_same;
  return section;
}

}  // namespace lockstep::bench
