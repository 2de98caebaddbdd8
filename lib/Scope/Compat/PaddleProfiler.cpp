//===- PaddleProfiler.cpp - The interface of Paddle's profilers -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PaddleMemory.h"
#include "mlir-prof/Scope/Compat/Paddle.h"
#include "mlir-prof/Scope/PaddleProfile.h"
#include "mlir-prof/Scope/Recording.h"
#include "mlir-prof/Scope/Styles.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

using namespace mlirprof;
using namespace mlirprof::scope;
using namespace mlirprof::scope::paddle;

static std::atomic<uint32_t> traceLevel{uint32_t(kDefaultLevel)};

//===----------------------------------------------------------------------===//
// The switch
//===----------------------------------------------------------------------===//

void paddle::EnableProfiler(ProfilerState state) {
  if (state == ProfilerState::kDisabled)
    return;
  if (!IsProfileEnabled())
    clearPaddleMemory();
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.level = traceLevel;
  // A state with devices on a machine without any is told by the report.
  (void)prof_scope_enable(uint32_t(state), &options, nullptr);
}

static const char *getSort(EventSortingKey key) {
  switch (key) {
  case EventSortingKey::kCalls:
    return "calls";
  case EventSortingKey::kTotal:
  case EventSortingKey::kCPUTime:
  case EventSortingKey::kGPUTime:
    return "total";
  case EventSortingKey::kMin:
    return "min";
  case EventSortingKey::kMax:
    return "max";
  case EventSortingKey::kAve:
    return "ave";
  case EventSortingKey::kDefault:
    break;
  }
  return "default";
}

static const char *getState(uint32_t state) {
  return state == PROF_SCOPE_GPU   ? "GPU"
         : state == PROF_SCOPE_ALL ? "All"
                                   : "CPU";
}

static void printReport(const Recording &recording, EventSortingKey key,
                        uint32_t state) {
  StyleOptions options;
  options.sort = getSort(key);
  options.state = getState(state);
  StyledText report;
  if (auto problem =
          writeStyled("paddle-report", {&recording}, options, report)) {
    std::fprintf(stderr, "%s\n", problem->what.c_str());
    return;
  }
  std::fwrite(report.text.data(), 1, report.text.size(), stdout);
  std::fflush(stdout);
  for (const std::string &note : report.notes)
    std::fprintf(stderr, "%s\n", note.c_str());
}

static void writeFile(const std::string &path, const std::string &bytes) {
  FILE *file = std::fopen(path.c_str(), "wb");
  bool isWritten =
      file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  int error = errno;
  if (file && std::fclose(file) != 0) {
    isWritten = false;
    error = errno;
  }
  if (!isWritten)
    std::fprintf(stderr, "%s: cannot be written: %s\n", path.c_str(),
                 std::strerror(error));
}

static void writeProfile(const std::string &path, const Recording &recording) {
  LossList losses;
  writeFile(path, writePaddleProfile({&recording}, losses));
  for (const Loss &loss : losses)
    std::fprintf(stderr, "%s: cannot hold: %s (%llu)\n", path.c_str(),
                 loss.name.c_str(),
                 static_cast<unsigned long long>(loss.count));
}

void paddle::DisableProfiler(EventSortingKey key, const std::string &path) {
  uint32_t state = prof_scope_get_state();
  prof_scope_moment from = {}, to = {};
  size_t size = 0;
  char *bytes = prof_scope_disable(&from, &to, &size);
  if (!bytes)
    return;
  Recording recording;
  auto problem =
      readRecording({bytes, size}, recording,
                    {from.ticks, to.ticks, from.generation, to.generation});
  prof_scope_free(bytes, size);
  if (problem) {
    std::fprintf(stderr, "%s\n", problem->what.c_str());
    return;
  }
  takePaddleMemory(recording);
  printReport(recording, key, state);
  if (!path.empty())
    writeProfile(path, recording);
}

void paddle::ResetProfiler() {
  prof_scope_reset();
  clearPaddleMemory();
}

bool paddle::IsProfileEnabled() { return prof_scope_is_enabled() != 0; }

void paddle::SetTracerOption(TracerOption option) {
  prof_scope_set_detail(uint32_t(option));
}

TracerOption paddle::GetTracerOption() {
  return TracerOption(prof_scope_get_detail());
}

void paddle::SetHostTraceLevel(uint32_t level) {
  traceLevel = level < 1 ? 1 : level > 255 ? 255 : level;
}

//===----------------------------------------------------------------------===//
// Moments, blocks and pairs
//===----------------------------------------------------------------------===//

static int64_t readSystemNs(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
}

static void recordMoment(std::string_view name, TracerEventType type,
                         uint32_t level) {
  int64_t now = readSystemNs(CLOCK_MONOTONIC);
  prof_scope_record_name(name.data(), name.size(), unsigned(type), level,
                         unsigned(ScopeRole::Ordinary), now, now);
}

RecordInstantEvent::RecordInstantEvent(const char *name, TracerEventType type,
                                       uint32_t level) {
  if (name && *name)
    recordMoment(name, type, level < 1 ? 1 : level > 255 ? 255 : level);
}

void paddle::Mark(const std::string &name) {
  if (!name.empty())
    recordMoment(name, TracerEventType::UserDefined, kDefaultTraceLevel);
}

RecordBlock::RecordBlock(int block) : scope("block_" + std::to_string(block)) {}

namespace {

/// A scope that waits for PopEvent().
struct Pushed {
  std::string name;
  Scope scope;
};

} // namespace

static thread_local std::vector<Pushed> pushed;

void paddle::PushEvent(const std::string &name, EventRole role,
                       const std::string &) {
  if (!name.empty() && prof_scope_is_on(kDefaultLevel))
    pushed.push_back({name, Scope(name, ScopeType::UserDefined, kDefaultLevel,
                                  ScopeRole(role))});
}

void paddle::PopEvent(const std::string &name, EventRole, const std::string &) {
  for (size_t index = pushed.size(); index--;)
    if (pushed[index].name == name) {
      pushed.erase(pushed.begin() + ptrdiff_t(index));
      return;
    }
  if (!name.empty() && prof_scope_is_on(kDefaultLevel))
    std::fprintf(stderr, "Cannot find the push marker of event '%s'\n",
                 name.c_str());
}

//===----------------------------------------------------------------------===//
// Intervals that were measured elsewhere
//===----------------------------------------------------------------------===//

uint64_t paddle::PosixInNsec() {
  return uint64_t(readSystemNs(CLOCK_REALTIME));
}

void paddle::recordHostEvent(std::string_view name, uint64_t start_ns,
                             uint64_t end_ns, EventRole role,
                             TracerEventType type) {
  if (name.empty() || !prof_scope_is_on(kDefaultLevel))
    return;
  int64_t offset = readSystemNs(CLOCK_REALTIME) - readSystemNs(CLOCK_MONOTONIC);
  prof_scope_record_name(name.data(), name.size(), unsigned(type),
                         kDefaultLevel, unsigned(role),
                         int64_t(start_ns) - offset, int64_t(end_ns) - offset);
}
