#include "urdf/describe_collisions.hpp"

#include <map>
#include <optional>
#include <unordered_map>

#include "mesh/hull.hpp"
#include "mesh/locate.hpp"
#include "urdf/placement.hpp"
#include "urdf/rotation.hpp"

namespace lockstep::host {

namespace {

using contact::ShapeType;

// Meshes by their names in the file; each is read once.
class Meshes {
 public:
  Meshes(const std::filesystem::path& robot, const MeshOptions& options, Findings& findings)
      : robot_(robot), options_(options), findings_(findings) {}

  // The corners of the hull, in the file's units; none and a finding if it cannot be had.
  const std::vector<MeshPoint>& corners(const std::string& link, const DraftCollision& collision) {
    const auto [entry, is_new] = hulls_.try_emplace(collision.mesh);
    if (is_new) entry->second = read(link, collision);
    return entry->second;
  }

 private:
  std::vector<MeshPoint> read(const std::string& link, const DraftCollision& collision) {
    const int line = collision.geometry_line;
    const std::string what = "link " + quote(link) + ": mesh " + quote(collision.mesh);
    const auto file = locate_mesh(collision.mesh, robot_, options_.package_paths);
    if (!file) {
      const bool package = collision.mesh.find("://") != std::string::npos;
      findings_.note(line, "missing-mesh", what + " is not there, so its shape is left out",
                     package ? "give the folder of its package with --package-path"
                             : "put it where the name says, from the robot's folder on");
      return {};
    }
    try {
      return convex_hull(read_mesh(*file));
    } catch (const UnreadMesh& unread) {
      findings_.note(line, "unread-mesh", what + " is left out: " + unread.what(), "");
    } catch (const BadMesh& damage) {
      findings_.error(line, "bad-mesh", what + ", " + file->string() + ": " + damage.what(), "");
    }
    return {};
  }

  std::filesystem::path robot_;
  const MeshOptions& options_;
  Findings& findings_;
  std::map<std::string, std::vector<MeshPoint>> hulls_;
};

// The shape in place of a mesh, in its own frame within that of the <collision>.
void set_mesh(std::vector<MeshPoint> corners, const DraftCollision& draft,
              const MeshOptions& options, CollisionDescription& shape) {
  const Triple& scale = draft.scale;
  for (MeshPoint& p : corners) p = {scale[0] * p.x, scale[1] * p.y, scale[2] * p.z};
  FittedShape fitted = fit(corners, options.fit, options.most_points);
  const Placement<double> X_LS =
      Placement<double>{to_mat(shape.R_LS), to_vec(shape.p_LS)} * fitted.X_MS;
  shape.type = fitted.type;
  shape.R_LS = to_eigen(X_LS.R);
  shape.p_LS = to_eigen(X_LS.p);
  shape.half = to_eigen(fitted.half);
  shape.radius = fitted.radius;
  shape.points = std::move(fitted.points);
}

// Lengths of URDF are whole, of shapes half. A capsule's is that between the centres of its ends.
void set_size(const DraftCollision& draft, CollisionDescription& shape) {
  switch (*draft.geometry) {
    case Geometry::kSphere: shape.type = ShapeType::kSphere; break;
    case Geometry::kCylinder: shape.type = ShapeType::kCylinder; break;
    case Geometry::kCapsule: shape.type = ShapeType::kCapsule; break;
    case Geometry::kBox:
      shape.type = ShapeType::kBox;
      shape.half = 0.5 * to_eigen(*draft.size);
      break;
    case Geometry::kMesh: break;
  }
  if (draft.length) shape.half.z() = 0.5 * *draft.length;
  shape.radius = draft.radius.value_or(0);
}

}  // namespace

void describe_collisions(const Draft& draft, const MeshOptions& options, Description& description,
                         Findings& findings) {
  std::unordered_map<std::string_view, double> friction;
  for (const DraftFriction& one : draft.frictions) friction.emplace(one.link, one.friction);
  Meshes meshes(description.file, options, findings);
  for (std::size_t i = 0; i < draft.links.size(); ++i) {
    const DraftLink& link = draft.links[i];
    const auto of_link = friction.find(link.name);
    for (const DraftCollision& collision : link.collisions) {
      CollisionDescription shape;
      shape.name = collision.name;
      shape.R_LS = rotation_from_rpy(collision.origin.rpy);
      shape.p_LS = to_eigen(collision.origin.xyz);
      shape.friction = collision.friction.value_or(of_link == friction.end() ? kDefaultFriction
                                                                             : of_link->second);
      shape.restitution = collision.restitution.value_or(0);
      shape.line = collision.line;
      if (collision.geometry == Geometry::kMesh) {
        const std::vector<MeshPoint>& corners = meshes.corners(link.name, collision);
        if (corners.empty()) continue;
        set_mesh(corners, collision, options, shape);
      } else {
        set_size(collision, shape);
      }
      description.links[i].collisions.push_back(std::move(shape));
    }
  }
  const auto add = [](const std::vector<DraftLinkPair>& from,
                      std::vector<LinkPairDescription>& to) {
    for (const DraftLinkPair& pair : from) to.push_back({pair.a.name, pair.b.name, pair.line});
  };
  add(draft.contact_pairs, description.contact_pairs);
  add(draft.disabled_pairs, description.disabled_pairs);
}

}  // namespace lockstep::host
