#include "support/allocation_guard.hpp"

#include <cerrno>
#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LOCKSTEP_SANITIZER_OWNS_MALLOC 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define LOCKSTEP_SANITIZER_OWNS_MALLOC 1
#endif

namespace {

// plain numbers of the thread: an allocator must not allocate
thread_local int guards = 0;
thread_local int calls = 0;

void note() {
  if (guards > 0) ++calls;
}

}  // namespace

#ifdef LOCKSTEP_SANITIZER_OWNS_MALLOC

// declared here because gcc installs the function but not its header
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*,
                                                                           std::size_t),
                                                         void (*on_free)(const volatile void*));

namespace {

[[maybe_unused]] const int kHooked = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { note(); }, [](const volatile void*) { note(); });

}  // namespace

#else

// glibc's allocator under the names it keeps for programs that replace malloc
extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t size) noexcept {
  note();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  note();
  return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) noexcept {
  note();
  return __libc_realloc(block, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  note();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  note();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  note();
  *block = __libc_memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}
void free(void* block) noexcept {
  note();
  __libc_free(block);
}

}  // extern "C"

#endif

namespace lockstep::test {

AllocationGuard::AllocationGuard() : start_(calls) { ++guards; }
AllocationGuard::~AllocationGuard() { --guards; }
int AllocationGuard::count() const { return calls - start_; }

}  // namespace lockstep::test
