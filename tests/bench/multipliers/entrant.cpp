#include "entrant.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace lockstep::bench {

namespace {

constexpr double kBatchNs = 50e3;  // long against the clock's own cost, short against interruptions

std::vector<double> batch_ns(const Entrant& entrant, int calls) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> ns(entrant.phases.size(), 0.0);
  for (int call = 0; call < calls; ++call) {
    Clock::time_point before = Clock::now();
    for (std::size_t i = 0; i < ns.size(); ++i) {
      entrant.phases[i]();
      const Clock::time_point after = Clock::now();
      ns[i] += std::chrono::duration<double, std::nano>(after - before).count() / calls;
      before = after;
    }
  }
  return ns;
}

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

void keep_smallest(Entrant& entrant, const std::vector<double>& ns) {
  for (std::size_t i = 0; i < ns.size(); ++i) entrant.ns[i] = std::min(entrant.ns[i], ns[i]);
  entrant.total_ns = std::min(entrant.total_ns, sum(ns));
}

double difference(const Eigen::VectorXd& value, const Eigen::VectorXd& reference) {
  // a NaN must not get lost in a maximum
  if (value.size() != reference.size() || !value.allFinite())
    return std::numeric_limits<double>::infinity();
  return (value - reference).cwiseAbs().maxCoeff() / reference.cwiseAbs().maxCoeff();
}

}  // namespace

void measure(std::vector<Entrant>& entrants, int rounds) {
  std::vector<int> calls;
  for (Entrant& entrant : entrants) {
    entrant.ns.resize(entrant.phases.size(), std::numeric_limits<double>::infinity());
    entrant.run();
    calls.push_back(std::max(1, static_cast<int>(kBatchNs / sum(batch_ns(entrant, 1)))));
  }
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < entrants.size(); ++i) {
      entrants[i].run();  // the others have used the caches
      keep_smallest(entrants[i], batch_ns(entrants[i], calls[i]));
    }
  }
}

double difference(const Answer& answer, const Answer& reference) {
  return std::max(difference(answer.vdot, reference.vdot),
                  difference(answer.lambda, reference.lambda));
}

}  // namespace lockstep::bench
