// What mechanism files call the types of the core's catalogue, and what each of them is told.
#pragma once

#include <optional>
#include <string_view>

#include "lockstep/maximal/catalogue.hpp"
#include "lockstep/maximal/joint_bounds.hpp"

namespace lockstep::host {

struct BodyWords {
  std::string_view name;
  maximal::BodyType type;
};

inline constexpr BodyWords kBodyWords[] = {
    {"rigid", maximal::BodyType::kRigid},           {"particle", maximal::BodyType::kParticle},
    {"planar", maximal::BodyType::kPlanar},         {"scaling", maximal::BodyType::kScaling},
    {"stretching", maximal::BodyType::kStretching},
};

// How the two frames stand to each other at the start.
enum class Frames {
  kTogether,  // one place: either frame gives the other
  kTurned,    // together, but for the prescribed angle
  kSlid,      // together, but for the prescribed way
  kApart,     // two places: a frame that is not given is the body's own
};

struct ConstraintWords {
  std::string_view name;
  maximal::ConstraintType type;
  Frames frames;
  std::string_view axis;        // the frames' axis that <axis> gives; empty: none
  std::string_view parameters;  // attributes, and <motion>; in brackets: may be left out
};

// The coordinate that a constraint leaves free and that can be bounded, if there is one.
constexpr std::optional<maximal::Coordinate> free_coordinate(maximal::ConstraintType type) {
  switch (type) {
    case maximal::ConstraintType::kRevolute:
    case maximal::ConstraintType::kPointOnLine: return maximal::Coordinate::kAngle;
    case maximal::ConstraintType::kPrismatic:
    case maximal::ConstraintType::kFlatSlider: return maximal::Coordinate::kAlong;
    default: return std::nullopt;
  }
}

// Of two names for one type, the first is shown.
inline constexpr ConstraintWords kConstraintWords[] = {
    {"ball", maximal::ConstraintType::kBall, Frames::kTogether, "", ""},
    {"revolute", maximal::ConstraintType::kRevolute, Frames::kTogether, "z", ""},
    {"prismatic", maximal::ConstraintType::kPrismatic, Frames::kTogether, "z", ""},
    {"cylindrical", maximal::ConstraintType::kCylindrical, Frames::kTogether, "z", ""},
    {"universal", maximal::ConstraintType::kUniversal, Frames::kTogether, "z", ""},
    {"planar", maximal::ConstraintType::kPlanar, Frames::kTogether, "z", ""},
    {"fixed", maximal::ConstraintType::kFixed, Frames::kTogether, "", ""},
    {"point_on_line", maximal::ConstraintType::kPointOnLine, Frames::kApart, "z", ""},
    {"pin", maximal::ConstraintType::kPointOnLine, Frames::kTogether, "", ""},
    {"point_on_plane", maximal::ConstraintType::kPointOnPlane, Frames::kApart, "z", ""},
    {"flat_slider", maximal::ConstraintType::kFlatSlider, Frames::kTogether, "x", ""},
    {"flat_fixed", maximal::ConstraintType::kFlatFixed, Frames::kTogether, "", ""},
    {"distance", maximal::ConstraintType::kDistance, Frames::kApart, "", "[length]"},
    {"point_on_ellipsoid", maximal::ConstraintType::kPointOnSurface, Frames::kApart, "",
     "semi_axes"},
    {"point_on_cylinder", maximal::ConstraintType::kPointOnSurface, Frames::kApart, "z", "radius"},
    {"ellipsoid_tangency", maximal::ConstraintType::kEllipsoidTangency, Frames::kApart, "",
     "a.semi_axes b.semi_axes"},
    {"gear", maximal::ConstraintType::kGear, Frames::kApart, "z", "ratio [rate]"},
    {"rolling_ball", maximal::ConstraintType::kRollingBall, Frames::kApart, "", "radius"},
    {"rolling_disc", maximal::ConstraintType::kRollingDisc, Frames::kApart, "", "radius"},
    {"driven_revolute", maximal::ConstraintType::kDrivenRevolute, Frames::kTurned, "z", "motion"},
    {"driven_prismatic", maximal::ConstraintType::kDrivenPrismatic, Frames::kSlid, "z", "motion"},
    {"driven_pin", maximal::ConstraintType::kDrivenPin, Frames::kTurned, "", "motion"},
    {"driven_distance", maximal::ConstraintType::kDrivenDistance, Frames::kApart, "", "motion"},
    {"driven_angle", maximal::ConstraintType::kDrivenAngle, Frames::kTurned, "z", "motion"},
    {"same_orientation", maximal::ConstraintType::kSameOrientation, Frames::kTogether, "", ""},
    {"parallel_axes", maximal::ConstraintType::kParallelAxes, Frames::kTogether, "z", ""},
    {"square_axes", maximal::ConstraintType::kSquareAxes, Frames::kTogether, "z", ""},
};

}  // namespace lockstep::host
