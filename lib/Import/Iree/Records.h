//===- Records.h - One record of IREE's profiles ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_IREE_RECORDS_H
#define MLIR_PROF_LIB_IMPORT_IREE_RECORDS_H

#include "mlir-prof/Trace/Event.h"
#include "llvm/ADT/StringRef.h"

#include <simdjson.h>

namespace mlirprof::importer::iree {

enum class RecordType : uint8_t {
  Schema,
  /// Descriptions of devices, queues, executables. Events repeat the names.
  Description,
  CommandOperation,
  /// A dispatch, on a device's clock.
  DispatchEvent,
  /// Work of a queue that the host did.
  HostExecutionEvent,
  /// Commands between two barriers.
  CommandRegionEvent,
  Other,
};

/// The kind of an interval; each kind has its own tracks.
enum class IntervalKind : uint8_t { Dispatch, QueueWork, Region };

/// "dispatches".
llvm::StringRef getKindName(IntervalKind kind);

/// The known fields of all records.
struct Record {
  RecordType type = RecordType::Other;
  std::string typeName;
  /// The operation of a queue: "dispatch", "alloca".
  std::string op;
  /// The exported function; empty if null.
  std::string key;
  uint64_t schemaVersion = 0;
  uint64_t device = 0;
  uint64_t queue = 0;
  uint64_t stream = 0;
  uint64_t submission = 0;
  uint64_t commandBuffer = 0;
  uint64_t executable = 0;
  uint64_t function = 0;
  uint64_t region = 0;
  uint64_t status = 0;
  uint32_t command = trace::kNone;
  int64_t beginNs = 0;
  int64_t durationNs = 0;
  bool hasBegin = false;
  bool hasDuration = false;
  bool hasTicks = false;
  bool isValid = true;
};

/// Reads the fields of one line. Fields that are missing or of an unexpected
/// type remain unchanged.
simdjson::error_code readRecord(simdjson::ondemand::object &object,
                                Record &record);

/// The name of an interval: the exported function, else the operation.
std::string getShownName(const Record &record, IntervalKind kind);

} // namespace mlirprof::importer::iree

#endif // MLIR_PROF_LIB_IMPORT_IREE_RECORDS_H
