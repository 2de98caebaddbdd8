//===- Stacks.h - Samples of call stacks ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_COMMON_STACKS_H
#define MLIR_PROF_LIB_IMPORT_COMMON_STACKS_H

#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Profile/ProfileBuilder.h"
#include "mlir-prof/Support/MemoryBudget.h"
#include "mlir-prof/Trace/IntegerMap.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace mlirprof::importer {

/// The sums over the samples of one stack. Negative values are not accepted.
struct StackValues {
  /// Number of records in the file: one, until they are added up.
  uint64_t records = 1;
  int64_t samples = 0;
  int64_t timePs = 0;
  int64_t bytes = 0;
  int64_t cycles = 0;

  void add(const StackValues &other);
};

/// Adds up samples of call stacks: the innermost frame is the measured op, the
/// frames around it are its scope.
class Stacks {
public:
  /// Limit on the frames kept per stack, the innermost ones; recursions may
  /// have more.
  static constexpr size_t kMostFrames = 512;

  /// The size of `input` bounds the memory used.
  Stacks(profile::ProfileBuilder &builder, const ImportInput &input);

  /// Which quantities the recording has.
  bool hasSamples = false;
  bool hasTime = false;
  bool hasBytes = false;
  bool hasCycles = false;

  uint32_t addFrame(llvm::StringRef name) { return builder.addName(name); }
  /// Adds a sample of a stack, the innermost frame first. False if the stacks
  /// need far more memory than the file: it is damaged.
  [[nodiscard]] bool add(llvm::ArrayRef<uint32_t> frames,
                         const StackValues &values);
  /// Adds a sample of an op that is identified by more than its stack. Returns
  /// its op key.
  uint32_t add(profile::OpKey key, const StackValues &values);
  /// The stack that was added last, and the op key of such a stack.
  uint32_t getLast() const { return last; }
  uint32_t getOp(uint32_t stack) {
    return builder.addOpKey(makeKey(nodes[stack]));
  }
  /// The error of exceeding the memory budget.
  llvm::Error tooLarge(llvm::StringRef where) const;

  /// Passes everything to the profile; call it once.
  void finish();

  /// The time per sample if the recording does not contain times, or 0. Known
  /// after all samples.
  int64_t getSamplePeriod() const {
    return hasSamples && !hasTime && periodPs > 0 ? periodPs : 0;
  }

private:
  struct Node {
    uint32_t parent = trace::kNone;
    uint32_t frame = trace::kNone;
    StackValues values = none();
  };
  static StackValues none() {
    StackValues values;
    values.records = 0;
    return values;
  }

  uint32_t find(llvm::ArrayRef<uint32_t> frames);
  profile::OpKey makeKey(const Node &node) const;
  void finishOp(uint32_t op, const StackValues &values);

  profile::ProfileBuilder &builder;
  MemoryBudget budget;
  /// The time per sample if the recording does not contain times; or 0.
  int64_t periodPs;
  /// The first one is the stack without frames.
  std::vector<Node> nodes;
  trace::IntegerMap children;
  uint32_t last = 0;
  std::map<uint32_t, StackValues> known;
  uint64_t negative = 0;
  uint64_t cutStacks = 0;
};

/// Picoseconds per `unit` ("nanoseconds", "ms"), or 0 if it is not a unit of
/// time.
int64_t getPsPerUnit(llvm::StringRef unit);

} // namespace mlirprof::importer

#endif // MLIR_PROF_LIB_IMPORT_COMMON_STACKS_H
