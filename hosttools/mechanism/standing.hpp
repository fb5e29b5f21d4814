// Constraints that cannot keep the usual order of elimination (lockstep/maximal/order.hpp). Only a
// child that can follow every row of the constraint above it leaves a pivot: a rod straight down
// from a planar body has none, although particle and planar body together can follow it. Such a
// constraint becomes the root of its tree, where two bodies share its rows, or else auxiliary.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "mechanism/mechanism.hpp"

namespace lockstep::host {

// Sets the standing of those constraints that need another than they have, at the mechanism's
// start, with the fewest auxiliary rows that are found. Returns which; a mechanism beyond a table's
// capacity stays as it is. O(n) where nothing has to be done.
std::vector<std::size_t> choose_standings(Mechanism& mechanism);

// Those rows that may be lost on the way: of planar bodies tied to what leaves their plane, and of
// bodies that are held by the world besides.
class StandingWatch {
 public:
  explicit StandingWatch(const Mechanism& mechanism);
  ~StandingWatch();

  const std::vector<std::size_t>& watched() const { return watched_; }
  // The mechanism with the standings that these poses ask for; none if it has them already.
  const Mechanism* look(std::span<const double> poses);

 private:
  struct Nodes;
  Mechanism mechanism_, other_;
  std::unique_ptr<Nodes> nodes_;
  std::vector<std::size_t> watched_;
};

}  // namespace lockstep::host
