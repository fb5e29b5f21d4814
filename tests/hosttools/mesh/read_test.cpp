// Meshes written down here: every format, and what is wrong with damaged ones.
#include <bit>
#include <cmath>

#include "mesh/mesh.hpp"
#include "support/random.hpp"
#include "support/scratch_folder.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;
using host::BadMesh;
using host::MeshPoint;
using host::UnreadMesh;

namespace {

void put(std::string& bytes, std::uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(word >> shift & 255u);
}

// Triangles of three points each; `count` is what the header says.
std::string binary_stl(const std::vector<MeshPoint>& points, std::uint32_t count) {
  std::string bytes(80, ' ');
  bytes.replace(0, 5, "solid");  // as exporters write it that should not
  put(bytes, count);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i % 3 == 0) bytes.append(12, '\0');
    for (const double x : {points[i].x, points[i].y, points[i].z}) {
      put(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(x)));
    }
    if (i % 3 == 2) bytes.append(2, '\0');
  }
  return bytes;
}

const std::vector<MeshPoint> kTriangle = {{1, 2, 3}, {-0.5, 0.25, 8}, {0, 0, -1}};

const std::string kText =
    "solid part\r\n facet normal 0 0 1\r\n  outer loop\r\n   vertex 1 2 3\r\n"
    "   vertex -5e-1 +0.25 8\r\n   vertex 0 0 -1\r\n  endloop\r\n endfacet\r\nendsolid part\r\n";

const std::string kObj =
    "# a comment\nvn 0 0 1\nv 1 2 3\nv\t-0.5 0.25 8 1.0\r\nvt 9 9\nv 0 0 -1 0.1 0.2 0.3\nf 1 2 3\n";

std::string collada(const std::string& asset, const std::string& nodes) {
  return "<COLLADA><asset>" + asset +
         "</asset><library_geometries><geometry id='g'><mesh>"
         "<source id='n'><float_array>7 7 7</float_array></source>"
         "<source id='p'><float_array count='9'>1 2 3 -0.5 0.25 8\n0 0 -1</float_array></source>"
         "<vertices id='v'><input semantic='NORMAL' source='#n'/>"
         "<input semantic='POSITION' source='#p'/></vertices></mesh></geometry>"
         "</library_geometries>" +
         (nodes.empty() ? ""
                        : "<library_visual_scenes><visual_scene>" + nodes +
                              "</visual_scene></library_visual_scenes>") +
         "</COLLADA>";
}

const std::string kUp = "<up_axis>Z_UP</up_axis>";
const std::string kInstance = "<instance_geometry url='#g'/>";

void check_points(const std::vector<MeshPoint>& expected, const std::vector<MeshPoint>& points) {
  CHECK_EQUAL(expected.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    DOUBLES_EQUAL(expected[i].x, points[i].x, 1e-14);
    DOUBLES_EQUAL(expected[i].y, points[i].y, 1e-14);
    DOUBLES_EQUAL(expected[i].z, points[i].z, 1e-14);
  }
}

template <class Failure, class F>
void check_refusal(const std::string& part, F&& f) {
  try {
    f();
  } catch (const Failure& failure) {
    const std::string text = failure.what();
    CHECK_TRUE_TEXT(text.find(part) != std::string::npos, text.c_str());
    return;
  }
  FAIL(("nothing was wrong: " + part).c_str());
}

}  // namespace

TEST_GROUP(MeshFiles) { test::ScratchFolder folder; };

TEST(MeshFiles, FormatsGiveTheirVertices) {
  check_points(kTriangle, host::read_mesh(folder.write("a.stl", binary_stl(kTriangle, 1))));
  check_points(kTriangle, host::read_mesh(folder.write("b.STL", kText)));
  check_points(kTriangle, host::read_mesh(folder.write("c.obj", kObj)));
  check_points(kTriangle, host::read_mesh(folder.write("d.dae", collada(kUp, ""))));
}

TEST(MeshFiles, ColladaAppliesUnitAndNodes) {
  const auto first = [](const std::string& asset, const std::string& nodes) {
    const std::vector<MeshPoint> points = host::read_collada(collada(asset, nodes));
    return std::vector<MeshPoint>(points.begin(), points.begin() + 1);
  };
  check_points({{0.001, 0.002, 0.003}}, first("<unit meter='0.001'/>" + kUp, ""));
  // as rviz and Gazebo show it: whatever axis is said to be up
  for (const char* axis : {"", "<up_axis>X_UP</up_axis>", "<up_axis>Y_UP</up_axis>"}) {
    check_points({{1, 2, 3}}, first(axis, ""));
  }
  check_points({{11, 22, 33}},
               first(kUp, "<node><translate>10 20 30</translate>" + kInstance + "</node>"));
  check_points({{-2, 1, 3}}, first(kUp, "<node><rotate>0 0 2 90</rotate>" + kInstance + "</node>"));
  check_points({{8, 1, 7}}, first(kUp, "<node><matrix>0 1 0 6  1 0 0 0  0 0 1 4  0 0 0 1</matrix>" +
                                           kInstance + "</node>"));
  // the outer node moves what the inner one has scaled
  check_points({{12, 6, 12}},
               first(kUp, "<node><translate>10 0 0</translate><node><scale>2 3 4</scale>" +
                              kInstance + "</node></node>"));
  CHECK_EQUAL(
      6u, host::read_collada(collada(kUp, "<node>" + kInstance + kInstance + "</node>")).size());
}

TEST(MeshFiles, WhatIsDamagedIsSaid) {
  const std::string whole = binary_stl(kTriangle, 1);
  const auto stl = [](std::string bytes) { return [bytes] { host::read_stl(bytes); }; };
  std::string nameless = binary_stl(kTriangle, 4000000000u);
  nameless[0] = 'x';
  check_refusal<BadMesh>("4000000000 triangles and holds 1", stl(nameless));
  check_refusal<BadMesh>("no STL", stl("x"));
  check_refusal<BadMesh>("vertex 2 is not three numbers", stl("solid x vertex 1 2 3 vertex 1 2"));
  check_refusal<BadMesh>("vertex 1 is not three", stl("solid x vertex 1 nan 3"));
  check_refusal<BadMesh>("line 2", [] { host::read_obj("v 1 2 3\nv 1 2\n"); });
  check_refusal<BadMesh>("well-formed", [] { host::read_collada("<COLLADA><asset>"); });
  check_refusal<BadMesh>("<COLLADA>", [] { host::read_collada("<robot/>"); });
  check_refusal<BadMesh>(
      "16 numbers", [] { host::read_collada(collada(kUp, "<node><matrix>1 2</matrix></node>")); });
  check_refusal<BadMesh>(
      "no axis", [] { host::read_collada(collada(kUp, "<node><rotate>0 0 0 9</rotate></node>")); });
  check_refusal<BadMesh>(
      "'many'", [] { host::read_collada(collada(kUp, "<node><scale>many</scale></node>")); });
  check_refusal<BadMesh>("<unit>", [] { host::read_collada(collada("<unit meter='0'/>", "")); });
  const auto file = [this](const char* name, const std::string& bytes) {
    const std::string path = folder.write(name, bytes);
    return [path] { host::read_mesh(path); };
  };
  check_refusal<BadMesh>("no vertex", file("empty.obj", ""));
  check_refusal<BadMesh>("no vertex", file("none.stl", binary_stl({}, 0)));
  check_refusal<BadMesh>("not finite",
                         file("nan.stl", binary_stl({{0, 0, std::nan("")}, {}, {}}, 1)));
  check_refusal<BadMesh>("beyond any robot", file("far.obj", "v 1e13 0 0\n"));
}

// Few bytes may stand for many points: what is kept is bounded all the same.
TEST(MeshFiles, SmallFilesOfManyPointsAreRefused) {
  std::string numbers, instances;
  for (int i = 0; i < 3 * 5000; ++i) numbers += "1 ";
  for (int i = 0; i < 1001; ++i) instances += kInstance;
  std::string text = collada(kUp, "<node>" + instances + "</node>");
  text.replace(text.find("1 2 3 -0.5 0.25 8\n0 0 -1"), 24, numbers);
  check_refusal<BadMesh>("more than 5000000 vertices", [&] { host::read_collada(text); });
  std::string tags;
  for (int i = 0; i < 1000000; ++i) tags += "<a/>";
  check_refusal<BadMesh>("more than 1000000 elements",
                         [&] { host::read_collada("<COLLADA>" + tags + "</COLLADA>"); });
  // the library compares each with all before it
  std::string attributes;
  for (int i = 0; i < 101; ++i) attributes += " a" + std::to_string(i) + "='<'";
  check_refusal<BadMesh>("more than 100 attributes",
                         [&] { host::read_collada("<COLLADA" + attributes + "/>"); });
}

TEST(MeshFiles, WhatIsNotReadIsSaid) {
  const std::string path = folder.write("part.ply", "ply");
  check_refusal<UnreadMesh>(".stl, .obj or .dae", [&] { host::read_mesh(path); });
  check_refusal<UnreadMesh>("<skew>", [] {
    host::read_collada(collada(kUp, "<node><skew>1 2 3 4 5 6 7</skew></node>"));
  });
}

// Bytes changed, cut off and repeated: every file gives points or a refusal.
TEST(MeshFiles, DamagedFilesNeverDoMoreThanRefuse) {
  test::Random random(17);
  const std::string sound[] = {binary_stl(kTriangle, 1), kText, kObj,
                               collada(kUp, "<node><scale>2 3 4</scale>" + kInstance + "</node>")};
  int refused = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const int kind = random.below(4);
    std::string bytes = sound[kind];
    for (int damage = 1 + random.below(4); damage > 0; --damage) {
      const std::size_t at = static_cast<std::size_t>(random.below(static_cast<int>(bytes.size())));
      switch (random.below(3)) {
        case 0: bytes[at] = static_cast<char>(random.below(256)); break;
        case 1: bytes.resize(at + 1); break;
        default: bytes.insert(at, bytes.substr(at / 2, 20)); break;
      }
    }
    try {
      if (kind < 2) host::read_stl(bytes);
      if (kind == 2) host::read_obj(bytes);
      if (kind == 3) host::read_collada(bytes);
    } catch (const BadMesh&) {
      ++refused;
    } catch (const UnreadMesh&) {
      ++refused;
    }
  }
  CHECK_TRUE(refused > 100 && refused < 4000);
}
