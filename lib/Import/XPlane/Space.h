//===- Space.h - The parts of an XSpace -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_XPLANE_SPACE_H
#define MLIR_PROF_LIB_IMPORT_XPLANE_SPACE_H

#include "../Common/Wire.h"
#include "IdTable.h"
#include "Stats.h"
#include "mlir-prof/Support/Loss.h"

namespace mlirprof::importer::xplane {

/// One XEventMetadata: the common part of events with one id. Everything but
/// the message is filled in on demand, for the first event.
struct EventMetadata {
  enum class Kind : uint8_t {
    Plain,
    /// "end: X", the report that an asynchronous instruction has completed.
    End,
    /// One execution of an XLA:CPU executable.
    Execute,
    /// Memory that an allocator gave, or took back.
    Allocation,
    Deallocation,
  };

  llvm::StringRef message;
  bool isResolved = false;
  /// Created for an id that is not described in the file.
  bool isStray = false;
  Kind kind = Kind::Plain;
  /// Index of the name in the sink.
  uint32_t name = trace::kNone;
  /// Op key of a framework's op, for events without an instruction.
  uint32_t frameworkOp = trace::kNone;
  /// The instruction that its last event measured: an index of HloOps.
  uint32_t lastHloOp = trace::kNone;
  /// The instruction's name, if only the metadata contains it.
  uint32_t opText = trace::kNone;
  EventStats stats;
  StatPrefix prefix;
};

/// One XPlane, with its fields located but not yet read: its metadata may
/// follow its lines.
struct Plane {
  llvm::StringRef name;
  std::vector<llvm::StringRef> lines;
  std::vector<llvm::StringRef> stats;
  IdTable<EventMetadata> eventMetadata;
  IdTable<StatMetadata> statMetadata;
};

struct Space {
  std::vector<Plane> planes;
  std::vector<llvm::StringRef> errors;
  std::vector<llvm::StringRef> warnings;
  std::vector<llvm::StringRef> hostnames;
  /// Number of fields whose type deviates from the format; they are skipped.
  uint64_t mistypedFields = 0;
  /// Limit on the total inflated size of compressed stats.
  MemoryBudget inflation{uint64_t(256) << 20};
};

/// Locates the fields of `bytes`. Throws protozero's exceptions; `position` is
/// updated while reading.
Space readSpace(llvm::StringRef bytes, const char *&position);

} // namespace mlirprof::importer::xplane

#endif // MLIR_PROF_LIB_IMPORT_XPLANE_SPACE_H
