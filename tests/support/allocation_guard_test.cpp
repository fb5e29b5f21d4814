#include "support/allocation_guard.hpp"

#include <CppUTest/TestHarness.h>

#include <Eigen/Core>
#include <cstdlib>
#include <memory>
#include <vector>

using lockstep::test::AllocationGuard;
using lockstep::test::allocations_in;

namespace {

// what the optimizer cannot see it cannot leave out
void* volatile sink;

}  // namespace

TEST_GROUP(AllocationGuard){};

TEST(AllocationGuard, FiresForNew) {
  CHECK(allocations_in([] {
          int* number = new int(1);
          sink = number;
          delete number;
        }) > 0);
}

TEST(AllocationGuard, FiresForArraysAndOverAlignedObjects) {
  struct alignas(64) Wide {
    double values[8];
  };
  CHECK(allocations_in([] {
          const auto wide = std::make_unique<Wide[]>(2);
          sink = wide.get();
        }) > 0);
}

TEST(AllocationGuard, FiresForMallocAndItsRelatives) {
  const auto fires = [](auto allocate) {
    return allocations_in([&] {
             sink = allocate();
             std::free(sink);
           }) > 0;
  };
  CHECK(fires([] { return std::malloc(8); }));
  CHECK(fires([] { return std::calloc(2, 8); }));
  CHECK(fires([] { return std::realloc(nullptr, 8); }));
  CHECK(fires([] { return std::aligned_alloc(64, 64); }));
  CHECK(fires([] {
    void* block = nullptr;
    return posix_memalign(&block, 64, 64) == 0 ? block : nullptr;
  }));
}

TEST(AllocationGuard, FiresForDynamicMatricesOfEigen) {
  Eigen::Index size = 5;
  CHECK(allocations_in([&] {
          Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
          sink = matrix.data();
        }) > 0);
}

TEST(AllocationGuard, FiresForVectorsThatGrow) {
  std::vector<int> numbers;
  CHECK(allocations_in([&] { numbers.push_back(1); }) > 0);
}

TEST(AllocationGuard, StaysSilentWithoutAllocation) {
  double sum = 0;
  LONGS_EQUAL(0, allocations_in([&] {
                const Eigen::Matrix4d fixed = Eigen::Matrix4d::Identity();
                sum = (fixed * fixed).sum();
              }));
  DOUBLES_EQUAL(4, sum, 0);
}

TEST(AllocationGuard, CountsOnlyWhatHappensInItsScope) {
  const auto before = std::make_unique<int>(1);
  sink = before.get();
  const AllocationGuard guard;
  LONGS_EQUAL(0, guard.count());
}
