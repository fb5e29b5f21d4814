// A Solver is the same for every object of a program: only the code that fills it may follow the
// compiler's flags. On x86-64 alone, where flags change the width of registers.
#include <CppUTest/TestHarness.h>

#include "core/layout_probe.hpp"

using namespace lockstep;

TEST_GROUP(Layout){};

TEST(Layout, DoesNotDependOnTheFlagsOfTheCompiler) {
  for (const test::Layouts* others : {&test::kWithAvx2, &test::kWithAvx512}) {
    for (std::size_t i = 0; i < others->size(); ++i) {
      const test::Layout &plain = test::kWithoutAvx[i], &wide = (*others)[i];
      STRCMP_EQUAL(plain.type, wide.type);
      CHECK_TRUE_TEXT(plain.size > 0 && plain.size == wide.size, plain.type);
      CHECK_TRUE_TEXT(plain.alignment == wide.alignment, plain.type);
    }
  }
}
