//===- SystemTest.cpp - Clocks and registries of other systems
//-------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each test runs the program again, with a switch that chooses what is used
// where the system lacks something.
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

/// Runs the disabled test `name` in a new process with a variable; whether it
/// passes.
bool runAgain(const char *name, const char *variable, const char *value) {
  pid_t child = fork();
  if (!child) {
    setenv(variable, value, 1);
    std::string filter = std::string("--gtest_filter=") + name;
    execl("/proc/self/exe", "test", filter.c_str(),
          "--gtest_also_run_disabled_tests", "--gtest_brief=1",
          static_cast<char *>(nullptr));
    _exit(1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status == 0;
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

TEST(ScopeSystems, DISABLED_SystemClock) {
  Recording recording = record();
  EXPECT_EQ(recording.clock.source, TickSource::SystemClock);
  EXPECT_EQ(recording.clock.ps, recording.clock.ticks * 1000);
  // Copies have one clock.
  EXPECT_EQ(getParent(recording, findEvent(recording, "copy")), "measured");
  EXPECT_GT(recording.costWindowPs, 0);
}

TEST(ScopeSystems, DISABLED_Mapping) {
  Recording recording = record();
  EXPECT_EQ(getParent(recording, findEvent(recording, "copy")), "measured");
  EXPECT_TRUE(recording.losses.empty());
  std::ifstream maps("/proc/self/maps");
  bool isFound = false;
  for (std::string line; std::getline(maps, line);)
    isFound |= line.find("mlir-prof-scopes") != std::string::npos;
  EXPECT_TRUE(isFound);
}

TEST(ScopeSystems, DISABLED_Private) {
  Recording recording = record();
  EXPECT_TRUE(findEvents(recording, "copy").empty());
  EXPECT_EQ(getLoss(recording, "copy of the runtime that records alone"), 1u);
}

TEST(ScopeSystems, FallBack) {
  EXPECT_TRUE(runAgain("ScopeSystems.DISABLED_SystemClock",
                       "MLIR_PROF_SCOPE_CLOCK", "system"));
  EXPECT_TRUE(runAgain("ScopeSystems.DISABLED_Mapping",
                       "MLIR_PROF_SCOPE_REGISTRY", "mapping"));
  EXPECT_TRUE(runAgain("ScopeSystems.DISABLED_Private",
                       "MLIR_PROF_SCOPE_REGISTRY", "private"));
}
