#include "mechanism/parts.hpp"

#include <algorithm>
#include <numeric>

#include "mechanism/coupling.hpp"
#include "urdf/disjoint_sets.hpp"

namespace lockstep::host {

namespace {

// A forest over bodies and the world: all parts of one colour.
class Forest {
 public:
  explicit Forest(const std::vector<std::size_t>& velocities)
      : velocities_(velocities), bodies_(velocities.size()), trees_(velocities.size()) {}

  // The unknowns of the tree that this constraint would make, or zero if it would close a loop.
  std::size_t joined(const maximal::ConstraintRecord& record, std::size_t rows) {
    const int a = root(record.a), b = root(record.b);
    if (a == b) return 0;
    if (a == kWorld || b == kWorld) {
      const int own = std::max(a, b);
      return trees_[at(own)].held ? 0 : size(own) + rows;
    }
    return trees_[at(a)].held && trees_[at(b)].held ? 0 : size(a) + size(b) + rows;
  }
  // Of a constraint that is a part by itself: nothing else joins its bodies.
  void close(const maximal::ConstraintRecord& record) {
    trees_[at(root(std::max(record.a, record.b)))].closed = true;
  }
  bool is_closed(const maximal::ConstraintRecord& record) {
    const auto closed = [&](int body) { return body != kWorld && trees_[at(root(body))].closed; };
    return closed(record.a) || closed(record.b);
  }
  // Whether a tree of this forest is at hand already.
  bool touches(const maximal::ConstraintRecord& record) {
    const auto used = [&](int body) {
      return body != kWorld && trees_[at(root(body))].unknowns > 0;
    };
    return used(record.a) || used(record.b);
  }
  void join(const maximal::ConstraintRecord& record, std::size_t rows) {
    const std::size_t unknowns = joined(record, rows);
    const int a = root(record.a), b = root(record.b);
    if (a == kWorld || b == kWorld) {
      trees_[at(std::max(a, b))] = {unknowns, true};
    } else {
      const bool held = trees_[at(a)].held || trees_[at(b)].held;
      bodies_.join(at(std::max(a, b)), at(std::min(a, b)));
      trees_[at(std::min(a, b))] = {unknowns, held};
    }
  }

  int root(int body) { return body == kWorld ? kWorld : static_cast<int>(bodies_.root(at(body))); }
  std::size_t unknowns(int root) const { return trees_[at(root)].unknowns; }

 private:
  struct Tree {
    std::size_t unknowns = 0;  // zero: no constraint yet
    bool held = false;         // by the world
    bool closed = false;
  };
  std::size_t size(int root) const {
    const std::size_t unknowns = trees_[at(root)].unknowns;
    return unknowns > 0 ? unknowns : velocities_[at(root)];
  }

  const std::vector<std::size_t>& velocities_;
  DisjointSets bodies_;
  std::vector<Tree> trees_;
};

constexpr std::size_t kNoForest = static_cast<std::size_t>(-1);

struct LoopSizes {
  std::vector<std::size_t> velocities, rows;
};

// Each constraint goes on with a tree of some forest, with the one that stays smallest, or else
// begins one in the first forest that it fits into. It must close no loop, and make no tree larger
// than `most`. Couplings and what yields are in no part; what cannot keep the usual order of
// elimination is the root of a part of its own.
Split split(const Mechanism& mechanism, const LoopSizes& sizes, std::size_t most) {
  std::vector<Forest> forests;
  std::vector<std::size_t> forest_of;
  for (std::size_t i = 0; i < mechanism.constraints.size(); ++i) {
    const maximal::ConstraintRecord& record = mechanism.constraints[i];
    if (is_coupling(record) || yields(record)) {
      forest_of.push_back(kNoForest);
      continue;
    }
    const bool alone = record.standing != constraint::Standing::kOrdered;
    std::size_t place = forests.size(), least = most + 1;
    bool goes_on = false;
    for (std::size_t forest = 0; forest < forests.size(); ++forest) {
      const std::size_t size = forests[forest].joined(record, sizes.rows[i]);
      const bool touches = forests[forest].touches(record);
      if (size == 0 || size > most || (goes_on && !touches)) continue;
      if ((alone && touches) || forests[forest].is_closed(record)) continue;
      if ((touches && !goes_on) || size < least) place = forest, least = size;
      goes_on = goes_on || touches;
    }
    if (place == forests.size()) forests.emplace_back(sizes.velocities);
    forests[place].join(record, sizes.rows[i]);
    if (alone) forests[place].close(record);
    forest_of.push_back(place);
  }
  Split result;
  result.part_of.assign(mechanism.constraints.size(), kNone);
  for (std::size_t colour = 0; colour < forests.size(); ++colour) {
    std::vector<int> part_of_root(mechanism.bodies.size(), kNone);
    for (std::size_t i = 0; i < mechanism.constraints.size(); ++i) {
      if (forest_of[i] != colour) continue;
      const maximal::ConstraintRecord& record = mechanism.constraints[i];
      const int root = forests[colour].root(std::max(record.a, record.b));
      int& part = part_of_root[at(root)];
      if (part == kNone) {
        part = static_cast<int>(result.colour_of.size());
        result.colour_of.push_back(static_cast<int>(colour));
        result.unknowns.push_back(0);
      }
      result.part_of[i] = part;
      result.unknowns[at(part)] = forests[colour].unknowns(root);
    }
  }
  return result;
}

// Fewer colours, then parts of more similar size, then larger parts.
bool is_better(const Split& a, const Split& b) {
  if (a.colours() != b.colours()) return a.colours() < b.colours();
  const auto balance = [](const Split& split) {
    const auto [least, most] = std::ranges::minmax(split.unknowns);
    return static_cast<double>(least) / static_cast<double>(most);
  };
  const double own = balance(a), other = balance(b);
  return own != other ? own > other : a.unknowns.size() < b.unknowns.size();
}

}  // namespace

Split split(const Mechanism& mechanism) {
  LoopSizes sizes;
  std::size_t largest = 0;
  for (const auto& body : mechanism.bodies) sizes.velocities.push_back(velocity_size(body));
  for (const auto& record : mechanism.constraints) {
    sizes.rows.push_back(row_count(record));
    std::size_t own = sizes.rows.back();
    for (const int body : {record.a, record.b}) {
      if (body != kWorld) own += sizes.velocities[at(body)];
    }
    largest = std::max(largest, own);
  }
  const std::size_t all =
      std::accumulate(sizes.velocities.begin(), sizes.velocities.end(),
                      std::accumulate(sizes.rows.begin(), sizes.rows.end(), std::size_t{0}));
  Split best = split(mechanism, sizes, all);
  Forest forest(sizes.velocities);
  std::size_t loops = 0;
  for (std::size_t i = 0; i < mechanism.constraints.size(); ++i) {
    const maximal::ConstraintRecord& record = mechanism.constraints[i];
    if (is_coupling(record) || yields(record)) continue;
    if (forest.joined(record, sizes.rows[i]) == 0) {
      ++loops;
    } else {
      forest.join(record, sizes.rows[i]);
    }
  }
  for (std::size_t most = all; loops > 0 && most-- > largest;) {
    Split next = split(mechanism, sizes, most);
    if (is_better(next, best)) best = std::move(next);
  }
  best.loops = loops;
  return best;
}

}  // namespace lockstep::host
