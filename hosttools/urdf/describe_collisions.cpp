#include "urdf/describe_collisions.hpp"

#include <map>
#include <optional>
#include <unordered_map>

#include "mesh/hull.hpp"
#include "mesh/locate.hpp"
#include "text/number.hpp"
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

  // One note for all that are not there.
  void tell_missing() {
    if (missing_.empty()) return;
    const bool one = missing_.size() == 1;
    const std::string package = package_of(first_missing_);
    findings_.note(first_line_, "missing-mesh",
                   counted(missing_.size(), "mesh is not there, and its shape",
                           "meshes are not there, and their shapes") +
                       (one ? " is" : " are") + " left out: " + listed(first_of(missing_, 3)),
                   (package.empty()
                        ? "put them where their names say, from the robot's folder on"
                        : "give the folder that holds " + quote(package) + " with --package-path") +
                       ", or take a box of each link's inertia with --mesh inertia");
  }

 private:
  std::vector<MeshPoint> read(const std::string& link, const DraftCollision& collision) {
    const int line = collision.geometry_line;
    const std::string what = "link " + quote(link) + ": mesh " + quote(collision.mesh);
    const auto file = locate_mesh(collision.mesh, robot_, options_.package_paths);
    if (!file) {
      if (missing_.empty()) first_missing_ = collision.mesh, first_line_ = line;
      missing_.push_back(quote(std::filesystem::path(collision.mesh).filename().string()));
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
  std::vector<std::string> missing_;
  std::string first_missing_;
  int first_line_ = 0;
};

// The shape S of a link L that was fitted in a frame M.
void put(FittedShape fitted, const Placement<double>& X_LM, CollisionDescription& shape) {
  const Placement<double> X_LS = X_LM * fitted.X_MS;
  shape.type = fitted.type;
  shape.R_LS = to_eigen(X_LS.R);
  shape.p_LS = to_eigen(X_LS.p);
  shape.half = to_eigen(fitted.half);
  shape.radius = fitted.radius;
  shape.points = std::move(fitted.points);
}

// The shape in place of a mesh, in its own frame within that of the <collision>.
void set_mesh(std::vector<MeshPoint> corners, const DraftCollision& draft,
              const MeshOptions& options, CollisionDescription& shape) {
  const Triple& scale = draft.scale;
  for (MeshPoint& p : corners) p = {scale[0] * p.x, scale[1] * p.y, scale[2] * p.z};
  put(fit(corners, options.fit, options.most_points), {to_mat(shape.R_LS), to_vec(shape.p_LS)},
      shape);
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

// In place of all meshes of a link; false where it has no inertia to tell a size.
bool set_inertia_box(const LinkDescription& link, CollisionDescription& shape) {
  const Eigen::Matrix3d& I = link.inertia;
  const auto box =
      box_of_inertia(link.mass, {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)});
  if (box) put(*box, {kNoTurn, to_vec(link.com)}, shape);
  return box.has_value();
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
    bool boxed = false;  // in place of its meshes
    for (const DraftCollision& collision : link.collisions) {
      CollisionDescription shape;
      shape.name = collision.name;
      shape.R_LS = rotation_from_rpy(collision.origin.rpy);
      shape.p_LS = to_eigen(collision.origin.xyz);
      shape.friction = collision.friction.value_or(of_link == friction.end() ? kDefaultFriction
                                                                             : of_link->second);
      shape.restitution = collision.restitution.value_or(0);
      shape.line = collision.line;
      if (collision.geometry == Geometry::kMesh && options.fit == MeshFit::kInertia) {
        if (boxed || !set_inertia_box(description.links[i], shape)) continue;
        boxed = true;
      } else if (collision.geometry == Geometry::kMesh) {
        const std::vector<MeshPoint>& corners = meshes.corners(link.name, collision);
        if (corners.empty()) continue;
        set_mesh(corners, collision, options, shape);
      } else {
        set_size(collision, shape);
      }
      description.links[i].collisions.push_back(std::move(shape));
    }
  }
  meshes.tell_missing();
  const auto add = [](const std::vector<DraftLinkPair>& from,
                      std::vector<LinkPairDescription>& to) {
    for (const DraftLinkPair& pair : from) to.push_back({pair.a.name, pair.b.name, pair.line});
  };
  add(draft.contact_pairs, description.contact_pairs);
  add(draft.disabled_pairs, description.disabled_pairs);
}

}  // namespace lockstep::host
