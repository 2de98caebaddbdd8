//===- Stats.h - Stats of events --------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_XPLANE_STATS_H
#define MLIR_PROF_LIB_IMPORT_XPLANE_STATS_H

#include "../Common/Wire.h"
#include "IdTable.h"
#include "llvm/ADT/StringMap.h"

#include <array>
#include <optional>

namespace mlirprof::importer::xplane {

/// The stats that identify an event.
enum class StatKind : uint8_t {
  Other,
  /// Not described in the file.
  Unknown,
  HloOp,
  HloModule,
  /// "kind_src:pinned kind_dst:device size:4096 dest:0 async:1", or
  /// "kind:device size:4096 async:1" of memory that is set.
  CopyDetails,
  /// Those from here on are integers.
  ProgramId,
  RunId,
  DeviceOrdinal,
  FlowOut,
  FlowIn,
  StepNumber,
  Correlation,
  GraphId,
  GraphNode,
  HloProto,
};

StatKind classifyStat(llvm::StringRef name);

struct StatMetadata {
  llvm::StringRef name;
  StatKind kind = StatKind::Other;
  /// The name as an index of Texts, for stats that refer to it as their value.
  uint32_t text = trace::kNone;
};

/// Strings that are values of stats, each stored once, by index.
class Texts {
public:
  uint32_t get(llvm::StringRef string);
  llvm::StringRef operator[](uint32_t text) const { return strings[text]; }

private:
  llvm::StringMap<uint32_t> numbers;
  /// The keys of `numbers`, whose addresses are stable.
  std::vector<llvm::StringRef> strings;
};

/// One value of a stat; its type may change from event to event.
struct StatValue {
  enum class Type : uint8_t {
    None,
    Double,
    Unsigned,
    Signed,
    String,
    Bytes,
    Reference,
    Compressed
  };

  Type type = Type::None;
  /// Signed and Unsigned; the id for Reference.
  uint64_t integer = 0;
  double real = 0;
  llvm::StringRef bytes;

  /// The value as 64 bits: unsigned ones keep their bits, strings are parsed,
  /// doubles must be integral.
  std::optional<uint64_t> getInteger() const;
};

/// Reads one XStat: its metadata id, then its value.
int64_t readStat(ProtoReader reader, StatValue &value);

/// The relevant stats of one event.
struct EventStats {
  /// One bit per StatKind that is present.
  uint16_t present = 0;
  uint32_t hloOp = trace::kNone;
  uint32_t hloModule = trace::kNone;
  uint32_t copyDetails = trace::kNone;
  /// Values of the kinds from ProgramId on.
  std::array<uint64_t, 10> integers = {};

  /// Values whose bit is not set are left unchanged, except identities, which
  /// are used even if absent.
  void clear() {
    present = 0;
    hloOp = hloModule = copyDetails = trace::kNone;
    integers[0] = 0;
  }
  bool has(StatKind kind) const { return present & (1u << unsigned(kind)); }
  /// The value of a stat that is an integer.
  uint64_t get(StatKind kind) const {
    return integers[unsigned(kind) - unsigned(StatKind::ProgramId)];
  }
  int64_t getProgramId() const { return int64_t(get(StatKind::ProgramId)); }
  void set(StatKind kind, uint64_t value) {
    integers[unsigned(kind) - unsigned(StatKind::ProgramId)] = value;
    present |= 1u << unsigned(kind);
  }
};

/// The leading stats of an event with some id, up to the first of a flow, a
/// launch or a step: the next event mostly begins with the same bytes.
struct StatPrefix {
  static constexpr size_t kMaxSize = 64;

  /// A copy, since the file's memory is released after reading.
  std::array<char, kMaxSize> bytes;
  uint8_t size = 0;
  /// Number of events that began with it.
  uint32_t uses = 0;
  EventStats stats;

  bool fits(llvm::StringRef other) const {
    return size && other.starts_with(llvm::StringRef(bytes.data(), size));
  }
};

/// Reads stats of events, and resolves references to names.
class StatReader {
public:
  StatReader(IdTable<StatMetadata> &metadata, Texts &texts,
             MemoryBudget &inflation);

  /// Adds the stats in `bytes`, the fields of an XEvent from its first stat on,
  /// to `stats`, which so far depends only on the event's id. `prefix` is kept
  /// for events with that id, or null if they do not measure an instruction.
  /// `fileEnd` is the end of the mapped file.
  void readOfEvent(llvm::StringRef bytes, const char *fileEnd,
                   StatPrefix *prefix, EventStats &stats);
  /// Adds the stats in `bytes`, an XEventMetadata, to `stats`.
  void readOfMetadata(llvm::StringRef bytes, EventStats &stats);

  /// The value as text: strings and references unchanged, compressed strings
  /// inflated, numbers printed.
  std::string print(const StatValue &value);

  /// Number of stats with an unusable value: a dangling reference, a fraction,
  /// ...
  uint64_t getUnusable() const { return unusable; }
  /// Number of event fields after the stats, which were not read.
  uint64_t getMisplaced() const { return misplaced; }

private:
  void readFields(llvm::StringRef bytes, const char *fileEnd,
                  EventStats &stats);
  void readAndLearn(llvm::StringRef bytes, const char *fileEnd,
                    StatPrefix &prefix, EventStats &stats);
  size_t findPrefix(llvm::StringRef bytes, const StatPrefix &last) const;
  void readOne(llvm::StringRef message, EventStats &stats);
  void store(StatKind kind, const StatValue &value, EventStats &stats);
  uint32_t getText(const StatValue &value);

  IdTable<StatMetadata> *metadata;
  Texts *texts;
  MemoryBudget *inflation;
  /// For ids that fit into one byte.
  std::array<StatKind, 128> kinds;
  uint64_t unusable = 0;
  uint64_t misplaced = 0;
};

} // namespace mlirprof::importer::xplane

#endif // MLIR_PROF_LIB_IMPORT_XPLANE_STATS_H
