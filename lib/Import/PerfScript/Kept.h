//===- Kept.h - Samples one by one ------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFSCRIPT_KEPT_H
#define MLIR_PROF_LIB_IMPORT_PERFSCRIPT_KEPT_H

#include "../Common/Json/Decimal.h"
#include "../Common/Lanes.h"
#include "../Common/Stacks.h"
#include "Lines.h"

#include <map>
#include <optional>

namespace mlirprof::importer::perfscript {

/// Keeps samples as events of their threads, for a timeline.
class KeptSamples {
public:
  /// The origin of a sample's op key: the key itself, or its stack
  /// (Stacks::getLast) if that is kNone; and its name.
  struct Origin {
    uint32_t op = trace::kNone;
    uint32_t stack = 0;
    uint32_t name = 0;
  };

  /// Takes a sample, which represents `timePs` before it; these may be 0.
  void add(const Header &header, const Origin &from, int64_t timePs);
  /// Passes all samples to `builder`; call once, after the last sample.
  void finish(Stacks &stacks, profile::ProfileBuilder &builder);

private:
  struct Thread {
    std::string name;
    LaneEvents events;
  };

  /// By thread. Events refer to their op by its position in `origins` until the
  /// end.
  std::map<int64_t, Thread> threads;
  std::vector<Origin> origins;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> known;
  std::optional<json::WidePs> origin;
  int64_t earliestPs = 0;
  uint64_t withoutTime = 0;
};

} // namespace mlirprof::importer::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_KEPT_H
