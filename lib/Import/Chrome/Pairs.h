//===- Pairs.h - Pairing begins with ends -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_CHROME_PAIRS_H
#define MLIR_PROF_LIB_IMPORT_CHROME_PAIRS_H

#include "mlir-prof/Trace/Event.h"
#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace mlirprof::importer::chrome {

enum class PairKind : uint8_t {
  /// B and E: one stack per thread.
  Thread,
  /// b and e: one stack per category, id and scope.
  Async,
};

/// A begin without its end so far.
struct OpenEvent {
  int64_t beginPs = 0;
  uint64_t id = 0;
  uint32_t track = 0;
  uint32_t name = 0;
  uint32_t detail = 0;
  uint32_t kind = 0;
};

/// The begins that wait for their ends.
class Pairs {
public:
  void begin(llvm::StringRef key, const OpenEvent &event) {
    stacks[key].push_back(event);
    ++open;
  }

  /// Removes the begin that belongs to an end: the last one of `key`, or the
  /// last one with the end's name if it has one (kNone if not). False if there
  /// is none.
  bool end(llvm::StringRef key, uint32_t name, OpenEvent &event);

  uint64_t getOpen() const { return open; }
  /// Number of ends that closed a begin other than the last.
  uint64_t getCrossed() const { return crossed; }
  /// Time until `untilPs` from begins without an end.
  int64_t getOpenPs(int64_t untilPs) const;

private:
  llvm::StringMap<std::vector<OpenEvent>> stacks;
  uint64_t open = 0;
  uint64_t crossed = 0;
};

} // namespace mlirprof::importer::chrome

#endif // MLIR_PROF_LIB_IMPORT_CHROME_PAIRS_H
