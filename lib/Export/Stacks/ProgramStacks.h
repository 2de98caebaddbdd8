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
#include "mlir-prof/Report/ProgramTimes.h"

namespace mlirprof::exporter {

/// What stacks of recordings of our own have in common: the ops of one level
/// own the time, and loops are split as Attribution/ProgramMatch.h says.
class ProgramStacks : public StackRule {
public:
  ProgramStacks(const ExportInput &input, llvm::StringRef level)
      : input(input), programs(input.profile),
        match(attribution::matchProgramRows(input.profile, level)) {}

  const attribution::Ownership *getOwnership() const override {
    return &match.ownership;
  }
  void getStack(uint32_t key, uint32_t owner, StackTree &tree,
                llvm::SmallVectorImpl<uint32_t> &stack) override;

protected:
  /// Appends the stack of a node of a program.
  virtual void pushNode(uint32_t program, uint32_t node, StackTree &tree,
                        llvm::SmallVectorImpl<uint32_t> &stack) = 0;
  /// Whether what was measured stands below the node: an instruction.
  virtual bool showsKeys() const { return false; }

  const ExportInput &input;
  report::ProgramIndex programs;
  attribution::ProgramMatch match;
};

/// The level that loops are best shown at: "loops", else the last that has
/// some, else the first; "" without programs.
std::string chooseLoopLevel(const profile::Profile &profile);

/// "linalg.matmul (mlp/fc1)", or of a function its symbol.
uint32_t addNodeFrame(const profile::Program &program, uint32_t node,
                      StackTree &tree);

} // namespace mlirprof::exporter

#endif // MLIR_PROF_LIB_EXPORT_STACKS_PROGRAMSTACKS_H
