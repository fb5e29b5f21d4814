// What goes wrong below `lockstep` and the firmware `plant` as a process, by LD_PRELOAD, and not
// below what else they start. FAULT names one, N counts its calls from 1:
//   short      a read or write takes 7 bytes at most
//   eintr      every other read, write, poll is interrupted
//   full:N     the N-th write and all after it find no room
//   unread:N   the N-th read and all after it fail
//   memory:N   the N-th allocation and all after it fail
//   clock      the clock of the day leaps back and forth, the steady one forth, an hour every
//   4096th time kill:N     the program dies before its N-th write, link or renaming
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static long number(const char* kind) {
  static const char* fault;
  const char* name = program_invocation_short_name;
  if (!fault && (!strcmp(name, "lockstep") || !strcmp(name, "plant"))) fault = getenv("FAULT");
  if (!fault) fault = "none";
  size_t n = strlen(kind);
  if (strncmp(fault, kind, n)) return 0;
  return fault[n] == ':' ? atol(fault + n + 1) : 1;
}
static int reached(const char* kind, long calls) { return number(kind) && calls >= number(kind); }
static void* next(const char* name) { return dlsym(RTLD_NEXT, name); }

static long writes, reads;
static int write_fails(int fd) {
  ++writes;
  if (fd == 2) return 0;
  if (reached("kill", writes)) raise(SIGKILL);
  if (reached("full", writes)) return errno = ENOSPC;
  if (number("eintr") && writes % 2) return errno = EINTR;
  return 0;
}
static int read_fails(void) {
  ++reads;
  if (reached("unread", reads)) return errno = EIO;
  if (number("eintr") && reads % 2) return errno = EINTR;
  return 0;
}
static size_t some(size_t size) { return number("short") && size > 7 ? 7 : size; }

ssize_t write(int fd, const void* from, size_t size) {
  static ssize_t (*real)(int, const void*, size_t);
  if (!real) real = next("write");
  return write_fails(fd) ? -1 : real(fd, from, some(size));
}
ssize_t send(int fd, const void* from, size_t size, int flags) {
  static ssize_t (*real)(int, const void*, size_t, int);
  if (!real) real = next("send");
  return write_fails(fd) ? -1 : real(fd, from, some(size), flags);
}
ssize_t read(int fd, void* to, size_t size) {
  static ssize_t (*real)(int, void*, size_t);
  if (!real) real = next("read");
  return read_fails() ? -1 : real(fd, to, some(size));
}
ssize_t recv(int fd, void* to, size_t size, int flags) {
  static ssize_t (*real)(int, void*, size_t, int);
  if (!real) real = next("recv");
  return read_fails() ? -1 : real(fd, to, some(size), flags);
}
int poll(struct pollfd* files, nfds_t count, int limit) {
  static int (*real)(struct pollfd*, nfds_t, int);
  static long polls;
  if (!real) real = next("poll");
  if (number("eintr") && ++polls % 2) {
    errno = EINTR;
    return -1;
  }
  return real(files, count, limit);
}
int linkat(int a, const char* from, int b, const char* to, int flags) {
  static int (*real)(int, const char*, int, const char*, int);
  if (!real) real = next("linkat");
  if (reached("kill", ++writes)) raise(SIGKILL);
  return real(a, from, b, to, flags);
}
int rename(const char* from, const char* to) {
  static int (*real)(const char*, const char*);
  if (!real) real = next("rename");
  if (reached("kill", ++writes)) raise(SIGKILL);
  return real(from, to);
}
int clock_gettime(clockid_t clock, struct timespec* now) {
  static int (*real)(clockid_t, struct timespec*);
  static long calls;
  if (!real) real = next("clock_gettime");
  int result = real(clock, now);
  if (!number("clock")) return result;
  ++calls;
  now->tv_sec += clock == CLOCK_REALTIME ? (calls % 2 ? 1 : -1) * 100000000L : calls / 4096 * 3600;
  return result;
}

// glibc's own, which need no dlsym
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void*, size_t);
static int memory_fails(void) {
  static long calls;
  if (!reached("memory", __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED))) return 0;
  errno = ENOMEM;
  return 1;
}
void* malloc(size_t size) { return memory_fails() ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) {
  return memory_fails() ? NULL : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) { return memory_fails() ? NULL : __libc_realloc(old, size); }
