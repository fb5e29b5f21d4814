// The words of a format: finds elements and attributes that nobody will read because they are
// misspelt, misplaced or repeated. In URDF it looks into what describes dynamics and contact;
// pictures, simulators' and controllers' elements are taken as they are.
#pragma once

#include <tinyxml2.h>

#include <span>
#include <string_view>

#include "text/finding.hpp"

namespace lockstep::host {

// An element whose words are checked. `once` and `many` are children; the others of their kind
// that occur in published robots but mean nothing to dynamics stand in `ignored`.
struct ElementWords {
  std::string_view name;
  std::string_view attributes;
  std::string_view once;
  std::string_view many;
  std::string_view ignored;
};

struct Vocabulary {
  std::string name;                        // in messages
  std::span<const ElementWords> elements;  // the outermost first
};

void check_words(const tinyxml2::XMLElement& root, const Vocabulary& vocabulary,
                 Findings& findings);

// The same for a <robot>.
void check_vocabulary(const tinyxml2::XMLElement& robot, Findings& findings);

}  // namespace lockstep::host
