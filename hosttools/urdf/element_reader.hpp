// Names and numbers of XML elements, read strictly: what cannot be read is absent and has a
// finding.
#pragma once

#include <tinyxml2.h>

#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "urdf/draft.hpp"
#include "urdf/finding.hpp"

namespace lockstep::host {

// What the outermost element of a file must be, and the finding if it is not.
struct RootRule {
  const char* element;
  const char* rule;
  const char* remedy;
};

// Parses scanned text into `document`; the outermost element, or null and a finding.
const tinyxml2::XMLElement* parse_root(const std::string& text, tinyxml2::XMLDocument& document,
                                       const RootRule& expected, Findings& findings);

class ElementReader {
 protected:
  static constexpr double kLargest = 1e12;  // beyond any robot; squares and cubes cannot overflow
  static constexpr double kAnyFinite = std::numeric_limits<double>::max();  // "no limit"

  explicit ElementReader(Findings& findings) : findings_(findings) {}

  // Takes the element's name and makes it the owner that messages speak of.
  std::string own_name(const tinyxml2::XMLElement& element);
  const tinyxml2::XMLElement* required(const tinyxml2::XMLElement& element, const char* child);
  void missing(const tinyxml2::XMLElement& element, const char* attribute);
  std::optional<double> required_number(const tinyxml2::XMLElement& element, const char* name);
  std::optional<double> number(const tinyxml2::XMLElement& element, const char* name,
                               double largest = kLargest);
  std::optional<Triple> triple(const tinyxml2::XMLElement& element, const char* name);
  DraftPose pose(const tinyxml2::XMLElement& element);    // its own xyz and rpy
  DraftPose origin(const tinyxml2::XMLElement& element);  // of the <origin> in it

  Findings& findings_;
  std::string owner_;

 private:
  std::optional<double> checked(const tinyxml2::XMLElement& element,
                                const tinyxml2::XMLAttribute& attribute, std::string_view text,
                                double largest);
  std::string place(const tinyxml2::XMLElement& element,
                    const tinyxml2::XMLAttribute& attribute) const;
};

}  // namespace lockstep::host
