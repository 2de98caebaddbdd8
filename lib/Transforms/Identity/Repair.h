//===- Repair.h - Identities for ops that lost theirs -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_IDENTITY_REPAIR_H
#define MLIR_PROF_LIB_TRANSFORMS_IDENTITY_REPAIR_H

#include "mlir-prof/Dialect/Prof/Identity.h"

#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace mlirprof::transforms {

/// Whether a scan collects IdentityScan::nodes.
enum class ScanKind { LostOnly, WithNodes };

/// The ops in a root and their identities at one time.
class IdentityScan {
public:
  /// `identities` must outlive the scan. Scans of one context share it, and so
  /// read each location once.
  IdentityScan(mlir::Operation *root, ScanKind kind,
               prof::IdentityTable &identities);

  /// Gives the lost ops identities, as far as possible; repaired ops leave
  /// `lost`. Removes the identities of constants. Returns the number of
  /// repaired ops.
  uint64_t repair();

  /// Number of ops that need an identity; for LostOnly, of those that lack it.
  uint64_t ops = 0;
  /// Ops without one, in pre-order.
  std::vector<mlir::Operation *> lost;
  /// All identities of the other ops as owners, ascending, no repeats; empty
  /// for LostOnly. A repair does not add any.
  std::vector<uint32_t> nodes;

  prof::Identities getIdentities(mlir::Operation *op) {
    return identities.get(op->getLoc());
  }

private:
  bool isSource(mlir::Operation *op);
  /// Gives `op` the location of `source`, if that has an identity.
  bool take(mlir::Operation *op, mlir::Operation *source);
  bool takeFromConstants(mlir::Operation *op);
  bool takeFromUsers(mlir::Operation *op);
  bool takeFromOperands(mlir::Operation *op);
  bool takeFromNeighbors(mlir::Operation *op);
  /// Applies `rule` to every lost op. Returns whether it repaired any.
  template <typename Range>
  bool sweep(Range ops, llvm::function_ref<bool(mlir::Operation *)> rule);
  bool sweepAll();
  void findNewFunction(mlir::Operation *op);
  bool repairFunctions();

  mlir::Operation *root;
  prof::IdentityTable &identities;
  /// Functions in `root` that a pass has created, by name.
  llvm::DenseMap<mlir::StringAttr, mlir::Operation *> newFunctions;
  /// Constants that have an identity, but should not.
  std::vector<mlir::Operation *> constants;
  llvm::DenseSet<mlir::Operation *> open;
};

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_IDENTITY_REPAIR_H
