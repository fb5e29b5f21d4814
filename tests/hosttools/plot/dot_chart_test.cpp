#include "plot/dot_chart.hpp"

#include <CppUTest/TestHarness.h>
#include <tinyxml2.h>

#include <algorithm>

using namespace lockstep::host;

namespace {

struct Dot {
  double x, y;
  std::string colour;
  bool operator==(const Dot&) const = default;
};

// Dots inside the plot, in the order in which they are drawn; the legend is right of 640.
std::vector<Dot> dots_of(const std::string& svg) {
  tinyxml2::XMLDocument document;
  LONGS_EQUAL(tinyxml2::XML_SUCCESS, document.Parse(svg.c_str()));
  std::vector<Dot> dots;
  const auto* element = document.RootElement()->FirstChildElement("circle");
  for (; element != nullptr; element = element->NextSiblingElement("circle")) {
    if (element->DoubleAttribute("cx") > 640) continue;
    dots.push_back({element->DoubleAttribute("cx"), element->DoubleAttribute("cy"),
                    element->Attribute("fill")});
  }
  return dots;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_GROUP(DotChart){};

TEST(DotChart, ADotStandsInItsRowAtItsValueInItsContestantsColour) {
  const DotChart chart = {"t", {"x"}, {"a", "b"}, {{"first", {0, 10}}, {"second", {5, 0}}}, ""};
  const std::vector<Dot> dots = dots_of(to_svg(chart));
  LONGS_EQUAL(4, dots.size());
  // the plot reaches from 130 to 640; rows are 24 high from 48 on
  CHECK(dots[0] == (Dot{130, 60, dots[0].colour}));
  CHECK(dots[1] == (Dot{640, 60, dots[1].colour}));
  CHECK(dots[2] == (Dot{385, 84, dots[0].colour}));
  CHECK(dots[3] == (Dot{130, 84, dots[1].colour}));
  CHECK(dots[0].colour != dots[1].colour);
}

TEST(DotChart, LogarithmicAxesEndOnOneTwoOrFive) {
  const DotChart chart = {"t", {"x", true}, {"a", "b"}, {{"row", {0.26, 1}}}, ""};
  const std::string svg = to_svg(chart);
  for (const char* label : {">0.2<", ">0.5<", ">1<"}) CHECK(has(svg, label));
  for (const char* label : {">0.1<", ">2<"}) CHECK(!has(svg, label));
  DOUBLES_EQUAL(640, dots_of(svg)[1].x, 0.05);
}

TEST(DotChart, WhatIsNotThereLeavesNoDot) {
  const DotChart chart = {
      "t", {"x", true}, {"a", "b", "c"}, {{"row", {1, DotRow::kNothing, 0}, 10}}, "goal"};
  const std::string svg = to_svg(chart);
  LONGS_EQUAL(1, dots_of(svg).size());
  CHECK(has(svg, "M640.0 52.0v16"));  // the mark, at the end of its row
  CHECK(has(svg, ">goal<"));
}

TEST(DotChart, NamesAreEscapedAndNothingIsStillAPicture) {
  const std::string svg = to_svg(DotChart{"a < b", {"x"}, {"<c>"}, {}, ""});
  CHECK(has(svg, "a &lt; b"));
  CHECK(has(svg, "&lt;c&gt;"));
  LONGS_EQUAL(0, dots_of(svg).size());
}
