#include "contact/scene.hpp"

#include <filesystem>
#include <iostream>

#include "contact/contestant.hpp"
#include "robot/placement.hpp"
#include "robot/trees.hpp"

namespace lockstep::bench {

namespace {

host::sim::SimSettings settings_with(const std::optional<host::Hold>& hold) {
  host::sim::SimSettings settings;
  settings.dt = kStep;
  settings.hold = hold;
  settings.bounds.position = settings.bounds.friction = settings.bounds.ground = true;
  settings.bounds.contacts = 64;
  settings.bounds.ground_friction = kGroundFriction;
  return settings;
}

Scene robot(const std::string& name, const std::string& file, double drop, const host::Hold& hold,
            double goal) {
  host::LoadOptions load;
  load.file = file;
  load.quiet = true;
  load.reduce.base = host::ReduceOptions::Base::kFloating;
  Scene scene = {.name = name,
                 .tree = host::load_tree(load),
                 .start = {},
                 .settings = settings_with(hold),
                 .goal = goal};
  scene.start = host::usual_start(file, scene.tree).q;
  host::place_on_ground(file, drop, scene.settings.bounds, scene.tree, scene.start);
  return scene;
}

// Cubes of 0.1 m and 1 kg on each other, 1 mm apart at first.
Scene stack(int count, double goal) {
  constexpr double kHalf = 0.05, kGap = 1e-3, kMoment = 2.0 / 3 * kHalf * kHalf;
  Scene scene = {.name = "stack of " + std::to_string(count),
                 .tree = {},
                 .start = Eigen::VectorXd::Zero(7 * count),
                 .settings = settings_with({}),
                 .steps = 1500,
                 .goal = goal};
  scene.tree.name = scene.name;
  for (int i = 0; i < count; ++i) {
    scene.tree.bodies.push_back({.joint = JointType::kFloating,
                                 .mass = 1,
                                 .inertia = {kMoment, 0, 0, kMoment, 0, kMoment}});
    scene.tree.link_names.push_back("box_" + std::to_string(i));
    scene.tree.colliders.push_back({.body = i,
                                    .type = contact::ShapeType::kBox,
                                    .half = {kHalf, kHalf, kHalf},
                                    .friction = kGroundFriction});
    for (int k = 0; k < i; ++k) scene.tree.collider_pairs.push_back({k, i});
    scene.start[7 * i + 2] = kHalf + kGap + i * (2 * kHalf + kGap);
    scene.start[7 * i + 6] = 1;
  }
  return scene;
}

}  // namespace

std::vector<Scene> make_scenes() {
  std::vector<Scene> scenes;
  const std::string models = LOCKSTEP_MODELS_DIR "/";
  scenes.push_back(robot("quadruped", models + "quadruped.urdf", 0.1, {60, 1}, 0.25));
  scenes.push_back(stack(5, 1));
  scenes.push_back(stack(10, 1));
  scenes.push_back(robot("humanoid", models + "humanoid.urdf", 0, {600, 1.5}, 0.3));
  if (std::filesystem::exists(LOCKSTEP_BENCH_TALOS)) {
    scenes.push_back(robot("talos_reduced", LOCKSTEP_BENCH_TALOS, 0, {1500, 1}, 0.3));
  } else {
    std::cerr << "without talos_reduced: no conformance data beside the project\n";
  }
  return scenes;
}

}  // namespace lockstep::bench
