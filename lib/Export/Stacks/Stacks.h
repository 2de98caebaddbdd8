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

/// Assigns stacks to measured ops. To add a kind, add a file and a line in
/// Stacks.cpp.
class StackRule {
public:
  virtual ~StackRule();

  /// The ownership that determines which ops own the time of an op key; null
  /// for none.
  virtual const attribution::Ownership *getOwnership() const = 0;
  /// Appends the stack of the measurements of op key `key`, outermost first:
  /// for the part that `owner` (an index into the ownership's ops) owns, or for
  /// all of it if kNone.
  virtual void getStack(uint32_t key, uint32_t owner, StackTree &tree,
                        llvm::SmallVectorImpl<uint32_t> &stack) = 0;
};

/// Each fails if the profile does not contain the data for such stacks.
llvm::Expected<std::unique_ptr<StackRule>>
makeModuleStacks(const ExportInput &input);
llvm::Expected<std::unique_ptr<StackRule>>
makeSourceStacks(const ExportInput &input);
llvm::Expected<std::unique_ptr<StackRule>>
makeLevelStacks(const ExportInput &input);
llvm::Expected<std::unique_ptr<StackRule>>
makeLoopStacks(const ExportInput &input);

/// The self times of all scopes, by the scopes around them. Fails if there is
/// none.
llvm::Expected<StackTree> buildScopeStacks(const ExportInput &input);
/// Whether every run has scopes, and no module explains them better.
bool hasScopesOnly(const ExportInput &input);

/// The kind of stacks of a format that was not asked for one.
inline StackKind getStackKind(const ExportInput &input) {
  return input.stacks.value_or(hasScopesOnly(input) ? StackKind::Scope
                                                    : StackKind::Module);
}

/// The time (OpSummary::getTimePs) of all measured ops over all runs, as stacks
/// of `kind`. The time of an op with several owners is split among them, and so
/// is its count: both add up exactly to the profile's totals. Fails if no op
/// has time.
llvm::Expected<StackTree> buildStacks(const ExportInput &input, StackKind kind);

/// The nodes whose own time is above 0, for formats that support only these;
/// counts nodes below 0 as a loss.
std::vector<uint32_t> getTimedNodes(const StackTree &tree,
                                    const ExportInput &input);

/// Appends the components of a path separated by '/'.
void pushPath(llvm::StringRef path, StackTree &tree,
              llvm::SmallVectorImpl<uint32_t> &stack);
/// Appends a profile's description of an op key itself: where it was measured,
/// and its name.
void pushKey(const profile::OpKey &key, StackTree &tree,
             llvm::SmallVectorImpl<uint32_t> &stack);
/// "stablehlo.add (mlp/add)", with its source position.
uint32_t addOpFrame(const attribution::MlirOp &op, StackTree &tree);

} // namespace mlirprof::exporter

#endif // MLIR_PROF_LIB_EXPORT_STACKS_STACKS_H
