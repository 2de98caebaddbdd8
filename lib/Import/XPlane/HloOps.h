//===- HloOps.h - Measured HLO instructions ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_XPLANE_HLOOPS_H
#define MLIR_PROF_LIB_IMPORT_XPLANE_HLOOPS_H

#include "Stats.h"
#include "mlir-prof/Profile/EventSink.h"
#include "mlir-prof/Profile/HloModule.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <memory>
#include <tuple>

namespace mlirprof::importer::xplane {

/// The instructions that events measured: finds their op keys, reports the
/// consumers of their results to the sink, and records which do not have an HLO
/// proto.
class HloOps {
public:
  /// `modules` must not change anymore.
  HloOps(profile::EventSink &sink, const Texts &texts,
         llvm::ArrayRef<profile::HloModule> modules)
      : sink(sink), texts(texts), modules(modules) {}

  /// Index of the instruction that `stats` (with hloOp set) identify. `last` is
  /// the result for the previous event of the same name, or kNone: nearly
  /// always the same.
  uint32_t get(const EventStats &stats, uint32_t last) {
    if (last != trace::kNone && isSame(entries[last], stats))
      return last;
    return find(stats);
  }

  /// The same for `work` of a device, an event whose name is the text `kernel`.
  uint32_t getWork(const EventStats &stats, uint32_t kernel,
                   profile::DeviceWork work) {
    return find(stats, kernel, work);
  }
  /// Whether the program has the instruction that `stats` name.
  bool isInProgram(const EventStats &stats);

  /// Counts one event of instruction `index`; returns its op key in the sink.
  uint32_t count(uint32_t index, int64_t durationPs);

  /// Reports, as losses, the modules without a proto and the instructions
  /// missing in theirs.
  void reportMissing();

private:
  struct Entry {
    uint32_t hloOp = trace::kNone;
    uint32_t hloModule = trace::kNone;
    int64_t programId = 0;
    bool hasProgramId = false;
    /// For work of a device: its kernel's name as a text.
    uint32_t kernel = trace::kNone;
    profile::DeviceWork work = profile::DeviceWork::None;
    std::optional<int64_t> getProgramId() const {
      return hasProgramId ? std::optional(programId) : std::nullopt;
    }
    bool hasProto = false;
    bool isInProto = false;
    uint32_t sinkOp = trace::kNone;
    /// Next entry with the same hash.
    uint32_t next = trace::kNone;
    uint64_t events = 0;
    int64_t timePs = 0;
  };

  static bool isSame(const Entry &entry, const EventStats &stats,
                     uint32_t kernel = trace::kNone,
                     profile::DeviceWork work = profile::DeviceWork::None) {
    return entry.kernel == kernel && entry.work == work &&
           entry.hloOp == stats.hloOp && entry.hloModule == stats.hloModule &&
           entry.programId == stats.getProgramId() &&
           entry.hasProgramId == stats.has(StatKind::ProgramId);
  }
  uint32_t find(const EventStats &stats, uint32_t kernel = trace::kNone,
                profile::DeviceWork work = profile::DeviceWork::None);
  void resolve(Entry &entry);
  const profile::HloModule *findModule(const Entry &entry) const;
  uint32_t getScope(const Entry &entry, const profile::HloModule &module);
  void addConsumers(const Entry &entry, const profile::HloModule &module,
                    uint32_t instruction, profile::OpKey key);
  const profile::HloIndex &getIndex(const profile::HloModule &module);

  profile::EventSink &sink;
  const Texts &texts;
  profile::HloModuleTable modules;
  std::vector<Entry> entries;
  trace::IntegerMap byHash;
  llvm::DenseMap<const profile::HloModule *, std::unique_ptr<profile::HloIndex>>
      indices;
  /// The common part of a module's op keys: the module and its name in events.
  /// Numbered, to look up the op key of an instruction by numbers.
  std::map<std::tuple<const profile::HloModule *, uint32_t, bool, int64_t>,
           uint32_t>
      scopes;
  /// Op key in the sink for each (scope, instruction).
  trace::IntegerMap sinkOps;
  /// Number of instructions with more consumers than the limit.
  uint64_t cutConsumers = 0;
};

} // namespace mlirprof::importer::xplane

#endif // MLIR_PROF_LIB_IMPORT_XPLANE_HLOOPS_H
