//===- CopyTest.cpp - Several copies of the runtime -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Scope/Scope.h"
#include "llvm/Support/FileSystem.h"

#include <atomic>
#include <dlfcn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

/// A library that contains or loads another copy.
class Copy {
public:
  explicit Copy(const char *path) : library(dlopen(path, RTLD_NOW)) {
    if (!library)
      ADD_FAILURE() << dlerror();
  }
  ~Copy() { dlclose(library); }
  template <typename Function>
  Function *get(const char *name) const {
    void *found = dlsym(library, name);
    EXPECT_NE(found, nullptr) << name;
    return reinterpret_cast<Function *>(found);
  }
  void run(void (*inside)()) const {
    get<void(void (*)())>("runInCopy")(inside);
  }

private:
  void *library;
};

class Copies : public testing::TestWithParam<const char *> {};

} // namespace

INSTANTIATE_TEST_SUITE_P(
    Linked, Copies, testing::Values(MLIRPROF_STATIC_COPY, MLIRPROF_SHARED_COPY),
    [](const auto &info) { return info.index ? "Shared" : "Static"; });

TEST_P(Copies, RecordTogether) {
  prof_scope_start(nullptr, nullptr);
  // Loaded while recording.
  Copy copy(GetParam());
  EXPECT_NE(copy.get<const void *()>("getCopy")(), &prof_scope_level);
  {
    PROF_SCOPE("around");
    copy.run([] { PROF_SCOPE("inside"); });
  }
  std::thread([&] { copy.run([] { PROF_SCOPE("thread"); }); }).join();
  EXPECT_EQ(copy.get<unsigned()>("countSessionsInCopy")(), 1u);
  EXPECT_EQ(copy.get<int()>("getLevelInCopy")(), PROF_SCOPE_LEVEL_DEFAULT);
  prof_scope_stop(nullptr);
  EXPECT_EQ(copy.get<int()>("getLevelInCopy")(), 0);

  Recording recording = readScopes();
  std::vector<ScopeEvent> copies = findEvents(recording, "copy");
  ASSERT_EQ(copies.size(), 2u);
  EXPECT_EQ(getParent(recording, copies[0]), "around");
  EXPECT_EQ(getParent(recording, findEvent(recording, "inside")), "copy");
  ScopeEvent thread = findEvent(recording, "thread");
  EXPECT_EQ(getParent(recording, thread), "copy");
  EXPECT_EQ(thread.thread, copies[1].thread);
  EXPECT_TRUE(recording.losses.empty());

  // Loaded before recording.
  prof_scope_start(nullptr, nullptr);
  copy.run([] {});
  prof_scope_stop(nullptr);
  EXPECT_EQ(findEvents(readScopes(), "copy").size(), 1u);
}

TEST_P(Copies, MayBeUnloadedAndForked) {
  prof_scope_start(nullptr, nullptr);
  for (int round = 0; round < 3; ++round) {
    Copy copy(GetParam());
    copy.run([] { PROF_SCOPE("inside"); });
    pid_t child = fork();
    if (!child) {
      copy.run([] { PROF_SCOPE("inside"); });
      _exit(readScopes().events.size() != 2);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  {
    PROF_SCOPE("after");
  }
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  EXPECT_EQ(findEvents(recording, "copy").size(), 3u);
  EXPECT_EQ(findEvents(recording, "inside").size(), 3u);
  findEvent(recording, "after");
}

/// The thread goes on to live when the only copy that it uses is unloaded.
TEST(ScopeCopies, UnloadedBeforeTheirThreadsEnd) {
  prof_scope_start(nullptr, nullptr);
  std::atomic<int> step{0};
  std::thread worker;
  uint64_t id = 0;
  {
    Copy copy(MLIRPROF_STATIC_COPY);
    worker = std::thread([&] {
      copy.run([] {});
      id = uint64_t(gettid());
      step = 1;
      while (step == 1)
        std::this_thread::yield();
    });
    while (step == 0)
      std::this_thread::yield();
  }
  auto hasEnded = [id](const Recording &recording) {
    for (const auto &thread : recording.threads)
      if (thread.id == id)
        return thread.hasEnded;
    ADD_FAILURE() << "the thread is missing";
    return false;
  };
  EXPECT_FALSE(hasEnded(readScopes()));
  step = 2;
  worker.join();
  // The system may list a joined thread for a while.
  while (llvm::sys::fs::exists("/proc/self/task/" + llvm::Twine(id)))
    std::this_thread::yield();
  EXPECT_TRUE(hasEnded(readScopes()));
  prof_scope_stop(nullptr);
}
