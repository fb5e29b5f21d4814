// A method on one system, as the stopwatch sees it: phases that follow one another, and an answer.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::bench {

struct Answer {
  Eigen::VectorXd vdot, lambda;
};

struct Entrant {
  std::string name;
  std::vector<std::function<void()>> phases;
  std::function<Answer()> answer;
  std::vector<double> ns = {};                                // of each phase: its smallest batch
  double total_ns = std::numeric_limits<double>::infinity();  // of all phases together

  void run() const {
    for (const auto& phase : phases) phase();
  }
};

// By turns, in batches, so that whatever disturbs the machine hits all alike. May be repeated.
void measure(std::vector<Entrant>& entrants, int rounds);

// The greatest difference over the greatest value, of accelerations or multipliers.
double difference(const Answer& answer, const Answer& reference);

}  // namespace lockstep::bench
