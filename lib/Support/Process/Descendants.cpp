//===- Descendants.cpp - Processes that a child has started ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Process.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlirprof;

/// The children of all threads of this process.
static std::set<pid_t> getChildren() {
  std::set<pid_t> children;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it("/proc/self/task", code), end;
       it != end && !code; it.increment(code)) {
    auto text = llvm::MemoryBuffer::getFileAsStream(it->path() + "/children");
    if (!text)
      continue;
    llvm::StringRef rest = (*text)->getBuffer().ltrim();
    for (pid_t child = 0; !rest.consumeInteger(10, child); rest = rest.ltrim())
      children.insert(child);
  }
  return children;
}

Descendants::Descendants() : others(getChildren()) {
  prctl(PR_GET_CHILD_SUBREAPER, &wasReaper);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Descendants::~Descendants() { prctl(PR_SET_CHILD_SUBREAPER, wasReaper); }

void Descendants::end(pid_t group) {
  // Killing a process makes its children this process's. The kernel's list may
  // omit a child while others end, so one round is not enough.
  constexpr unsigned kMostRounds = 2000;
  constexpr useconds_t kPauseUs = 1000;
  constexpr unsigned kQuietRounds = 2;
  unsigned quiet = 0;
  for (unsigned round = 0; round != kMostRounds && quiet != kQuietRounds;
       ++round) {
    // For the group, waiting tells without a list whether a process is left.
    while (waitpid(-group, nullptr, WNOHANG) > 0)
      quiet = 0;
    bool isQuiet = waitpid(-group, nullptr, WNOHANG) < 0;
    for (pid_t child : getChildren()) {
      if (others.count(child) ||
          (getsid(child) == getsid(0) && getpgid(child) != group))
        continue;
      isQuiet = false;
      kill(child, SIGKILL);
      waitpid(child, nullptr, WNOHANG);
    }
    quiet = isQuiet ? quiet + 1 : 0;
    usleep(kPauseUs);
  }
}
