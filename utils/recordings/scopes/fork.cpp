//===- fork.cpp - Scopes of processes that fork ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// fork FOLDER: a process that waits for a child, which waits for its own, each
// with a file of scopes in FOLDER. Build and run it with
//   c++ -std=c++17 -Iinclude -Iruntime/include fork.cpp libprof_rt.a -lpthread
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/Scope.h"

#include <chrono>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static void work() {
  PROF_SCOPE("work");
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Runs `child` in a process of its own.
template <typename Child>
static void runForked(const char *name, Child child) {
  mlirprof::scope::Scope wait(name);
  if (pid_t process = fork()) {
    waitpid(process, nullptr, 0);
    return;
  }
  child();
  prof_scope_stop(nullptr);
  _exit(0);
}

int main(int argc, char **argv) {
  std::string path = std::string(argc > 1 ? argv[1] : ".") + "/%p.scopes";
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.path = path.c_str();
  if (prof_scope_start(&options, nullptr))
    return 1;
  work();
  runForked("wait for child", [] {
    work();
    runForked("wait for grandchild", work);
  });
  prof_scope_stop(nullptr);
}
