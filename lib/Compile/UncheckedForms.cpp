//===- UncheckedForms.cpp - Forms of ops that are not checked -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UncheckedForms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlirprof;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Whether memory of `type` has addresses in it, which need not be set.
static bool holdsBuffers(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && isa<ShapedType>(shaped.getElementType()) &&
         !isa<VectorType>(shaped.getElementType());
}

/// Whether a buffer has its rows one after the other.
static bool isPlain(Type type) {
  auto buffer = dyn_cast<MemRefType>(type);
  return !buffer || buffer.getLayout().isIdentity();
}

static bool hasRank(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return !shaped || shaped.hasRank();
}

/// Whether a buffer of type `to` has an offset or a stride that one of type
/// `from` need not have.
static bool claimsStrides(MemRefType from, MemRefType to) {
  SmallVector<int64_t> strides, claimed;
  int64_t offset, claimedOffset;
  if (failed(from.getStridesAndOffset(strides, offset)) ||
      failed(to.getStridesAndOffset(claimed, claimedOffset)))
    return true;
  strides.push_back(offset);
  claimed.push_back(claimedOffset);
  return llvm::any_of(llvm::zip_equal(strides, claimed), [](auto pair) {
    auto [known, other] = pair;
    return !ShapedType::isDynamic(other) && other != known;
  });
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static bool isUncheckedCast(Value from, Type to) {
  if (!hasRank(from.getType()))
    return hasRank(to);
  auto source = dyn_cast<MemRefType>(from.getType());
  auto target = dyn_cast<MemRefType>(to);
  return source && target && claimsStrides(source, target);
}

/// Whether one of the indices of a structured op is not linear in its loops,
/// such as a remainder.
static bool hasOddIndex(linalg::LinalgOp op) {
  return llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) {
    bool isOdd = false;
    map.walkExprs([&](AffineExpr expr) {
      isOdd |= !expr.isPureAffine() || expr.getKind() == AffineExprKind::Mod ||
               expr.getKind() == AffineExprKind::FloorDiv ||
               expr.getKind() == AffineExprKind::CeilDiv;
    });
    return isOdd;
  });
}

/// Whether memory of the stack may be used after it is given back.
static bool mayEscape(memref::AllocaOp op) {
  Operation *scope =
      op->getParentWithTrait<OpTrait::AutomaticAllocationScope>();
  auto isBuffer = [](Type type) { return isa<BaseMemRefType>(type); };
  if (auto function = dyn_cast_or_null<func::FuncOp>(scope))
    return llvm::any_of(function.getResultTypes(), isBuffer);
  return !scope || llvm::any_of(scope->getResultTypes(), isBuffer);
}

/// Whether `buffer` is the only name of its memory: of an allocation, or of an
/// argument of a function that the module does not call.
static bool hasOneName(Value buffer) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  if (!argument)
    return isa<memref::AllocOp, memref::AllocaOp>(buffer.getDefiningOp());
  auto function =
      dyn_cast_or_null<func::FuncOp>(argument.getOwner()->getParentOp());
  return function && argument.getOwner()->isEntryBlock() &&
         SymbolTable::symbolKnownUseEmpty(function, function->getParentOp());
}

/// Whether `op` claims to be the only access to a buffer that has others.
static bool isSharedTensor(bufferization::ToTensorOp op) {
  Value buffer = op.getBuffer();
  return !hasOneName(buffer) ||
         llvm::any_of(buffer.getUsers(), [&](Operation *user) {
           return user != op && !isa<memref::DimOp>(user);
         });
}

bool compile::isUncheckedForm(Operation *op) {
  if (llvm::any_of(op->getResultTypes(), holdsBuffers))
    return true;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<memref::CastOp, tensor::CastOp>([](auto cast) {
        return isUncheckedCast(cast.getSource(), cast.getType());
      })
      .Case([](memref::CopyOp copy) {
        return !hasRank(copy.getSource().getType()) ||
               !hasRank(copy.getTarget().getType());
      })
      .Case([](memref::CollapseShapeOp collapse) {
        return !isPlain(collapse.getSrcType());
      })
      .Case([](memref::AllocaOp alloca) {
        return !isPlain(alloca.getType()) || mayEscape(alloca);
      })
      .Case<memref::AllocOp, memref::GetGlobalOp, bufferization::ToBufferOp>(
          [](auto made) { return !isPlain(made.getType()); })
      .Case([](bufferization::ToTensorOp tensor) {
        return isSharedTensor(tensor);
      })
      .Case([](bufferization::MaterializeInDestinationOp copy) {
        return isa<UnrankedMemRefType>(copy.getDest().getType());
      })
      .Case([](affine::AffineDelinearizeIndexOp index) {
        return !index.getDynamicBasis().empty();
      })
      .Case([](affine::AffineLinearizeIndexOp index) {
        return index.getDisjoint();
      })
      .Case([](linalg::LinalgOp structured) { return hasOddIndex(structured); })
      .Default([](Operation *) { return false; });
}
