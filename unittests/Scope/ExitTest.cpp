//===- ExitTest.cpp - Scopes at the ends of threads and processes ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Scope/Scope.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <cstdlib>
#include <pthread.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

/// Has scopes while its thread ends.
struct Leaver {
  ~Leaver() {
    if (!isUsed)
      return;
    PROF_SCOPE("destructor");
    Scope inner("inside of it");
  }
  bool isUsed = false;
};

thread_local Leaver leaver;

} // namespace

TEST(ScopeExits, DestructorsOfThreadsHaveScopes) {
  for (bool hasEarlier : {false, true}) {
    prof_scope_start(nullptr, nullptr);
    for (int thread = 0; thread < 100; ++thread)
      std::thread([hasEarlier] {
        leaver.isUsed = true;
        if (hasEarlier)
          PROF_SCOPE("body");
      }).join();
    prof_scope_stop(nullptr);
    Recording recording = readScopes();
    EXPECT_EQ(findEvents(recording, "body").size(), hasEarlier ? 100u : 0u);
    EXPECT_EQ(findEvents(recording, "destructor").size(), 100u);
    for (const ScopeEvent &event : findEvents(recording, "inside of it"))
      EXPECT_EQ(getParent(recording, event), "destructor");
    EXPECT_EQ(recording.events.size(), hasEarlier ? 300u : 200u);
    EXPECT_TRUE(recording.losses.empty());
    EXPECT_EQ(std::count_if(recording.threads.begin(), recording.threads.end(),
                            [](const Thread &of) { return of.hasEnded; }),
              100);
  }
}

static pthread_key_t key;

/// Runs before and after the runtime's own destructor.
static void leaveAgain(void *left) {
  {
    PROF_SCOPE("of a key");
  }
  intptr_t more = reinterpret_cast<intptr_t>(left) - 1;
  pthread_setspecific(key, reinterpret_cast<void *>(more));
}

TEST(ScopeExits, DestructorsOfKeysHaveScopes) {
  ASSERT_EQ(pthread_key_create(&key, leaveAgain), 0);
  prof_scope_start(nullptr, nullptr);
  for (int thread = 0; thread < 100; ++thread)
    std::thread([] {
      pthread_setspecific(key, reinterpret_cast<void *>(3));
      PROF_SCOPE("body");
    }).join();
  prof_scope_stop(nullptr);
  pthread_key_delete(key);
  Recording recording = readScopes();
  EXPECT_EQ(findEvents(recording, "body").size(), 100u);
  EXPECT_EQ(findEvents(recording, "of a key").size(), 300u);
  EXPECT_TRUE(recording.losses.empty());
}

TEST(ScopeExits, FunctionsAtExitHaveScopes) {
  std::string path = makePath("exit");
  pid_t child = fork();
  if (!child) {
    // Before the session, so that it runs after what the session registers.
    std::atexit([] { PROF_SCOPE("registered first"); });
    prof_scope_options options = PROF_SCOPE_OPTIONS;
    options.path = path.c_str();
    prof_scope_start(&options, nullptr);
    std::atexit([] {
      PROF_SCOPE("registered last");
      std::thread([] { PROF_SCOPE("thread at exit"); }).join();
    });
    leaver.isUsed = true;
    std::exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  Recording recording = readScopeFile(path);
  for (const char *name : {"registered first", "registered last",
                           "thread at exit", "destructor", "inside of it"})
    EXPECT_EQ(findEvent(recording, name).end, EventEnd::Ended) << name;
  EXPECT_EQ(recording.events.size(), 5u);
  EXPECT_TRUE(recording.losses.empty());
  llvm::sys::fs::remove(path);
}
