// How far answers are from those a file already held: max |x - ref| / max(1, max |ref|) per state,
// over accelerations and, apart, over reactions.
#pragma once

#include <optional>
#include <string>

#include "eval/states.hpp"

namespace lockstep::host {

class Comparison {
 public:
  void add(std::size_t index, const State& reference, const DenseOutput& answer);

  // "largest relative error: qdd 3.1e-16 (state 4), reaction ...", or nothing to compare with.
  std::optional<std::string> summary() const;

 private:
  struct Worst {
    std::optional<double> error;
    std::size_t state = 0;
    void raise(double value, std::size_t index);
  };
  Worst vdot_, reaction_;
};

}  // namespace lockstep::host
