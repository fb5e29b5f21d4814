#include "chip/stack_bound.hpp"

#include "text/error.hpp"

#include <CppUTest/TestHarness.h>

using lockstep::host::Error;
using lockstep::host::kLibraryStack;
using lockstep::host::stack_bound;

namespace {

// as gcc writes it
std::string node(const std::string& name, const std::string& stack) {
  return "node: { title: \"" + name + "\" label: \"" + name + "()\\nfile.cpp:1:1\\n" + stack +
         "\" }\n";
}
std::string library(const std::string& name) {
  return "node: { title: \"" + name + "\" label: \"" + name + "\\n<built-in>\" shape : ellipse }\n";
}
std::string edge(const std::string& from, const std::string& to) {
  return "edge: { sourcename: \"" + from + "\" targetname: \"" + to + "\" label: \"f.cpp:2:2\" }\n";
}

}  // namespace

TEST_GROUP(StackBound){};

TEST(StackBound, DeepestPathCounts) {
  const std::string graph = node("step", "8 bytes (static)") + node("a", "100 bytes (static)") +
                            node("b", "16 bytes (dynamic,bounded)") +
                            node("c", "90 bytes (static)") + edge("step", "a") + edge("step", "b") +
                            edge("b", "c");
  LONGS_EQUAL(8 + 16 + 90, stack_bound(graph, "step"));
  LONGS_EQUAL(100, stack_bound(graph, "a"));
}

TEST(StackBound, LibraryFunctionsGetAnAllowance) {
  const std::string graph =
      node("step", "8 bytes (static)") + library("memset") + edge("step", "memset");
  LONGS_EQUAL(8 + kLibraryStack, stack_bound(graph, "step"));
}

TEST(StackBound, FunctionsThatAreNotCalledDoNotCount) {
  const std::string graph = node("step", "8 bytes (static)") + node("other", "999 bytes (static)") +
                            edge("other", "step");
  LONGS_EQUAL(8, stack_bound(graph, "step"));
}

TEST(StackBound, NoBoundNoAnswer) {
  const std::string step = node("step", "8 bytes (static)");
  CHECK_THROWS(Error, stack_bound(step + edge("step", "step"), "step"));
  CHECK_THROWS(
      Error,
      stack_bound(step + node("__indirect_call", "") + edge("step", "__indirect_call"), "step"));
  CHECK_THROWS(Error, stack_bound(node("step", "8 bytes (dynamic)"), "step"));
  CHECK_THROWS(Error, stack_bound(step, "main"));
}
