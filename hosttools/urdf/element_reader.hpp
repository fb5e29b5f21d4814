// Names and numbers of XML elements, read strictly: what cannot be read is absent and has a
// finding.
#pragma once

#include <tinyxml2.h>

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/finding.hpp"
#include "urdf/draft.hpp"

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
 public:
  static constexpr double kLargest = 1e12;  // beyond any robot; squares and cubes cannot overflow
  static constexpr double kAnyFinite = std::numeric_limits<double>::max();  // "no limit"

  explicit ElementReader(Findings& findings) : findings_(findings) {}

  // Takes the element's name and makes it the owner that messages speak of: joint 'elbow'.
  std::string own_name(const tinyxml2::XMLElement& element);
  const std::string& owner() const { return owner_; }
  // For elements without a name.
  void own(std::string owner) { owner_ = std::move(owner); }

  // The child, or null and a finding.
  const tinyxml2::XMLElement* required(const tinyxml2::XMLElement& element, const char* child);
  void missing(const tinyxml2::XMLElement& element, const char* attribute);
  std::optional<double> required_number(const tinyxml2::XMLElement& element, const char* name);
  std::optional<double> number(const tinyxml2::XMLElement& element, const char* name,
                               double largest = kLargest);
  std::optional<Triple> required_triple(const tinyxml2::XMLElement& element, const char* name);
  std::optional<Triple> triple(const tinyxml2::XMLElement& element, const char* name);
  DraftPose pose(const tinyxml2::XMLElement& element);    // its own xyz and rpy
  DraftPose origin(const tinyxml2::XMLElement& element);  // of the <origin> in it, if there is one
  // <axis xyz="..."/> in the element, if there is one.
  DraftAxis axis(const tinyxml2::XMLElement& element);
  Reference link(const tinyxml2::XMLElement& element, const char* name = "link");
  // <origin>, <mass> and <inertia> in the element; without moments to ask for, no <inertia>.
  DraftInertial inertial(const tinyxml2::XMLElement& element,
                         std::string_view required_moments = "ixx ixy ixz iyy iyz izz");

  // The row of a table that the attribute `type` names, or null and a finding. Rows have a `name`.
  template <class Row, std::size_t kSize>
  const Row* type(const tinyxml2::XMLElement& element, const Row (&rows)[kSize]) {
    std::vector<std::string_view> known;
    const char* given = element.Attribute("type");
    for (const Row& row : rows) {
      if (given && std::string_view(given) == row.name) return &row;
      known.push_back(row.name);
    }
    refuse_type(element, known);
    return nullptr;
  }

 protected:
  Findings& findings_;
  std::string owner_;

 private:
  void refuse_type(const tinyxml2::XMLElement& element, const std::vector<std::string_view>& known);
  std::optional<double> checked(const tinyxml2::XMLElement& element,
                                const tinyxml2::XMLAttribute& attribute, std::string_view text,
                                double largest);
  std::string place(const tinyxml2::XMLElement& element,
                    const tinyxml2::XMLAttribute& attribute) const;
};

}  // namespace lockstep::host
