// Counts every call of an allocator while a guard lives: malloc and its relatives, operator new,
// and what sits on top of them. Linking this file puts it between the program and the C library;
// under a sanitizer, which sits there itself, it listens through the sanitizer's hooks.
#pragma once

namespace lockstep::test {

class AllocationGuard {
 public:
  AllocationGuard();
  ~AllocationGuard();
  AllocationGuard(const AllocationGuard&) = delete;
  AllocationGuard& operator=(const AllocationGuard&) = delete;

  // Allocations and releases since the guard was made.
  int count() const;

 private:
  int start_;
};

// Calls f under a guard and returns how often it asked an allocator.
template <class F>
int allocations_in(F&& f) {
  const AllocationGuard guard;
  f();
  return guard.count();
}

}  // namespace lockstep::test
