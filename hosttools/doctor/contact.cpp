#include "doctor/contact.hpp"

#include <algorithm>

#include "model/collider_pairs.hpp"
#include "model/reduce.hpp"

namespace lockstep::host {

void check_contact(const Description& robot, const Tree& tree, Findings& findings) {
  constexpr std::size_t kNamed = 3;
  const int most = ReduceOptions{}.most_pairs;
  const ChosenPairs chosen = choose_pairs(robot, tree, most);
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
                              : (chosen.gave_up ? "at least " : "") + std::to_string(count) +
                                    " pairs of shapes overlap") +
                      std::string(" at the zero pose and will not meet: ") + names +
                      (count > kNamed ? ", ..." : ""),
                  "make them smaller, or add a <contact_pair>");
  }
  if (chosen.gave_up) {
    findings.note(0, "many-overlaps",
                  "so many shapes overlap at the zero pose that not all pairs were looked at",
                  "make them smaller, or name those that should meet in <contact_pair>");
  } else if (chosen.more) {
    findings.note(0, "many-pairs",
                  "of the pairs of shapes only the nearest " + std::to_string(most) +
                      " at the zero pose will meet",
                  "raise --max-pairs, or name those that should in <contact_pair>");
  }
}

}  // namespace lockstep::host
