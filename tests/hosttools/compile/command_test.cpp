#include "compile/command.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "commands.hpp"
#include "hosttools/compile/robot_files.hpp"
#include "hosttools/urdf/arm.hpp"
#include "support/run_command.hpp"
#include "support/scratch_folder.hpp"
#include "text/error.hpp"

#include <CppUTest/TestHarness.h>

namespace fs = std::filesystem;
using namespace lockstep;
using host::CompileOptions;

namespace {

std::string read_file(const fs::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// What a stream is given while this lives.
class Captured {
 public:
  explicit Captured(std::ostream& stream) : stream_(stream), before_(stream.rdbuf(text_.rdbuf())) {}
  ~Captured() { stream_.rdbuf(before_); }
  std::string text() const { return text_.str(); }

 private:
  std::ostream& stream_;
  std::ostringstream text_;
  std::streambuf* before_;
};

}  // namespace

TEST_GROUP(Compile) {
  test::ScratchFolder scratch;
  const fs::path& folder = scratch.path();
  fs::path before;
  CompileOptions options;

  void setup() override {
    before = fs::current_path();
    scratch.write("arm.urdf", std::string(test::kArm));
    options.load.file = folder / "arm.urdf";
    options.load.quiet = true;
    options.output = folder / "out.hpp";
  }
  void teardown() override { fs::current_path(before); }

  std::string refusal() const {
    try {
      host::compile(options);
    } catch (const host::Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST(Compile, WritesTheHeaderAndNothingElse) {
  host::compile(options);
  LONGS_EQUAL(2, scratch.files());
  const std::string text = scratch.read("out.hpp");
  CHECK_TRUE(
      has(text, "// arm, from arm.urdf.\n// 2 bodies, 2 degrees of freedom, 10 multipliers. "));
  CHECK_TRUE(has(text, "struct arm_model {"));
}

TEST(Compile, DefaultOutputIsNamedAfterTheStructInTheCurrentFolder) {
  fs::current_path(folder);
  options.output.clear();
  host::compile(options);
  CHECK_TRUE(fs::exists("arm_model.hpp"));
  options.struct_name = "Arm";
  host::compile(options);
  CHECK_TRUE(has(read_file("Arm.hpp"), "struct Arm {"));
}

TEST(Compile, SameFileGivesTheSameBytesWhereverItLies) {
  host::compile(options);
  const std::string first = read_file(options.output);
  fs::create_directory(folder / "elsewhere");
  scratch.write("elsewhere/arm.urdf", std::string(test::kArm));
  options.load.file = folder / "elsewhere" / "arm.urdf";
  host::compile(options);
  CHECK_TRUE(first == read_file(options.output));
  CHECK_FALSE(has(first, folder.string()));
}

TEST(Compile, FailureLeavesTheOldOutputAndNothingHalfDone) {
  scratch.write("out.hpp", "precious");
  scratch.write("arm.urdf", test::arm_with("<mass value=\"2\"/>", "<mass value=\"2kg\"/>"));
  CHECK_FALSE(refusal().empty());
  scratch.write("arm.urdf", std::string(test::kArm));
  options.struct_name = "class";
  CHECK_TRUE(has(refusal(), "--name 'class': is a keyword"));
  options.struct_name = "two words";
  CHECK_TRUE(has(refusal(), "--name 'two words': is no C++ identifier"));
  STRCMP_EQUAL("precious", scratch.read("out.hpp").c_str());
  LONGS_EQUAL(2, scratch.files());
}

TEST(Compile, FolderAsOutputIsRefused) {
  fs::create_directory(folder / "out.hpp");
  CHECK_TRUE(has(refusal(), "out.hpp: cannot be written (it is a folder)"));
  LONGS_EQUAL(2, scratch.files());
}

TEST(Compile, RobotsOwnFileIsNotOverwritten) {
  options.output = folder / "." / "arm.urdf";
  CHECK_TRUE(has(refusal(), "is the robot's own file"));
  STRCMP_EQUAL(std::string(test::kArm).c_str(), scratch.read("arm.urdf").c_str());
}

TEST(Compile, SaysWhatItWroteUnlessQuiet) {
  options.load.quiet = false;
  Captured errors(std::cerr), output(std::cout);
  host::compile(options);
  CHECK_TRUE(has(output.text(), "out.hpp: struct arm_model, 2 bodies, 2 degrees of freedom"));
  options.load.quiet = true;
  const std::string so_far = output.text();
  host::compile(options);
  STRCMP_EQUAL(so_far.c_str(), output.text().c_str());
}

TEST(Compile, LoopsAndCouplingsAreInTheModelWithoutANote) {
  options.load.quiet = false;
  options.load.file = test::linked_robot_file();
  Captured errors(std::cerr), output(std::cout);
  host::compile(options);
  STRCMP_EQUAL("", errors.text().c_str());
  const std::string text = read_file(options.output);
  CHECK_TRUE(has(text, "kLoops") && has(text, "kCouplings"));
}

TEST(Compile, OptionsReachTheModel) {
  test::run_command(host::add_compile_command,
                    {"compile", test::odd_robot_file(), "--name", "Robot", "-o", options.output,
                     "--base", "floating", "--ignore-damping", "--mimic", "ignore", "--quiet"});
  const std::string text = read_file(options.output);
  CHECK_TRUE(has(text, "struct Robot {"));
  CHECK_TRUE(has(text, "foot_root_joint"));
  CHECK_FALSE(has(text, ".mimic"));
  CHECK_FALSE(has(text, ".damping"));
  CHECK_TRUE(has(text, ".friction"));
}

TEST(Compile, UnknownChoiceIsAUsageError) {
  CHECK_THROWS(test::UsageError,
               test::run_command(host::add_compile_command,
                                 {"compile", options.load.file, "--base", "sideways"}));
}
