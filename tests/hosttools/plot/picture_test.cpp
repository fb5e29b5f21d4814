#include "plot/picture.hpp"

#include <CppUTest/TestHarness.h>
#include <tinyxml2.h>

using namespace lockstep::host;

namespace {

int count(const std::string& svg, const char* element) {
  tinyxml2::XMLDocument document;
  LONGS_EQUAL(tinyxml2::XML_SUCCESS, document.Parse(svg.c_str()));
  int found = 0;
  for (const auto* own = document.RootElement()->FirstChildElement(element); own != nullptr;
       own = own->NextSiblingElement(element)) {
    ++found;
  }
  return found;
}

std::vector<Picture::Face> cube(const Eigen::Vector3d& p) {
  return prism(Eigen::Matrix3d::Identity(), p, {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, 1);
}

}  // namespace

TEST_GROUP(Picture){};

TEST(Picture, FacesOfASolidLookOutward) {
  const Eigen::Vector3d centre(1, 2, 3);
  LONGS_EQUAL(6, cube(centre).size());
  for (const Picture::Face& face : cube(centre)) {
    const Eigen::Vector3d normal = (face[1] - face[0]).cross(face[2] - face[1]);
    DOUBLES_EQUAL(4, normal.norm(), 1e-12);
    CHECK_TRUE(normal.dot(face[0] - centre) > 0);
  }
}

TEST(Picture, OfABoxThreeFacesAreSeen) {
  Picture picture = {
      .title = "box", .lines = {}, .balls = {}, .rods = {}, .faces = cube({0, 0, 0})};
  LONGS_EQUAL(3, count(to_svg(picture), "polygon"));
  LONGS_EQUAL(0, count(to_svg(picture), "circle"));
}

TEST(Picture, WhatIsNearerIsDrawnLater) {
  Picture picture = {.title = "t", .lines = {}, .balls = {{{0, 5, 0}, 0.5}}};
  picture.faces = cube({0, -5, 0});  // towards the eye
  const std::string svg = to_svg(picture);
  CHECK_TRUE(svg.find("<circle") < svg.find("<polygon"));
}

TEST(Picture, ARodIsAStrokeWithRoundEnds) {
  Picture picture = {.title = "t", .lines = {}, .balls = {}};
  picture.rods.push_back({{0, 0, 0}, {0, 0, 1}, 0.1});
  LONGS_EQUAL(2, count(to_svg(picture), "path"));
  CHECK_TRUE(to_svg(picture).find("stroke-linecap=\"round\"") != std::string::npos);
}
