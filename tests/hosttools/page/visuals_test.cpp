// What links look like, from the text of a URDF.
#include "page/visuals.hpp"

#include <CppUTest/TestHarness.h>

#include "support/scratch_folder.hpp"

using namespace lockstep::host;
using lockstep::contact::ShapeType;

namespace {

// A tetrahedron.
constexpr const char* kStl =
    "solid t\n"
    "facet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\n"
    "facet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 0 1 endloop endfacet\n"
    "facet normal 0 0 0 outer loop vertex 0 0 0 vertex 0 1 0 vertex 0 0 1 endloop endfacet\n"
    "facet normal 0 0 0 outer loop vertex 1 0 0 vertex 0 1 0 vertex 0 0 1 endloop endfacet\n"
    "endsolid t\n";
constexpr const char* kObj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.1 0.1 0.1\nf 1 2 3\n";

std::string link(const std::string& visuals) {
  return R"(<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material><link name="a">)" +
         visuals + "</link></robot>";
}

Visuals visuals_in(const std::string& visuals, const std::string& file = "robot.urdf") {
  return visuals_of(link(visuals), file, {});
}

}  // namespace

TEST_GROUP(Visuals) { lockstep::test::ScratchFolder folder; };

TEST(Visuals, PrimitivesHaveSizePlaceAndColour) {
  const Visuals found = visuals_in(
      R"(<visual><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><geometry><box size="2 4 6"/></geometry>
         <material name="red"/></visual>
         <visual><geometry><cylinder radius="0.5" length="3"/></geometry>
         <material name="own"><color rgba="0 1 0 0.5"/></material></visual>
         <visual><geometry><sphere radius="0.25"/></geometry></visual>)");
  LONGS_EQUAL(3, found.shapes.size());
  const Visual &box = found.shapes[0], &cylinder = found.shapes[1], &sphere = found.shapes[2];
  CHECK(box.type == ShapeType::kBox && cylinder.type == ShapeType::kCylinder);
  CHECK((box.half == std::array<double, 3>{1, 2, 3}));
  DOUBLES_EQUAL(2, box.X_LV.p.y, 0);
  DOUBLES_EQUAL(1, box.X_LV.R.x.y, 0);  // x of the box is y of the link
  CHECK((box.colour == std::array<double, 4>{1, 0, 0, 1}));
  DOUBLES_EQUAL(1.5, cylinder.half[2], 0);
  CHECK((cylinder.colour == std::array<double, 4>{0, 1, 0, 0.5}));
  DOUBLES_EQUAL(0.25, sphere.radius, 0);
  CHECK(!sphere.colour);
}

TEST(Visuals, MeshesAreTrianglesOrHullsAndReadOnce) {
  folder.write("t.stl", kStl);
  folder.write("t.obj", kObj);
  const std::string file = folder.path("robot.urdf");
  const Visuals found = visuals_in(
      R"(<visual><geometry><mesh filename="t.stl" scale="2 2 2"/></geometry></visual>
         <visual><geometry><mesh filename="t.stl"/></geometry></visual>
         <visual><geometry><mesh filename="t.obj"/></geometry></visual>)",
      file);
  LONGS_EQUAL(3, found.shapes.size());
  LONGS_EQUAL(2, found.meshes.size());
  CHECK(found.meshes[0].triangles);
  LONGS_EQUAL(12, found.meshes[0].points.size());
  CHECK(!found.meshes[1].triangles);
  LONGS_EQUAL(4, found.meshes[1].points.size());
  DOUBLES_EQUAL(2, found.shapes[0].scale[1], 0);
  LONGS_EQUAL(found.shapes[0].mesh, found.shapes[1].mesh);
}

TEST(Visuals, WhatCannotBeDrawnIsLeftOut) {
  folder.write("bad.stl", "solid\nvertex 1 2\n");
  const Visuals found = visuals_in(
      R"(<visual/><visual><geometry/></visual><visual><geometry><box size="1 2"/></geometry></visual>
         <visual><geometry><sphere radius="big"/></geometry></visual>
         <visual><geometry><torus radius="1"/></geometry></visual>
         <visual><geometry><mesh filename="gone.stl"/></geometry></visual>
         <visual><geometry><mesh filename="bad.stl"/></geometry></visual>
         <visual><geometry><mesh filename="bad.stl"/></geometry></visual>)",
      folder.path("robot.urdf"));
  LONGS_EQUAL(0, found.shapes.size());
  LONGS_EQUAL(0, visuals_of("<robot", "r.urdf", {}).shapes.size());
  LONGS_EQUAL(0, visuals_of("", "r.urdf", {}).shapes.size());
}
