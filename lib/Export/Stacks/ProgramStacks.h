//===- ProgramStacks.h - Stacks of compiled models --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_EXPORT_STACKS_PROGRAMSTACKS_H
#define MLIR_PROF_LIB_EXPORT_STACKS_PROGRAMSTACKS_H

#include "Stacks.h"
#include "mlir-prof/Attribution/Instances.h"
#include "mlir-prof/Report/ProgramTimes.h"

namespace mlirprof::exporter {

/// The common part of stacks for recordings by mlir-prof: the ops of one level
/// own the time, and loops are split as described in
/// Attribution/ProgramMatch.h.
class ProgramStacks : public StackRule {
public:
  ProgramStacks(const ExportInput &input, llvm::StringRef level)
      : input(input), programs(input.profile), instances(input.profile),
        match(attribution::matchProgramRows(input.profile, level)) {}

  const attribution::Ownership *getOwnership() const override {
    return &match.ownership;
  }
  void getStack(uint32_t key, uint32_t owner, StackTree &tree,
                llvm::SmallVectorImpl<uint32_t> &stack) override;

protected:
  /// Appends the stack of a node of a program when `instance`, a dispatch, ran
  /// it; for kNone, of any.
  virtual void pushNode(uint32_t program, uint32_t node, uint32_t instance,
                        StackTree &tree,
                        llvm::SmallVectorImpl<uint32_t> &stack) = 0;
  /// Whether the measured key, an instruction, is shown below the node.
  virtual bool showsKeys() const { return false; }

  const ExportInput &input;
  report::ProgramIndex programs;
  attribution::ProfileInstances instances;
  attribution::ProgramMatch match;
};

/// The best level for showing loops: "loops", else the last one with loops,
/// else the first; "" without programs.
std::string chooseLoopLevel(const profile::Profile &profile);

/// "linalg.matmul (mlp/fc1)", or a function's symbol.
uint32_t addNodeFrame(const profile::Program &program, uint32_t node,
                      StackTree &tree);

} // namespace mlirprof::exporter

#endif // MLIR_PROF_LIB_EXPORT_STACKS_PROGRAMSTACKS_H
