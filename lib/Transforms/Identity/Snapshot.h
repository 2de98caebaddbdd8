//===- Snapshot.h - The nodes of one level ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_IDENTITY_SNAPSHOT_H
#define MLIR_PROF_LIB_TRANSFORMS_IDENTITY_SNAPSHOT_H

#include "NodeDescription.h"
#include "mlir-prof/Dialect/Prof/Identity.h"

namespace mlirprof::transforms {

/// The origins that a level lacks, for warnings.
struct LevelLosses {
  std::string level;
  uint64_t nodes = 0;
  /// Number of identities that are not in the program.
  uint64_t unknown = 0;
  /// Number of ops without an op of an earlier level as origin.
  uint64_t withoutParents = 0;
  /// Number of ops with more origins than are kept, and of the dropped origins.
  uint64_t cutOps = 0;
  uint64_t cut = 0;

  /// Warns at the place of `module`. The first level does not
  /// have origins.
  void warn(mlir::ModuleOp module, bool isFirst) const;
};

/// Whether `op` is a function that gets a node.
bool isDefinition(mlir::Operation *op);

/// Emits an error unless a level of that name, with the ops of `module`, can
/// follow the `nodes` of a program; `isKnown` tells whether it has that level.
llvm::LogicalResult checkLevel(mlir::ModuleOp module, llvm::StringRef level,
                               bool isKnown, uint64_t nodes);

/// Describes a level of a program.
class Snapshot {
public:
  /// `first` is the identity of the level's first node.
  Snapshot(mlir::MLIRContext *context, ProgramAppender &program, uint32_t first,
           prof::IdentityForm form, LocationTexts *texts)
      : describer(program, texts ? *texts : ownTexts), first(first),
        writer(context, form) {}

  /// Makes the node of `op`, and removes identities from its locations. Ops
  /// come in pre-order.
  void take(mlir::Operation *op);
  /// Gives the ops taken their identities.
  void identify();
  LevelLosses getLosses(llvm::StringRef level) const;

  std::vector<profile::ProgramNode> nodes;

private:
  std::vector<uint32_t> keepKnown(llvm::ArrayRef<uint32_t> ids);
  void removeFromArguments(mlir::Operation *op);

  LocationTexts ownTexts;
  NodeDescriber describer;
  uint32_t first;
  uint32_t position = 0;
  LevelLosses losses;
  /// Nodes of the ops with regions.
  llvm::DenseMap<mlir::Operation *, uint32_t> holders;
  /// The ops with the nodes, in their order.
  std::vector<mlir::Operation *> taken;
  /// The locations that block arguments had and get again.
  std::vector<std::pair<mlir::BlockArgument, mlir::Location>> arguments;
  prof::IdentityTable identities;
  prof::IdentityWriter writer;
  prof::IdentityNeed needsIdentity;
};

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_IDENTITY_SNAPSHOT_H
