//===- Recording.h - One rank of a job while it is read ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_MINDSPORE_RECORDING_H
#define MLIR_PROF_LIB_IMPORT_MINDSPORE_RECORDING_H

#include "mlir-prof/Profile/Job.h"
#include "mlir-prof/Profile/ProfileBuilder.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

#include <map>
#include <optional>

namespace mlirprof::importer::mindspore {

/// The relation of a device's counter to time. MindSpore takes 100 MHz for
/// granted; info.json has the true frequency.
class TickClock {
public:
  static constexpr uint64_t kDefaultHz = 100000000;

  void setHz(uint64_t value) { hz = value; }
  uint64_t getHz() const { return hz; }
  uint64_t getOrigin() const { return origin; }

  /// Makes `ticks` a candidate for the zero of the clock, which is the earliest
  /// one seen before the first conversion.
  void see(uint64_t ticks);
  /// Whether `ticks` is of the same recording as the first one.
  bool isNear(uint64_t ticks) const;
  /// From the zero; sticks at the ends of the range.
  int64_t toPs(uint64_t ticks) const;
  int64_t toDuration(uint64_t ticks) const;

private:
  uint64_t hz = kDefaultHz;
  std::optional<uint64_t> first;
  uint64_t origin = 0;
  mutable bool isFixed = false;
};

/// Collects what the files of one rank hold. Readers may be called in any
/// order; finish() passes everything to the profile.
///
/// Memory grows with the events (40 bytes each), because the files of a
/// recording are not in one order of time.
class Recording {
public:
  explicit Recording(profile::ProfileBuilder &builder) : builder(builder) {}

  /// The number of a name in the job's record; kNone for "".
  uint32_t addName(llvm::StringRef name);
  /// The facts of the op `name`, added when absent.
  profile::OpFacts &getOp(llvm::StringRef name) {
    return job.ops[getOpNumber(name)];
  }
  /// Its position in JobRecord::ops.
  uint32_t getOpNumber(llvm::StringRef name);
  /// The op's type: what the files say, else what its name says.
  std::string getOpType(const profile::OpFacts &op) const;
  /// The key of the op at that position of JobRecord::ops.
  uint32_t getOpKey(uint32_t op);

  /// Adds an event to a track; events that overlap are spread over several.
  /// `op` is a position in JobRecord::ops, or kNone if its time is not that of
  /// a measured op.
  void addEvent(llvm::StringRef track, llvm::StringRef name, uint32_t op,
                int64_t beginPs, int64_t endPs);
  /// Adds the sum of several executions of an op whose single times are not
  /// known. An op must not have both events and sums.
  void addTotal(uint32_t op, uint64_t count, int64_t sumPs);
  /// The executions of each op of JobRecord::ops so far, with those in sums.
  std::vector<uint64_t> countRuns() const;
  /// Adds a step, also as an event; a step that is too long is a loss.
  void addStep(const profile::StepPoints &step);
  /// The same of a collective, without an event.
  void addCollective(const profile::Collective &collective);

  void addFact(llvm::StringRef name, const llvm::Twine &value) {
    builder.getRun().facts.emplace_back(name.str(), value.str());
  }
  void addLoss(llvm::StringRef name, uint64_t count, int64_t timePs = 0) {
    if (count)
      builder.loss(name, count, timePs);
  }

  /// Passes the events on, in order, and completes the run: call it once.
  void finish();

  profile::ProfileBuilder &builder;
  profile::JobRecord job;
  TickClock clock;
  /// Whether events with ops were added: tables of their sums then say the same
  /// again.
  bool hasOpEvents = false;

private:
  struct Pending {
    int64_t beginPs;
    int64_t endPs;
    uint32_t track;
    uint32_t name;
    uint32_t op;
    /// Position in JobRecord::steps, or kNone.
    uint32_t step;
  };
  profile::OpKey makeKey(uint32_t op) const;
  uint32_t getTrackNumber(llvm::StringRef track);
  void addFlops();

  llvm::StringMap<uint32_t> names;
  llvm::StringMap<uint32_t> ops;
  std::vector<uint32_t> keyOfOp;
  llvm::StringMap<uint32_t> trackNumbers;
  std::vector<std::string> tracks;
  std::vector<Pending> pending;
  struct Total {
    uint64_t count = 0;
    int64_t sumPs = 0;
  };
  std::map<uint32_t, Total> totals;
};

} // namespace mlirprof::importer::mindspore

#endif // MLIR_PROF_LIB_IMPORT_MINDSPORE_RECORDING_H
