//===- Stacks.h - The stacks of a profile -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_EXPORT_STACKS_STACKS_H
#define MLIR_PROF_LIB_EXPORT_STACKS_STACKS_H

#include "StackTree.h"
#include "mlir-prof/Export/Exporter.h"

#include <memory>

namespace mlirprof::exporter {

/// Gives measured ops their stacks. Adding a kind is a file and a line in
/// Stacks.cpp.
class StackRule {
public:
  virtual ~StackRule();

  /// What says which ops own the time of an op key; null for none.
  virtual const attribution::Ownership *getOwnership() const = 0;
  /// Appends the stack of what the op key `key` measured, outermost first: of
  /// the part that `owner` (an index into the ownership's ops) owns, or of all
  /// of it for kNone.
  virtual void getStack(uint32_t key, uint32_t owner, StackTree &tree,
                        llvm::SmallVectorImpl<uint32_t> &stack) = 0;
};

/// They fail when the profile does not know what such stacks go by.
llvm::Expected<std::unique_ptr<StackRule>>
makeModuleStacks(const ExportInput &input);
llvm::Expected<std::unique_ptr<StackRule>>
makeSourceStacks(const ExportInput &input);
llvm::Expected<std::unique_ptr<StackRule>>
makeLevelStacks(const ExportInput &input);
llvm::Expected<std::unique_ptr<StackRule>>
makeLoopStacks(const ExportInput &input);

/// The time (OpSummary::getTimePs) of all measured ops over all runs, as
/// stacks of `kind`. That of an op with several owners is split among them, and
/// so is its count: both add up to exactly those of the profile. Fails when
/// there is no time of any op.
llvm::Expected<StackTree> buildStacks(const ExportInput &input, StackKind kind);

/// The nodes whose own time is above 0, for formats that know no other; counts
/// those below as a loss.
std::vector<uint32_t> getTimedNodes(const StackTree &tree,
                                    const ExportInput &input);

/// Appends the parts of a path that '/' separates.
void pushPath(llvm::StringRef path, StackTree &tree,
              llvm::SmallVectorImpl<uint32_t> &stack);
/// Appends what a profile says of an op key itself: where it was measured, and
/// its name.
void pushKey(const profile::OpKey &key, StackTree &tree,
             llvm::SmallVectorImpl<uint32_t> &stack);
/// "stablehlo.add (mlp/add)", with its source position.
uint32_t addOpFrame(const attribution::MlirOp &op, StackTree &tree);

} // namespace mlirprof::exporter

#endif // MLIR_PROF_LIB_EXPORT_STACKS_STACKS_H
