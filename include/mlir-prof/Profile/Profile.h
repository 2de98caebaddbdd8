//===- Profile.h - Measurements per measured op -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The data model of a profile, independent of producers and MLIR. Times are
// picoseconds relative to the anchor of their run's clock.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_PROFILE_H
#define MLIR_PROF_PROFILE_PROFILE_H

#include "mlir-prof/Profile/Device.h"
#include "mlir-prof/Profile/HloModule.h"
#include "mlir-prof/Profile/OpKey.h"
#include "mlir-prof/Profile/Program.h"
#include "mlir-prof/Profile/Summary.h"
#include "mlir-prof/Support/Loss.h"

#include <memory>
#include <string>
#include <vector>

namespace mlirprof::scope {
struct Recording;
} // namespace mlirprof::scope

namespace mlirprof::profile {

struct JobRecord;

/// The producer of a recording.
struct Producer {
  /// Format it was read from ("xplane").
  std::string format;
  /// Program and version that wrote it, if the file contains them.
  std::string name;
  std::string version;
};

/// The machine on which a run was measured, as far as the recording contains
/// it. Empty and 0 mean unknown.
struct Machine {
  std::string host;
  std::string cpu;
  std::vector<std::string> features;
  uint32_t threads = 0;
  std::string os;
  /// Measured: floating point operations (f32) and bytes per second, of one
  /// thread and of all.
  uint64_t flopsOneThread = 0;
  uint64_t flopsAllThreads = 0;
  uint64_t bytesOneThread = 0;
  uint64_t bytesAllThreads = 0;
};

/// A clock domain. `anchorNs` is its zero in ns since the epoch; without an
/// anchor its times cannot be compared with another clock's.
struct Clock {
  std::string name;
  int64_t anchorNs = 0;
  bool hasAnchor = false;
};

enum class Quantity : uint8_t {
  /// Duration of the events.
  Execute = 0,
  /// Duration minus that of the nearest nested measured ops.
  Self = 1,
  /// Until the op's asynchronous work was reported complete.
  Complete = 2,
  /// Like Complete, but cut where a consumer of the result began.
  Bounded = 3,
  Bytes = 4,
  Flops = 5,
  Cycles = 6,
  Samples = 7,
  /// Like Execute, before the cost of the probes was subtracted.
  RawExecute = 8,
  /// Like Self, before the cost of the probes was subtracted.
  RawSelf = 9,
  /// Like Self, for the executions that were not stalls (findStalls).
  SteadySelf = 10,
  /// From the begin of the call that launched work of a device to the begin of
  /// the work, ps.
  Launch = 11,
  /// From the end of that call to the begin of the work, ps: negative if the
  /// work began before the call returned.
  Queue = 12,
};

struct Measurement {
  Quantity quantity = Quantity::Execute;
  Summary summary;
};

/// All events with one name on one track of a run.
struct EventSummary {
  /// Index into Run::tracks.
  uint32_t track = 0;
  /// Index into Profile::strings.
  uint32_t name = 0;
  Summary total;
  Summary self;
};

/// All events with one op key in a run.
struct OpSummary {
  /// Index into Profile::opKeys.
  uint32_t op = 0;
  int64_t firstBeginPs = 0;
  /// At most one per quantity.
  std::vector<Measurement> measurements;

  const Summary *find(Quantity quantity) const;
  /// Finds or adds the summary of a quantity.
  Summary &get(Quantity quantity);
  uint64_t getCount() const;
  /// Sum of a quantity; 0 if it was not measured.
  int64_t getSum(Quantity quantity) const;
  /// The weight of the op everywhere: self + (bounded - execute), if the last
  /// two were measured. See docs/matching.md.
  int64_t getTimePs() const;
  /// Adds the measurements of `other`. If only one of the two has self or
  /// bounded times, the other's execution times stand in for them, so that
  /// getTimePs() of the sum is the sum of both.
  void merge(const OpSummary &other);
};

struct Step {
  int64_t number = 0;
  int64_t beginPs = 0;
  int64_t durationPs = 0;
  /// Time within the step in which at least one op was executing.
  int64_t opBusyPs = 0;
  /// Like opBusyPs, with asynchronous work until its bounded end.
  int64_t opInflightPs = 0;
};

/// Raw events kept because of --keep-events, as columns of one length. Sorted
/// by (begin, -end).
struct EventColumns {
  std::vector<uint32_t> track;
  std::vector<uint32_t> name;
  std::vector<uint32_t> op;
  std::vector<int64_t> beginPs;
  std::vector<int64_t> durationPs;
  /// As in Event; both empty if no event has any.
  std::vector<int64_t> beginCode;
  std::vector<int64_t> endCode;
  /// The index of the earlier kept event from which an arrow leads to this one,
  /// else kNone; empty if no event has one. On a device it is the call that
  /// launched the work; on the host it is what the recording connects, such as
  /// the forward op of a backward one.
  std::vector<uint32_t> launch;

  /// Completes an event that all columns above already contain.
  void addCode(int64_t begin, int64_t end);
  void addLaunch(uint32_t event);
  size_t size() const { return track.size(); }
  bool empty() const { return track.empty(); }
};

struct TrackInfo : trace::Track {
  uint64_t events = 0;
  /// Events that overlap their predecessor without nesting in it.
  uint64_t partialOverlaps = 0;
  /// For streams of devices: the union of their work.
  int64_t busyPs = 0;
};

/// One recording. Runs are the unit of merging: two with the same content hash
/// are the same run.
struct Run {
  /// contentHash() of the original file.
  std::string hash;
  std::string source;
  Producer producer;
  Machine machine;
  Clock clock;
  /// Free-form facts of the recording (such as "Task Environment").
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<TrackInfo> tracks;
  std::vector<DeviceInfo> devices;
  std::vector<EventSummary> events;
  std::vector<OpSummary> ops;
  std::vector<Step> steps;
  /// Union of the ops' execution times over all tracks, and with asynchronous
  /// work.
  int64_t opBusyPs = 0;
  int64_t opInflightPs = 0;
  EventColumns kept;
  /// The scopes of the process, if the recording has any. Their times are
  /// relative to the clock of their own.
  std::shared_ptr<const scope::Recording> scopes;
  /// The rest of a recording of a training job, apart from events; or null.
  std::shared_ptr<const JobRecord> job;
  std::vector<ValueTable> values;
  std::vector<NodeWork> work;
  /// For a recording by sampling: the time per sample; else 0.
  int64_t samplePeriodPs = 0;
  /// Wall time of the iterations of a recording by mlir-prof; `steps` lists the
  /// first of them, and others spread over the rest of the run.
  Summary iterations;
  std::vector<Loss> losses;
  /// For a run created by compactProfile(): the hashes of the recordings in it,
  /// ascending. Then `hash` is that of the run itself.
  std::vector<std::string> folded;
};

/// The values of a constant that a stored module leaves out.
struct ElidedValues {
  /// Position of the op in pre-order, where the module is 0.
  uint32_t op = 0;
  /// XXH3 of its values (hashValues in mlir-prof/Module/ModuleReader.h).
  uint64_t hash = 0;
};

struct IrModule {
  /// "input" and, for recordings by mlir-prof, the later levels.
  std::string level;
  std::string name;
  std::string source;
  /// contentHash() of `bytecode`.
  std::string fingerprint;
  uint64_t operations = 0;
  /// Attributes whose values were left out because of their size.
  uint64_t elided = 0;
  /// Fingerprint of the program of which it is a level; may be empty.
  std::string program;
  std::string bytecode;
  /// By position. Profiles before version 1.3 do not have any.
  std::vector<ElidedValues> values;
};

/// A section of the file unknown to this version; kept on rewrite.
struct UnknownSection {
  uint32_t type = 0;
  uint32_t codec = 0;
  /// Length of the content before compression.
  uint32_t contentLength = 0;
  /// As encoded in the file.
  std::string payload;
};

/// Fields of one message of the file unknown to this version; kept on rewrite.
/// They are attached to their message by its position, so a profile with such
/// fields may be appended to, but its parts must not be moved.
struct UnknownFields {
  /// From the file's outermost message: alternating field number and index.
  std::vector<uint32_t> path;
  /// The fields as protobuf.
  std::string fields;
};

struct Profile {
  static constexpr uint16_t kMajor = 1;
  static constexpr uint16_t kMinor = 7;

  uint16_t minor = kMinor;
  std::vector<std::string> strings;
  std::vector<OpKey> opKeys;
  std::vector<HloModule> hloModules;
  std::vector<IrModule> irModules;
  std::vector<Program> programs;
  std::vector<Run> runs;
  std::vector<UnknownSection> unknownSections;
  std::vector<UnknownFields> unknownFields;

  /// The first module of that level, of any program.
  const IrModule *findIrModule(llvm::StringRef level) const;
  /// Whether any op key is work of a device.
  bool hasDeviceWork() const;
  /// The module of a program (by fingerprint).
  const IrModule *findIrModule(llvm::StringRef level,
                               llvm::StringRef program) const;
  const Program *findProgram(llvm::StringRef fingerprint) const;
};

/// Measurements of every op key merged over all runs; index = op key. The
/// summaries of keys that no run measured are empty.
std::vector<OpSummary> mergeRuns(const Profile &profile);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_PROFILE_H
