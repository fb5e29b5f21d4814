#include "plot/chart.hpp"

#include <CppUTest/TestHarness.h>
#include <tinyxml2.h>

#include <cstdio>
#include <limits>
#include <set>
#include <string>

using namespace lockstep::host;

namespace {

// The pen strokes of the curves, by the colour that only they have.
std::string path_of(const std::string& svg, std::size_t curve) {
  tinyxml2::XMLDocument document;
  LONGS_EQUAL(tinyxml2::XML_SUCCESS, document.Parse(svg.c_str()));
  std::size_t seen = 0;
  const tinyxml2::XMLElement* element = document.RootElement()->FirstChildElement("path");
  for (; element != nullptr; element = element->NextSiblingElement("path")) {
    if (element->Attribute("fill", "none") != nullptr && seen++ == curve) break;
  }
  CHECK_TRUE(element != nullptr);
  return element == nullptr ? "" : element->Attribute("d");
}

}  // namespace

TEST_GROUP(Chart){};

TEST(Chart, AxesEndOnRoundNumbersAndPointsLieBetween) {
  const Chart chart = {"t", {"x"}, {"y"}, {{"a", {0, 5, 10}, {0, 1, 2}}}};
  // the plot reaches from (78, 346) to (550, 44)
  STRCMP_EQUAL("M78.0 346.0L314.0 195.0L550.0 44.0", path_of(to_svg(chart), 0).c_str());
}

TEST(Chart, LogarithmicAxesMakePowersStraight) {
  const Chart chart = {"t", {"x", true}, {"y", true}, {{"a", {1, 10, 100}, {1, 100, 10000}}}};
  STRCMP_EQUAL("M78.0 346.0L314.0 195.0L550.0 44.0", path_of(to_svg(chart), 0).c_str());
}

TEST(Chart, WhatCannotBeShownLeavesAGap) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Chart chart = {"t", {"x"}, {"y"}, {{"a", {0, 1, 2, 3}, {0, nan, 1, 1}}}};
  LONGS_EQUAL('M', path_of(to_svg(chart), 0)[0]);
  CHECK_TRUE(path_of(to_svg(chart), 0).find('M', 1) != std::string::npos);
  const Chart zero = {"t", {"x"}, {"y", true}, {{"a", {0, 1, 2}, {0, 1, 10}}}};
  CHECK_TRUE(path_of(to_svg(zero), 0).find('L') != std::string::npos);
}

TEST(Chart, NamesAreEscapedAndNothingIsStillAPicture) {
  const Chart chart = {"a < b & c", {"x"}, {"y"}, {{"<name>", {}, {}}}};
  const std::string svg = to_svg(chart);
  CHECK_TRUE(svg.find("a &lt; b &amp; c") != std::string::npos);
  STRCMP_EQUAL("", path_of(svg, 0).c_str());
}

TEST(Chart, ManyCurvesAreToldApartAndTheLegendHoldsThemAll) {
  Chart chart = {"t", {"x"}, {"y"}, {}};
  for (int i = 0; i < 35; ++i) chart.curves.push_back({"c" + std::to_string(i), {0, 1}, {0, 1}});
  const std::string svg = to_svg(chart);
  tinyxml2::XMLDocument document;
  LONGS_EQUAL(tinyxml2::XML_SUCCESS, document.Parse(svg.c_str()));
  double height = 0;
  LONGS_EQUAL(1, std::sscanf(document.RootElement()->Attribute("viewBox"), "0 0 720 %lf", &height));
  const tinyxml2::XMLElement* last = document.RootElement()->LastChildElement("text");
  STRCMP_EQUAL("c34", last->GetText());
  CHECK_TRUE(last->DoubleAttribute("y") < height);
  std::set<std::string> looks;
  for (const tinyxml2::XMLElement* path = document.RootElement()->FirstChildElement("path");
       path != nullptr; path = path->NextSiblingElement("path")) {
    if (path->Attribute("fill", "none") == nullptr) continue;
    const char* dash = path->Attribute("stroke-dasharray");
    looks.insert(path->Attribute("stroke") + std::string(dash == nullptr ? "" : dash));
  }
  LONGS_EQUAL(32, looks.size());  // eight colours in four shades
}

TEST(Chart, ALegendHasRoomForItsNames) {
  const std::string name = "q.a_joint_with_a_name_that_is_far_longer_than_most_of_them";
  const std::string svg = to_svg({"t", {"x"}, {"y"}, {{name, {0, 1}, {0, 1}}}});
  tinyxml2::XMLDocument document;
  LONGS_EQUAL(tinyxml2::XML_SUCCESS, document.Parse(svg.c_str()));
  double width = 0, height = 0;
  std::sscanf(document.RootElement()->Attribute("viewBox"), "0 0 %lf %lf", &width, &height);
  const tinyxml2::XMLElement* last = document.RootElement()->LastChildElement("text");
  STRCMP_EQUAL(name.c_str(), last->GetText());
  // letters of a sans-serif font of 12 pixels are 6.5 wide on average
  CHECK_TRUE(last->DoubleAttribute("x") + 6.5 * static_cast<double>(name.size()) < width);
}

TEST(Chart, AReferenceIsDashedInTheColourOfWhatFollowsItAndNamedOnce) {
  Chart chart = {"t", {"x"}, {"y"}, {}};
  for (int i = 0; i < 12; ++i) chart.curves.push_back({"c" + std::to_string(i), {0, 1}, {0, 1}});
  for (std::size_t i = 0; i < 12; ++i) {
    chart.curves.push_back(
        {.name = "r" + std::to_string(i), .x = {0, 1}, .y = {0, 2}, .reference_of = i});
  }
  const std::string svg = to_svg(chart);
  tinyxml2::XMLDocument document;
  LONGS_EQUAL(tinyxml2::XML_SUCCESS, document.Parse(svg.c_str()));
  std::vector<std::string> solid, dashed;
  for (const tinyxml2::XMLElement* path = document.RootElement()->FirstChildElement("path");
       path != nullptr; path = path->NextSiblingElement("path")) {
    if (path->Attribute("fill", "none") == nullptr) continue;
    (path->Attribute("stroke-dasharray") == nullptr ? solid : dashed)
        .push_back(path->Attribute("stroke"));
  }
  LONGS_EQUAL(12, solid.size());
  CHECK_TRUE(solid == dashed);
  CHECK_TRUE(std::set<std::string>(solid.begin(), solid.end()).size() == 12);
  CHECK_TRUE(svg.find(">r3<") == std::string::npos);
  CHECK_TRUE(svg.find(">reference<") == svg.rfind(">reference<"));
  CHECK_TRUE(svg.find(">reference<") != std::string::npos);
}

TEST(Chart, PanelsStandOneAboveTheOtherOverOneTimeAxis) {
  const Chart panels[] = {{"", {"time [s]"}, {"[m]"}, {{"a", {0, 5}, {0, 1}}}},
                          {"", {"time [s]"}, {"[rad]"}, {{"b", {0, 10}, {0, 100}}}}};
  const std::string svg = to_svg("both", panels);
  // both start at x = 0 and end where their own time does, of one axis to 10
  double x[2], y[2];
  std::sscanf(path_of(svg, 0).c_str(), "M%lf %lfL%lf %lf", &x[0], &y[0], &x[1], &y[1]);
  DOUBLES_EQUAL(78, x[0], 0.1);
  DOUBLES_EQUAL((78 + 550) / 2.0, x[1], 0.1);
  const double above = y[0];
  std::sscanf(path_of(svg, 1).c_str(), "M%lf %lfL%lf %lf", &x[0], &y[0], &x[1], &y[1]);
  DOUBLES_EQUAL(550, x[1], 0.1);
  CHECK_TRUE(y[1] > above);
  for (const char* text : {">both<", ">[m]<", ">[rad]<"})
    CHECK_TRUE(svg.find(text) != std::string::npos);
  CHECK_TRUE(svg.find(">time [s]<") == svg.rfind(">time [s]<"));
}
