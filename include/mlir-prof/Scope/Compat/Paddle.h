//===- Paddle.h - The interface of Paddle's profilers -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For code that was written for Paddle's platform/profiler.h and
// phi/api/profiler: with `namespace paddle = mlirprof::scope::paddle;` and
// `namespace phi = mlirprof::scope::paddle;` it records scopes.
// docs/scopes-compat.md says where these differ.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SCOPE_COMPAT_PADDLE_H
#define MLIR_PROF_SCOPE_COMPAT_PADDLE_H

#include "mlir-prof/Scope/Scope.h"

#include <string>
#include <vector>

namespace mlirprof::scope::paddle {

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

enum class ProfilerState { kDisabled, kCPU, kCUDA, kAll };

enum class TracerOption { kDefault, kOpDetail, kAllOpDetail };

enum class EventSortingKey {
  kDefault,
  kCalls,
  kTotal,
  kMin,
  kMax,
  kAve,
  kCPUTime,
  kGPUTime
};

enum class EventRole { kOrdinary, kInnerOp, kUniqueOp, kSpecial };

/// ScopeType has the same numbers.
enum class TracerEventType {
  Operator,
  Dataloader,
  ProfileStep,
  CudaRuntime,
  Kernel,
  Memcpy,
  Memset,
  UserDefined,
  OperatorInner,
  Forward,
  Backward,
  Optimization,
  Communication,
  PythonOp,
  PythonUserDefined,
  DygraphKernelLaunch,
  StaticKernelLaunch,
  NumTypes
};

enum class TracerMemEventType {
  Allocate,
  Free,
  ReservedAllocate,
  ReservedFree,
  NumTypes
};

/// The level of scopes that do not name one. Unlike Paddle's, which is 4, it is
/// one that is recorded by default.
inline constexpr uint32_t kDefaultTraceLevel = uint32_t(kDefaultLevel);

//===----------------------------------------------------------------------===//
// The switch
//===----------------------------------------------------------------------===//

/// Records scopes from now on; if that is the case already, changes the state.
/// kDisabled does nothing.
void EnableProfiler(ProfilerState state);
/// Ends it, prints the Profiling Report to standard output, and writes what was
/// recorded to `path`, unless that is empty: as a profile of the first
/// generation, which mlir-prof import reads too. Nothing if it is off.
void DisableProfiler(EventSortingKey key, const std::string &path);
/// Forgets what was recorded. Scopes that are open stay open.
void ResetProfiler();
bool IsProfileEnabled();
void SetTracerOption(TracerOption option);
TracerOption GetTracerOption();
/// Scopes up to this level are recorded from the next EnableProfiler() on;
/// initially 1.
void SetHostTraceLevel(uint32_t level);

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

/// Ends with its C++ scope, or with End(). A scope without a name is ignored.
class [[nodiscard]] RecordEvent {
public:
  explicit RecordEvent(const std::string &name,
                       TracerEventType type = TracerEventType::UserDefined,
                       uint32_t level = kDefaultTraceLevel,
                       EventRole role = EventRole::kOrdinary) {
    begin(name, type, level, role);
  }
  /// Null counts as an empty name.
  explicit RecordEvent(const char *name,
                       TracerEventType type = TracerEventType::UserDefined,
                       uint32_t level = kDefaultTraceLevel,
                       EventRole role = EventRole::kOrdinary) {
    begin(name ? std::string_view(name) : std::string_view(), type, level,
          role);
  }
  /// `attr` does not appear in any report, and is not kept.
  RecordEvent(const std::string &name, const std::string &attr,
              TracerEventType type = TracerEventType::UserDefined,
              uint32_t level = kDefaultTraceLevel,
              EventRole role = EventRole::kOrdinary) {
    (void)attr;
    begin(name, type, level, role);
  }
  RecordEvent(const RecordEvent &) = delete;
  RecordEvent &operator=(const RecordEvent &) = delete;

  /// Further calls do nothing.
  void End() { scope.end(); }
  /// Whether scopes of the default level are recorded.
  static bool IsEnabled() { return prof_scope_is_on(kDefaultLevel); }

private:
  void begin(std::string_view name, TracerEventType type, uint32_t level,
             EventRole role) {
    level = level < 1 ? 1 : level > 255 ? 255 : level;
    if (!name.empty() && prof_scope_is_on(int(level)))
      scope = Scope(name, ScopeType(type), int(level), ScopeRole(role));
  }

  Scope scope;
};

/// A moment with a name, which is a scope without a duration.
struct RecordInstantEvent {
  explicit RecordInstantEvent(const char *name, TracerEventType type,
                              uint32_t level = kDefaultTraceLevel);
};

/// The scope `block_N`.
struct RecordBlock {
  explicit RecordBlock(int block);

private:
  Scope scope;
};

/// A moment with a name.
void Mark(const std::string &name);

/// Begins a scope that PopEvent() ends, on the same thread.
void PushEvent(const std::string &name, EventRole role,
               const std::string &attr = "none");
/// Ends the last scope of PushEvent() with that name, which need not be the
/// innermost one. Without one, prints so to standard error.
void PopEvent(const std::string &name, EventRole role,
              const std::string &attr = "none");

/// A memory.
struct Place {
  std::string name = "cpu";
};
struct CPUPlace : Place {};
struct CUDAPlace : Place {
  explicit CUDAPlace(int device = 0) : Place{"gpu:" + std::to_string(device)} {}
};

/// A change of the memory in use, for the memory report; what is allocated also
/// counts for the innermost scope, if it counts allocations.
class RecordMemEvent {
public:
  RecordMemEvent(const void *address, const Place &place, size_t size,
                 uint64_t allocated, uint64_t reserved,
                 TracerMemEventType type = TracerMemEventType::Allocate);
};

//===----------------------------------------------------------------------===//
// Intervals that were measured elsewhere
//===----------------------------------------------------------------------===//

/// Nanoseconds of the wall clock, as HostEventRecorder takes them.
uint64_t PosixInNsec();

struct CommonEvent {
  std::string name;
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
  EventRole role = EventRole::kOrdinary;
  TracerEventType type = TracerEventType::NumTypes;
  std::string attr;
};

template <typename EventType>
struct ThreadEventSection {
  std::string thread_name;
  uint64_t thread_id = 0;
  std::vector<EventType> events;
};

template <typename EventType>
struct HostEventSection {
  std::string process_name;
  uint64_t process_id = 0;
  std::vector<ThreadEventSection<EventType>> thr_sections;
};

/// The host's scopes that have ended and that no call in the process has
/// returned before, by thread; threads without any are left out. Other threads
/// may go on, and call it too: each scope is returned once. Those that are open
/// are returned by a call after their end. The recording keeps all of them, for
/// other profilers and DisableProfiler(), until the session ends. Scopes that a
/// ring overwrites between two calls are not returned. Empty if memory is
/// missing: then the next call returns them.
HostEventSection<CommonEvent> GatherHostEvents();

/// Any thread may use it. Nothing is recorded while the profiler is off.
template <typename EventType = CommonEvent>
class HostEventRecorder {
public:
  static HostEventRecorder &GetInstance() {
    static HostEventRecorder instance;
    return instance;
  }

  /// An interval of PosixInNsec().
  void RecordEvent(std::string_view name, uint64_t start_ns, uint64_t end_ns,
                   EventRole role = EventRole::kOrdinary,
                   TracerEventType type = TracerEventType::UserDefined,
                   std::string_view attr = {}) {
    (void)attr;
    record(name, start_ns, end_ns, role, type);
  }
  HostEventSection<CommonEvent> GatherEvents() { return GatherHostEvents(); }

private:
  HostEventRecorder() = default;
  static void record(std::string_view name, uint64_t start_ns, uint64_t end_ns,
                     EventRole role, TracerEventType type);
};

void recordHostEvent(std::string_view name, uint64_t start_ns, uint64_t end_ns,
                     EventRole role, TracerEventType type);

template <typename EventType>
void HostEventRecorder<EventType>::record(std::string_view name,
                                          uint64_t start_ns, uint64_t end_ns,
                                          EventRole role,
                                          TracerEventType type) {
  recordHostEvent(name, start_ns, end_ns, role, type);
}

namespace platform {
using namespace paddle;
} // namespace platform

} // namespace mlirprof::scope::paddle

#endif // MLIR_PROF_SCOPE_COMPAT_PADDLE_H
