#include "hil/process.hpp"

#include <CppUTest/TestHarness.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hosttools/hil/link_text.hpp"
#include "text/error.hpp"

using lockstep::host::Error;
using lockstep::host::hil::start_process;
using lockstep::host::hil::Transport;
using lockstep::test::receive;
using lockstep::test::send;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<Transport> shell(const std::string& script) {
  return start_process("the shell", {"/bin/sh", "-c", script});
}

double seconds_of(auto&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool lives(int process) { return ::kill(process, 0) == 0; }

}  // namespace

TEST_GROUP(Process){};

TEST(Process, BytesGoThereAndBack) {
  const auto link = start_process("cat", {"cat"});
  const std::string text("a\0b\n\xff\r", 6);
  send(*link, text);
  CHECK_TRUE(receive(*link, text.size()) == text);
  STRCMP_EQUAL("", link->ended().c_str());
}

TEST(Process, NothingComesFromASilentOneAndTheWaitIsKept) {
  const auto link = start_process("cat", {"cat"});
  std::uint8_t bytes[4];
  std::size_t count = 1;
  CHECK_TRUE(seconds_of([&] { count = link->read(bytes, 30ms); }) >= 0.03);
  LONGS_EQUAL(0, count);
}

TEST(Process, TheEndTellsTheCodeAndTheLastWords) {
  const auto link = shell("echo last; seq 30 >&2; exit 3");
  STRCMP_EQUAL("last\n", receive(*link, 100).c_str());
  const std::string end = link->ended();
  STRNCMP_EQUAL("the shell ended with code 3: 11\n12\n", end.c_str(), 35);
  CHECK_TRUE(end.ends_with("29\n30"));
}

TEST(Process, TheEndTellsTheSignal) {
  const auto link = shell("kill -SEGV $$");
  receive(*link, 1);
  STRCMP_EQUAL("the shell was ended by signal 11 (Segmentation fault)", link->ended().c_str());
}

TEST(Process, WritingToOneThatHasEndedIsHarmless) {
  const auto link = shell("exit 0");
  receive(*link, 1);
  for (int i = 0; i < 3; ++i) send(*link, "hello");  // a SIGPIPE would end the tests
  STRCMP_EQUAL("the shell ended with code 0", link->ended().c_str());
}

TEST(Process, WritingToOneThatDoesNotReadEndsWithinALimit) {
  const auto link = shell("exec sleep 60");
  const std::string much(10'000'000, 'x');
  CHECK_TRUE(seconds_of([&] { send(*link, much); }) < 10);
  STRCMP_EQUAL("the shell takes no more bytes", link->ended().c_str());
}

TEST(Process, ATalkativeStandardErrorDoesNotBlockTheLink) {
  const auto link = shell("seq 100000 >&2; echo done; exec cat");
  STRCMP_EQUAL("done\n", receive(*link, 5).c_str());
}

TEST(Process, EndsWithItsTransportEvenWhenItWillNot) {
  int pid = 0;
  {
    const auto link = shell("trap '' TERM; echo $$; while :; do sleep 0.1; done");
    pid = std::stoi(receive(*link, 2));
    CHECK_TRUE(lives(pid));
  }
  CHECK_FALSE(lives(pid));
}

TEST(Process, EndsWithTheProgramThatStartedIt) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // the orphan comes to us
  int ends[2];
  LONGS_EQUAL(0, ::pipe(ends));
  const pid_t starter = ::fork();
  if (starter == 0) {
    const auto link = shell("echo $$; exec sleep 60");
    const int pid = std::stoi(receive(*link, 2));
    if (::write(ends[1], &pid, sizeof pid) > 0) ::raise(SIGKILL);  // no destructor runs
    ::_exit(1);
  }
  int pid = 0, status = 0;
  LONGS_EQUAL(sizeof pid, ::read(ends[0], &pid, sizeof pid));
  LONGS_EQUAL(starter, ::waitpid(starter, &status, 0));
  LONGS_EQUAL(pid, ::waitpid(pid, &status, 0));
  CHECK_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  ::close(ends[0]);
  ::close(ends[1]);
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST(Process, WhatCannotBeRunIsNamed) {
  try {
    start_process("it", {"/no/such/program"});
    FAIL("was run");
  } catch (const Error& error) {
    STRCMP_EQUAL(
        "/no/such/program: cannot be run (No such file or directory); give a program "
        "that exists and may be executed",
        error.what());
  }
}
