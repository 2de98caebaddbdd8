//===- GenericOps.cpp - Creating structured ops from others ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GenericOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::GenericOp;

GenericOp codegen::takeBody(RewriterBase &rewriter, linalg::LinalgOp op,
                            ValueRange inputs, ValueRange inits,
                            ArrayRef<AffineMap> maps,
                            ArrayRef<utils::IteratorType> iterators) {
  auto generic = GenericOp::create(rewriter, op.getLoc(), op->getResultTypes(),
                                   inputs, inits, maps, iterators);
  rewriter.inlineRegionBefore(op->getRegion(0), generic.getRegion(),
                              generic.getRegion().begin());
  return generic;
}

GenericOp codegen::takeBody(RewriterBase &rewriter, GenericOp op,
                            ValueRange inputs, ArrayRef<AffineMap> maps) {
  GenericOp made =
      takeBody(rewriter, cast<linalg::LinalgOp>(op.getOperation()), inputs,
               op.getDpsInits(), maps, op.getIteratorTypesArray());
  made.setDocAttr(op.getDocAttr());
  made.setLibraryCallAttr(op.getLibraryCallAttr());
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return made;
}

void codegen::eraseUnused(RewriterBase &rewriter, Block &body) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      rewriter.eraseOp(&op);
}

Value codegen::createCopy(OpBuilder &builder, Location location, Value source,
                          ArrayRef<int64_t> shape, AffineMap map) {
  Value empty = tensor::EmptyOp::create(builder, location, shape,
                                        getElementTypeOrSelf(source.getType()));
  SmallVector<utils::IteratorType> iterators(shape.size(),
                                             utils::IteratorType::parallel);
  return GenericOp::create(
             builder, location, TypeRange{empty.getType()}, ValueRange{source},
             ValueRange{empty},
             ArrayRef<AffineMap>{map,
                                 builder.getMultiDimIdentityMap(shape.size())},
             iterators,
             [](OpBuilder &builder, Location location, ValueRange values) {
               linalg::YieldOp::create(builder, location, values.front());
             })
      .getResult(0);
}

linalg::LinalgOp codegen::getSpread(Value tensor) {
  auto op = tensor.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumLoops() != op.getNumParallelLoops() ||
      !isa<RankedTensorType>(op.getDpsInputs()[0].getType()))
    return {};
  auto yielded =
      dyn_cast<BlockArgument>(op.getBlock()->getTerminator()->getOperand(0));
  AffineMap read = op.getIndexingMapsArray()[0];
  bool isCopy = yielded && yielded.getOwner() == op.getBlock() &&
                yielded.getArgNumber() == 0 && read.isProjectedPermutation() &&
                read.getNumResults() < read.getNumDims() &&
                op.getIndexingMapsArray()[1].isIdentity();
  return isCopy ? op : linalg::LinalgOp();
}
