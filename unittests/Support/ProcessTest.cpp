//===- ProcessTest.cpp - Child processes ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Process.h"
#include "gtest/gtest.h"

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlirprof;

namespace {

Process start(ProcessGroup group, llvm::function_ref<void(int socket)> run) {
  return llvm::cantFail(Process::start("test", group, run));
}

std::string describeEnd(llvm::function_ref<void()> run) {
  auto status = start(ProcessGroup::OfParent, [&](int) { run(); }).wait();
  return status ? status->describe() : "unknown";
}

TEST(ProcessTest, SaysHowItEnded) {
  EXPECT_EQ(describeEnd([] { _exit(0); }), "exited with code 0");
  EXPECT_EQ(describeEnd([] { _exit(3); }), "exited with code 3");
  // Such a function must not return.
  EXPECT_EQ(describeEnd([] {}), "exited with code 1");
  EXPECT_EQ(describeEnd([] { raise(SIGKILL); }), "killed by SIGKILL");
  EXPECT_EQ(describeEnd([] { raise(SIGTERM); }), "killed by SIGTERM");
  int signal = SIGRTMIN + 1;
  EXPECT_EQ(describeEnd([&] { raise(signal); }),
            "killed by signal " + std::to_string(signal));
}

TEST(ProcessTest, IsUnknownWhereTheSystemTakesTheStatus) {
  auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(describeEnd([] { _exit(0); }), "unknown");
  std::signal(SIGCHLD, before);
}

/// Sends back each received value, plus one.
[[noreturn]] void count(int socket) {
  char byte = 0;
  while (read(socket, &byte, 1) == 1) {
    ++byte;
    if (write(socket, &byte, 1) != 1)
      break;
  }
  _exit(0);
}

TEST(ProcessTest, TalksOverItsSocket) {
  Process child = start(ProcessGroup::Own, count);
  char byte = 41;
  ASSERT_EQ(write(child.getSocket(), &byte, 1), 1);
  ASSERT_EQ(read(child.getSocket(), &byte, 1), 1);
  EXPECT_EQ(byte, 42);
  EXPECT_FALSE(child.hasEnded());
  child.closeSocket();
  // Its status remains available until somebody waits for it.
  EXPECT_TRUE(child.endsWithin(60));
  EXPECT_TRUE(child.hasEnded());
  auto status = child.wait();
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(status->getCode(), 0);
  EXPECT_EQ(status->getSignal(), std::nullopt);
  // The number is not its own any more.
  EXPECT_FALSE(child.wait().has_value());
  EXPECT_FALSE(child.end().has_value());
}

[[noreturn]] void waitForever() {
  while (true)
    pause();
}

TEST(ProcessTest, EndsWithItsOwner) {
  pid_t id = 0;
  {
    Process child = start(ProcessGroup::Own, [](int) { waitForever(); });
    id = child.getId();
    EXPECT_EQ(getpgid(id), id);
    Process moved = std::move(child);
    EXPECT_EQ(kill(id, 0), 0);
  }
  // It has ended, and is not a zombie.
  EXPECT_EQ(kill(id, 0), -1);
  Process child = start(ProcessGroup::OfParent, [](int) { waitForever(); });
  EXPECT_EQ(getpgid(child.getId()), getpgid(0));
  auto status = child.end();
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(status->getSignal(), SIGKILL);
}

/// The last copy of the pipe's other end closes with the last of the group.
TEST(ProcessTest, EndsItsWholeGroup) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  {
    Process child = start(ProcessGroup::Own, [&](int socket) {
      if (fork() == 0) {
        // Resources of a descendant are not released with its parent.
        char ready = 1;
        if (write(socket, &ready, 1) != 1)
          _exit(1);
      }
      waitForever();
    });
    close(ends[1]);
    char byte = 0;
    ASSERT_EQ(read(child.getSocket(), &byte, 1), 1);
  }
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

TEST(ProcessTest, DiesWithItsParent) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Process parent = start(ProcessGroup::OfParent, [](int) {
    Process child = start(ProcessGroup::Own, [](int) { waitForever(); });
    raise(SIGKILL);
  });
  close(ends[1]);
  EXPECT_TRUE(parent.wait().has_value());
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

/// A daemon: in its own session, its parent ended.
TEST(ProcessTest, DescendantsEndToo) {
  Descendants descendants;
  Process child = start(ProcessGroup::Own, [](int socket) {
    if (fork() == 0) {
      setsid();
      pid_t self = getpid();
      if (write(socket, &self, sizeof self) != ssize_t(sizeof self))
        _exit(1);
      waitForever();
    }
    char last;
    _exit(read(socket, &last, 1) == 0 ? 0 : 1);
  });
  pid_t daemon = 0;
  ASSERT_EQ(read(child.getSocket(), &daemon, sizeof daemon),
            ssize_t(sizeof daemon));
  child.closeSocket();
  child.end();
  EXPECT_EQ(kill(daemon, 0), 0);
  descendants.end(child.getId());
  EXPECT_EQ(kill(daemon, 0), -1);
}

TEST(ProcessTest, LimitsAreNeverRaised) {
  EXPECT_EQ(describeEnd([] {
              rlimit limit;
              limitResource(RLIMIT_FSIZE, 1000);
              limitResource(RLIMIT_FSIZE, 2000);
              getrlimit(RLIMIT_FSIZE, &limit);
              _exit(limit.rlim_cur == 1000 && limit.rlim_max == 1000 ? 7 : 8);
            }),
            "exited with code 7");
}

/// The socket does not replace an output that was closed.
TEST(ProcessTest, LeavesStandardDescriptorsAlone) {
  EXPECT_EQ(describeEnd([] {
              close(STDIN_FILENO);
              close(STDOUT_FILENO);
              Process inner = start(ProcessGroup::OfParent, [](int socket) {
                _exit(socket > STDERR_FILENO ? 5 : 6);
              });
              bool isAbove = inner.getSocket() > STDERR_FILENO;
              auto status = inner.wait();
              _exit(isAbove && status && status->getCode() == 5 ? 7 : 8);
            }),
            "exited with code 7");
}

/// With two descriptors left, both standard ones, the sockets cannot move.
TEST(ProcessTest, FailsWithoutDescriptors) {
  EXPECT_EQ(describeEnd([] {
              while (dup(STDERR_FILENO) >= 0)
                continue;
              close(STDIN_FILENO);
              close(STDOUT_FILENO);
              auto inner = Process::start("child", ProcessGroup::OfParent,
                                          [](int) { _exit(0); });
              bool areClosed = fcntl(STDIN_FILENO, F_GETFD) < 0 &&
                               fcntl(STDOUT_FILENO, F_GETFD) < 0;
              _exit(!inner && areClosed &&
                            llvm::toString(inner.takeError()) ==
                                "child: Too many open files"
                        ? 7
                        : 8);
            }),
            "exited with code 7");
}

} // namespace
