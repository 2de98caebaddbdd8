//===- ReadScopes.cpp - Recordings in tests -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::scope;

std::atomic<int64_t> scope::simulatedNs{1};

SimulatedClock::SimulatedClock() {
  prof_scope_use_clock([] { return simulatedNs.load(); });
}

SimulatedClock::~SimulatedClock() {
  while (prof_scope_sessions())
    prof_scope_stop(nullptr);
  prof_scope_use_clock(nullptr);
}

std::vector<char> scope::copyScopes() {
  size_t size;
  char *bytes = prof_scope_copy(nullptr, &size);
  EXPECT_NE(bytes, nullptr);
  std::vector<char> copied(bytes, bytes + size);
  prof_scope_free(bytes, size);
  return copied;
}

Recording scope::readScopes(const std::vector<char> &bytes,
                            const Window &window) {
  Recording recording;
  if (std::optional<Problem> problem =
          readRecording({bytes.data(), bytes.size()}, recording, window))
    ADD_FAILURE() << problem->what;
  return recording;
}

Recording scope::readScopeFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    ADD_FAILURE() << path << ": " << buffer.getError().message();
    return {};
  }
  llvm::StringRef bytes = (*buffer)->getBuffer();
  return readScopes({bytes.begin(), bytes.end()});
}

std::vector<ScopeEvent> scope::findEvents(const Recording &recording,
                                          std::string_view name) {
  std::vector<ScopeEvent> found;
  for (const ScopeEvent &event : recording.events)
    if (recording.sites[event.site].name == name)
      found.push_back(event);
  return found;
}

ScopeEvent scope::findEvent(const Recording &recording, std::string_view name) {
  std::vector<ScopeEvent> found = findEvents(recording, name);
  EXPECT_EQ(found.size(), 1u) << name;
  return found.empty() ? ScopeEvent() : found.front();
}

std::string scope::getParent(const Recording &recording,
                             const ScopeEvent &event) {
  if (event.parent == kNoScope)
    return "";
  return recording.sites[recording.events[event.parent].site].name;
}

uint64_t scope::getLoss(const Recording &recording, std::string_view name) {
  for (const Loss &loss : recording.losses)
    if (loss.name == name)
      return loss.count;
  return 0;
}

std::string scope::makePath(std::string_view name) {
  static std::atomic<int> number{0};
  std::string path = testing::TempDir() + "mlir-prof-" +
                     std::to_string(getpid()) + "-" + std::to_string(number++) +
                     "-" + std::string(name);
  llvm::sys::fs::remove(path);
  return path;
}

int scope::startRecording(const std::string &path, uint64_t ring) {
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.path = path.c_str();
  options.ring_records = ring;
  return prof_scope_start(&options, nullptr);
}

int scope::runChild(const std::function<bool()> &work) {
  pid_t child = fork();
  if (!child)
    _exit(!work() || testing::Test::HasFailure());
  int status = -1;
  pid_t ended;
  for (int tick = 0; (ended = waitpid(child, &status, WNOHANG)) == 0; ++tick) {
    usleep(10000);
    if (tick == 12000)
      kill(child, SIGKILL);
  }
  EXPECT_EQ(ended, child);
  return status;
}
