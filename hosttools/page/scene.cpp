#include "page/scene.hpp"

#include <map>

#include "page/encode.hpp"
#include "page/scene_draft.hpp"
#include "record/joint_columns.hpp"
#include "urdf/placement.hpp"

namespace lockstep::host {

namespace {

const char* name_of(JointType joint) {
  switch (joint) {
    case JointType::kRevolute: return "revolute";
    case JointType::kPrismatic: return "prismatic";
    case JointType::kBall: return "ball";
    case JointType::kPlanar: return "planar";
    case JointType::kFloating: break;
  }
  return "floating";
}

std::array<double, 6> inertia_about_com(const Body& body, const Vec3<double>& c) {
  const double m = body.mass, cc = dot(c, c);
  const std::array<double, 6>& I = body.inertia;
  return {I[0] - m * (cc - c.x * c.x), I[1] + m * c.x * c.y, I[2] + m * c.x * c.z,
          I[3] - m * (cc - c.y * c.y), I[4] + m * c.y * c.z, I[5] - m * (cc - c.z * c.z)};
}

void add_visuals(const Tree& tree, const Visuals& visuals, SceneDraft& scene) {
  std::map<std::string_view, std::size_t> frames;
  for (std::size_t i = 0; i < tree.frames.size(); ++i) frames.emplace(tree.frame_names[i], i);
  std::vector<std::size_t> meshes;
  for (const DrawnMesh& mesh : visuals.meshes) {
    std::vector<std::array<double, 3>> points;
    for (const MeshPoint& p : mesh.points) points.push_back({p.x, p.y, p.z});
    meshes.push_back(scene.meshes.size());
    scene.meshes.push_back({{"triangles", mesh.triangles}, {"points", points_text(points)}});
  }
  for (const Visual& visual : visuals.shapes) {
    const auto found = frames.find(visual.link);
    if (found == frames.end()) continue;
    const NamedFrame& frame = tree.frames[found->second];
    Json shape = shape_of(frame.body, "visual", {visual.type, visual.half, visual.radius},
                          to_placement(frame.R_BF, frame.p_BF) * visual.X_LV);
    if (visual.type == contact::ShapeType::kPoints) {
      shape["mesh"] = meshes[visual.mesh];
      shape["scale"] = visual.scale;
    }
    if (visual.colour) shape["colour"] = *visual.colour;
    scene.shapes.push_back(std::move(shape));
  }
}

Json ground_of(const Bounds& bounds) {
  if (!bounds.field.heights.empty()) {
    const auto& field = bounds.field;
    const std::vector<float> heights(field.heights.begin(), field.heights.end());
    return {{"x", field.x},
            {"y", field.y},
            {"spacing", field.spacing},
            {"columns", field.columns},
            {"rows", field.rows},
            {"heights", base64_floats(heights)}};
  }
  if (!bounds.ground) return nullptr;
  return {{"normal", {0, 0, 1}}, {"offset", bounds.height}};
}

}  // namespace

std::string scene_of(const Tree& tree, const Visuals& visuals, const Bounds& bounds,
                     std::span<const RecordColumn> columns) {
  SceneDraft scene;
  const auto own = joint_columns(tree);
  std::vector<std::size_t> sizes;
  for (const Body& body : tree.bodies) sizes.push_back(at(config_count(body.joint)));
  const auto begins = find_coordinates(own, sizes, 'q', columns);
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Body& body = tree.bodies[i];
    const int number = static_cast<int>(i);
    const auto reference = find_column(columns, "q_ref." + tree.joint_names[i]);
    const double share = body.mass > 0 ? 1 / body.mass : 0;
    const Vec3<double> com = {share * body.h[0], share * body.h[1], share * body.h[2]};
    // R_LB turns body axes into the link's; the page wants the link's axes within B
    const auto turn = to_rows(transpose(Mat3<double>::from_rows(body.R_LB)));
    scene.bodies.push_back({{"name", tree.link_names[i]},
                            {"joint", tree.joint_names[i]},
                            {"parent", body.parent},
                            {"type", name_of(body.joint)},
                            {"R", body.R_PJ},
                            {"p", body.p_PJ},
                            {"turn", turn},
                            {"q", begins[i]},
                            {"reference", reference ? static_cast<int>(*reference) : kNone},
                            {"mass", body.mass},
                            {"com", to_array(com)}});
    scene.weight += kGravity * body.mass;
    if (body.mass > 0) scene.add_inertia_box(number, body.mass, com, inertia_about_com(body, com));
    if (body.parent == kWorld && body.joint == JointType::kFloating) continue;
    const Vec3<double> joint = to_vec(body.p_PJ);
    scene.lines.push_back({end_of(body.parent, {}), end_of(body.parent, joint)});
    scene.lines.push_back({end_of(body.parent, joint), end_of(number, {})});
  }
  scene.add_colliders(tree.colliders, tree.collider_points);
  add_visuals(tree, visuals, scene);
  for (const maximal::ConstraintRecord& loop : tree.loops) scene.add_constraint(loop);
  scene.ground = ground_of(bounds);
  return scene.text("robot");
}

}  // namespace lockstep::host
