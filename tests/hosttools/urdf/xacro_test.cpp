#include "urdf/xacro.hpp"

#include <cstdlib>
#include <filesystem>

#include "hosttools/urdf/arm.hpp"
#include "support/scratch_folder.hpp"
#include "urdf/rules.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::host;
using lockstep::test::arm_with;
using lockstep::test::kArm;

TEST_GROUP(Xacro) {
  lockstep::test::ScratchFolder folder;
  const std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";

  void teardown() override { ::setenv("PATH", path.c_str(), 1); }

  // A program of that name that is found first.
  void install(const std::string& script) {
    namespace fs = std::filesystem;
    fs::create_directories(folder.path() / "bin");
    folder.write("bin/xacro", "#!/bin/sh\n" + script + "\n");
    fs::permissions(folder.path() / "bin/xacro", fs::perms::owner_all);
    ::setenv("PATH", (folder.path("bin") + ":" + path).c_str(), 1);
  }
  std::vector<Finding> examine_macros(const ScanLimits& limits = {}) {
    const std::string text = arm_with("<link name=\"base\"/>", "<xacro:base_link/>");
    return examine(folder.write("my arm'.urdf.xacro", text), limits).findings;
  }
  void check(const char* rule, const char* part, const std::vector<Finding>& findings) {
    CHECK_EQUAL(1u, findings.size());
    STRCMP_EQUAL(rule, findings[0].rule.c_str());
    const std::string text = format_finding("f", findings[0]);
    STRCMP_CONTAINS(part, text.c_str());
    CHECK_TRUE(text.find('\n') == std::string::npos);
  }
};

TEST(Xacro, MacrosAreElementsOutsideOfComments) {
  LONGS_EQUAL(0, first_macro("<robot xmlns:xacro='x'><!-- <xacro:a/> --><link/></robot>"));
  LONGS_EQUAL(3, first_macro("<robot>\n<!-- <a> -->\n<xacro:a/></robot>"));
  LONGS_EQUAL(0, first_macro("<robot><!-- <xacro:a/>"));
  LONGS_EQUAL(0, first_macro(""));
}

TEST(Xacro, ValuesToComputeAreMacrosWhereXacroIsDeclared) {
  LONGS_EQUAL(2, first_macro("<robot xmlns:xacro='x'>\n<mass value='${m}'/></robot>"));
  LONGS_EQUAL(1, first_macro("<robot xmlns:xacro='x' name='$(arg name)'/>"));
  LONGS_EQUAL(0, first_macro("<robot xmlns:xacro='x'><!-- ${m} --></robot>"));
  LONGS_EQUAL(0, first_macro("<robot><plugin>${HOME}</plugin></robot>"));
}

TEST(Xacro, ProgramExpandsTheFile) {
  folder.write("arm.urdf", std::string(kArm));
  install("test -f \"$1\" && test $# = 1 && cat '" + folder.path("arm.urdf") + "'");
  CHECK_TRUE(examine_macros().empty());
}

TEST(Xacro, WithoutTheProgramTheCommandIsTold) {
  ::setenv("PATH", folder.path().c_str(), 1);
  check("xacro", "my arm'.urdf.xacro > ", examine_macros());
  check("xacro", "my arm'.urdf [xacro]", examine_macros());
}

TEST(Xacro, ItsErrorsAreOneLine) {
  install("echo '<robot'; echo 'undefined argument:' >&2; printf '  \\t side\\n' >&2; exit 2");
  check("xacro", "xacro fails: undefined argument: side; ", examine_macros());
  install("exit 3");
  check("xacro", "it says nothing", examine_macros());
  install("kill -9 $$");
  check("xacro", "xacro fails", examine_macros());
}

TEST(Xacro, EndlessOutputEnds) {
  install("while :; do echo '<!-- and on -->'; done");
  check("too-large", "more than 100000 bytes", examine_macros({.max_bytes = 100000}));
}
