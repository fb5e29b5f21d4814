// Every robot in models/, read from its file, by every method and against the dense oracle, with
// its damping, in random states, on a fixed and on a floating base.
#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <filesystem>

#include "eval/engine.hpp"
#include "model/load.hpp"
#include "support/answers.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

namespace lockstep::test {

namespace {

std::vector<std::filesystem::path> model_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(LOCKSTEP_MODELS_DIR)) {
    if (entry.path().extension() == ".urdf") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

bool has_armature(const host::Tree& tree) {
  return std::ranges::any_of(tree.bodies,
                             [](const auto& body) { return body.armature != 0; });
}

}  // namespace

TEST_GROUP(Models){};

TEST(Models, BothEliminationsAgreeWithTheDenseOracle) {
  using Base = host::ReduceOptions::Base;
  const auto files = model_files();
  CHECK(files.size() >= 7);
  for (const auto& file : files) {
    for (const Base base : {Base::kFixed, Base::kFloating}) {
      host::LoadOptions options;
      options.file = file.string();
      options.quiet = true;
      options.keep_rotors = true;
      options.reduce.base = base;
      const std::string where =
          file.filename().string() + (base == Base::kFixed ? ", fixed" : ", floating");
      const host::Tree tree = host::load_tree(options);
      Random random(1);
      for (int repeat = 0; repeat < 3; ++repeat) {
        const host::DenseInput in = random_state(tree.bodies, random);
        const auto reference = host::solve_dense(tree.bodies, in);
        for (const auto& [name, method] : kCoreMethods) {
          if (method == host::EvalMethod::kDirect && has_armature(tree)) continue;  // refused: kGeared
          const auto out = answer(tree.bodies, in, method);
          const std::string label = where + ", " + name;
          CHECK_AT_MOST(1e-10, relative_error(out.vdot, reference.vdot), label.c_str());
          CHECK_AT_MOST(1e-10, relative_error(out.reaction, reference.reaction), label.c_str());
        }
      }
    }
  }
}

// A link a body, a joint a constraint: other unknowns, the same accelerations and reactions.
TEST(Models, MaximalCoordinatesAgreeWithJointSpace) {
  using Base = host::ReduceOptions::Base;
  for (const auto& file : model_files()) {
    for (const Base base : {Base::kFixed, Base::kFloating}) {
      host::LoadOptions options;
      options.file = file.string();
      options.quiet = true;
      options.keep_rotors = true;
      options.reduce.base = base;
      host::Tree tree = host::load_tree(options);
      tree.couplings.clear();  // of the tree alone
      const auto joint =
          host::make_engine(tree, host::EvalScalar::kDouble, host::EvalMethod::kNullSpace);
      const auto maximal =
          host::make_engine(tree, host::EvalScalar::kDouble, host::EvalMethod::kMaximal);
      Random random(2);
      for (int repeat = 0; repeat < 3; ++repeat) {
        const host::DenseInput in = random_state(tree.bodies, random);
        const auto reference = joint(in), out = maximal(in);
        const std::string label = file.filename().string();
        CHECK_AT_MOST(1e-10, relative_error(out.vdot, reference.vdot), label.c_str());
        CHECK_AT_MOST(1e-10, relative_error(out.reaction, reference.reaction), label.c_str());
      }
    }
  }
}

}  // namespace lockstep::test
