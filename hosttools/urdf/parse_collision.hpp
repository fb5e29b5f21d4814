// <collision> and what says how shapes touch, from elements to a draft.
#pragma once

#include "urdf/element_reader.hpp"

namespace lockstep::host {

// Those of a link, which is the reader's owner.
std::vector<DraftCollision> parse_collisions(const tinyxml2::XMLElement& link, ElementReader& read,
                                             Findings& findings);

// <contact_pair link1="" link2=""/> and <disable_collisions link1="" link2=""/>.
DraftLinkPair parse_link_pair(const tinyxml2::XMLElement& element, ElementReader& read);

// <gazebo reference="link"><mu1>0.8</mu1></gazebo>, or <mu1 value="0.8"/>; what else is in there,
// and what makes no sense, is Gazebo's.
std::optional<DraftFriction> parse_gazebo(const tinyxml2::XMLElement& element);

}  // namespace lockstep::host
