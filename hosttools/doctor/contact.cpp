#include "doctor/contact.hpp"

#include <algorithm>

#include "model/collider_pairs.hpp"
#include "model/reduce.hpp"

namespace lockstep::host {

void check_contact(const Description& robot, const Tree& tree, Findings& findings) {
  constexpr std::size_t kNamed = 3;
  const ChosenPairs chosen = choose_pairs(robot, tree, ReduceOptions{}.most_pairs);
  const std::size_t count = chosen.overlapping.size();
  std::string names;
  for (std::size_t i = 0; i < std::min(count, kNamed); ++i) {
    const auto name = [&](int collider) { return quote(tree.collider_names[at(collider)]); };
    names += (i == 0 ? "" : ", ") + name(chosen.overlapping[i].a) + " and " +
             name(chosen.overlapping[i].b);
  }
  if (count > 0) {
    findings.note(0, "overlapping-shapes",
                  (count == 1 ? "a pair of shapes overlaps"
                              : std::to_string(count) + " pairs of shapes overlap") +
                      std::string(" at the zero pose and will not meet: ") + names +
                      (count > kNamed ? ", ..." : ""),
                  "make them smaller, or add a <contact_pair>");
  }
  if (chosen.left_out > 0) {
    findings.note(0, "many-pairs",
                  std::to_string(chosen.left_out) +
                      " pairs of shapes, the farthest apart at the zero pose, will not meet",
                  "raise --max-pairs, or name those that should in <contact_pair>");
  }
}

}  // namespace lockstep::host
