#include "emit/identifier.hpp"

#include <CppUTest/TestHarness.h>

using lockstep::host::default_struct_name;
using lockstep::host::why_not_struct_name;

TEST_GROUP(Identifier){};

TEST(Identifier, DefaultNameFollowsTheRobotsAndIsAlwaysAllowed) {
  STRCMP_EQUAL("ur5_model", default_struct_name("ur5").c_str());
  STRCMP_EQUAL("my_robot_2_model", default_struct_name("my robot--2 ").c_str());
  STRCMP_EQUAL("robot_3dof_model", default_struct_name("3dof").c_str());
  STRCMP_EQUAL("robot_model", default_struct_name("").c_str());
  STRCMP_EQUAL("robot_model", default_struct_name("\xE6\x89\x8B").c_str());
  for (const char* name : {"int", "k", "__", "_x", "a__b", "\"; }", "9", "lockstep"}) {
    STRCMP_EQUAL("", why_not_struct_name(default_struct_name(name)).c_str());
  }
}

TEST(Identifier, OnlyIdentifiersOfCppAreAllowed) {
  for (const char* name : {"arm", "Arm_2", "_arm", "ur__ur5", "k"}) {
    STRCMP_EQUAL("", why_not_struct_name(name).c_str());
  }
  for (const char* name : {"", "2arm", "my arm", "arm::b", "arm;", "\xC3\xA4rm", "a\nb"}) {
    CHECK_TRUE(why_not_struct_name(name).find("identifier") != std::string::npos);
  }
}

TEST(Identifier, KeywordsAndNamesOfTheHeaderAreRefused) {
  for (const char* name : {"alignas", "class", "co_await", "int", "while", "xor_eq"}) {
    CHECK_TRUE(why_not_struct_name(name).find("keyword") != std::string::npos);
  }
  for (const char* name : {"std", "lockstep", "kBodies", "kFrameNames"}) {
    CHECK_TRUE(why_not_struct_name(name).find("something else") != std::string::npos);
  }
}
