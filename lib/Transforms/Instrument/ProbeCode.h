//===- ProbeCode.h - The code of inline probes ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_PROBECODE_H
#define MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_PROBECODE_H

#include "CalledProbes.h"
#include "NestedProbes.h"
#include "RuntimeModule.h"
#include "mlir-prof/Dialect/Prof/ProfOps.h"
#include "mlir-prof/Transforms/Instrument.h"

namespace mlirprof::transforms {

/// Whether code at `op` may branch, that is, its region may have several
/// blocks.
bool canBranch(mlir::Operation *op);
/// Branches to a new block, which returns, if `condition` holds, which is
/// unlikely. Code continues at `builder`'s insertion point; returns the block.
mlir::Block *branchTo(mlir::OpBuilder &builder, mlir::Location location,
                      mlir::Value condition);

/// Words of a thread's block, by offset from its base.
class BlockWords {
public:
  BlockWords(mlir::OpBuilder &builder, mlir::Location location,
             mlir::Value base)
      : builder(builder), location(location), base(base) {}

  mlir::Value getAddress(int64_t word);
  mlir::Value load(int64_t word);
  void store(int64_t word, mlir::Value value);
  /// Adds `value` and returns the previous content.
  mlir::Value add(int64_t word, mlir::Value value);
  mlir::Value constant(int64_t value);
  /// `value` if `condition` holds, else 0.
  mlir::Value onlyIf(mlir::Value condition, mlir::Value value);
  /// Whether `value` is not 0.
  mlir::Value isSome(mlir::Value value);
  mlir::Value subtract(mlir::Value a, mlir::Value b);

private:
  mlir::OpBuilder &builder;
  mlir::Location location;
  mlir::Value base;
};

/// Addresses in a thread's block.
struct BlockAddresses {
  /// Its first slot, which the header precedes.
  mlir::Value header;
  /// Where the offsets of slots, cells, and numbers of open executions count
  /// from: the same, or for code of dispatches, those of the one that runs.
  mlir::Value slots, cells, open;
};

/// Finds or creates the calls that fetch the thread's block: one at the entry
/// of each function and of each region that other threads may run.
class ThreadBlocks {
public:
  explicit ThreadBlocks(RuntimeModule &runtime) : runtime(runtime) {}
  BlockAddresses get(mlir::Operation *op);

private:
  RuntimeModule &runtime;
  llvm::DenseMap<mlir::Region *, BlockAddresses> known;
};

struct InlineOptions {
  ProbeClock clock = ProbeClock::Cycles;
  uint32_t instances = 0;
};

/// Emits inline probes.
class InlineProbes {
public:
  InlineProbes(RuntimeModule &runtime, ThreadBlocks &blocks,
               const CalledProbes &calledProbes,
               const NestedProbes &nestedProbes,
               const profile::Program &program, int64_t firstOpen,
               InlineOptions options);

  /// Lowers `begin` and the ends of its token, and erases them.
  void lower(prof::BeginOp begin);

private:
  /// The role of a probe in the sums over calls.
  struct CallSums {
    /// It sums up the time of the calls that it contains.
    bool collects = false;
    /// It is an outermost one of a function that others call: it adds its time
    /// to the caller's sum.
    bool handsOn = false;
    /// The outermost one adds its executions to the caller's sum.
    bool counted = false;
    /// It may run recursively.
    bool recurses = false;
  };
  /// State that a begin passes to its ends.
  struct Started {
    mlir::Value ticks;
    mlir::Value calledTicks;
    mlir::Value calledExecutions;
    mlir::Value executions;
    /// Number of executions of the same probe that were already open.
    mlir::Value open;
  };

  CallSums getCallSums(prof::BeginOp begin) const;
  mlir::Value readClock(mlir::OpBuilder &builder, mlir::Location location);
  Started lowerBegin(prof::BeginOp begin, CallSums sums);
  void lowerEnd(prof::EndOp end, const Started &started, CallSums sums);
  void addTicks(BlockWords &slots, int64_t slot, mlir::Value ticks,
                const Started &started);
  void keepInstance(prof::EndOp end, mlir::Value count, mlir::Value from,
                    mlir::Value to);

  RuntimeModule &runtime;
  ThreadBlocks &blocks;
  const CalledProbes &calledProbes;
  const NestedProbes &nestedProbes;
  const profile::Program &program;
  InlineOptions options;
  /// The word that holds the number of open executions of probe 0.
  int64_t firstOpen;
};

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_PROBECODE_H
