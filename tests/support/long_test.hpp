// LONG_TEST: a run of so many steps that sanitizers would take minutes over it. They see the same
// code in shorter tests, so that the debug build, which has them, counts it as ignored.
#pragma once

#include <CppUTest/TestHarness.h>

#ifdef NDEBUG
#define LONG_TEST(group, name) TEST(group, name)
#else
#define LONG_TEST(group, name) IGNORE_TEST(group, name)
#endif
