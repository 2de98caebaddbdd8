//===- Groups.h - Which ops one dispatch computes ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_DISPATCH_GROUPS_H
#define MLIR_PROF_LIB_CODEGEN_DISPATCH_GROUPS_H

#include "mlir-prof/Codegen/Target.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace mlirprof::codegen {

/// The side that an op belongs to.
enum class OpPlace {
  /// It stays on the host side: control flow, calls, arithmetic of sizes.
  Host,
  /// It is computed by a kernel.
  Kernel,
  /// Each kernel that needs its result has a copy of it: scalar and small
  /// constants, empty tensors, fills of these, slices.
  EachKernel,
  /// It only changes the type of its operand, and costs nothing on either side:
  /// it stays on the host side at the border of a group.
  View
};

OpPlace getPlace(mlir::Operation *op);

/// Whether kernels that need `value` compute it themselves, if `isKnown` says
/// which values they have already.
bool isMadeInKernel(mlir::Value value,
                    llvm::function_ref<bool(mlir::Value)> isKnown);

/// The number of ops of a group: with more code, LLVM takes longer than the
/// saved dispatches do.
constexpr size_t kMostGroupOps = 32;

/// The ops of a block that one dispatch computes, in their order. Only results
/// of the last one are used by other ops.
struct DispatchGroup {
  std::vector<mlir::Operation *> ops;
  mlir::Operation *getLast() const { return ops.back(); }
};

/// The groups of `block`, in the order of their last ops. Ops of nested blocks
/// belong to the ops around them.
std::vector<DispatchGroup> findGroups(mlir::Block &block,
                                      const TargetModel &target);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_DISPATCH_GROUPS_H
