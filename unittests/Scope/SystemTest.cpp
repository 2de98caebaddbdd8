//===- SystemTest.cpp - Clocks and registries of other systems ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each test runs itself again in a new process, with a switch that chooses what
// is used where the system lacks something.
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Scope/Scope.h"

#include <dlfcn.h>
#include <fstream>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

/// Whether this process was started for `variable` to have `value`. Otherwise
/// runs the current test in such a process, where it must pass.
bool isAgain(const char *variable, const char *value) {
  const char *present = getenv(variable);
  if (present && present == std::string(value))
    return true;
  std::string filter =
      std::string("--gtest_filter=ScopeSystems.") +
      testing::UnitTest::GetInstance()->current_test_info()->name();
  pid_t child = fork();
  if (!child) {
    setenv(variable, value, 1);
    execl("/proc/self/exe", "test", filter.c_str(), "--gtest_brief=1",
          static_cast<char *>(nullptr));
    _exit(1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return false;
}

int64_t readNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * int64_t(1000000000) + now.tv_nsec;
}

/// Records a scope of known length, and the copy's scopes.
Recording record() {
  prof_scope_start(nullptr, nullptr);
  void *library = dlopen(MLIRPROF_STATIC_COPY, RTLD_NOW);
  EXPECT_NE(library, nullptr);
  auto *run =
      reinterpret_cast<void (*)(void (*)())>(dlsym(library, "runInCopy"));
  int64_t before = readNs(), begin, end;
  {
    PROF_SCOPE("measured");
    begin = readNs();
    run([] { PROF_SCOPE("inside"); });
    usleep(20000);
    end = readNs();
  }
  int64_t after = readNs();
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  int64_t ns = findEvent(recording, "measured").getDurationPs() / 1000;
  // The ticks of short recordings are known within 1e-4.
  EXPECT_GE(ns, (end - begin) - (end - begin) / 1000);
  EXPECT_LE(ns, (after - before) + (after - before) / 1000);
  dlclose(library);
  return recording;
}

} // namespace

TEST(ScopeSystems, SystemClock) {
  if (!isAgain("MLIR_PROF_SCOPE_CLOCK", "system"))
    return;
  Recording recording = record();
  EXPECT_EQ(recording.clock.source, TickSource::SystemClock);
  EXPECT_EQ(recording.clock.ps, recording.clock.ticks * 1000);
  // Copies have one clock.
  EXPECT_EQ(getParent(recording, findEvent(recording, "copy")), "measured");
  EXPECT_GT(recording.costWindowPs, 0);
}

TEST(ScopeSystems, Mapping) {
  if (!isAgain("MLIR_PROF_SCOPE_REGISTRY", "mapping"))
    return;
  Recording recording = record();
  EXPECT_EQ(getParent(recording, findEvent(recording, "copy")), "measured");
  EXPECT_TRUE(recording.losses.empty());
  std::ifstream maps("/proc/self/maps");
  bool isFound = false;
  for (std::string line; std::getline(maps, line);)
    isFound |= line.find("mlir-prof-scopes") != std::string::npos;
  EXPECT_TRUE(isFound);
}

TEST(ScopeSystems, Private) {
  if (!isAgain("MLIR_PROF_SCOPE_REGISTRY", "private"))
    return;
  Recording recording = record();
  EXPECT_TRUE(findEvents(recording, "copy").empty());
  EXPECT_EQ(getLoss(recording, "copy of the runtime that records alone"), 1u);
}
