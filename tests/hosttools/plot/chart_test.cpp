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
  LONGS_EQUAL(32, looks.size());  // eight colours in four dashes
}
