//===- RepackArgument.cpp - Constants for other tiles ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/RepackArgument.h"
#include "../Nest/Plan.h"
#include "Weights.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// Whether the operand is an argument of the function that nothing else reads.
static bool isOwnArgument(OpOperand &operand) {
  auto argument = dyn_cast<BlockArgument>(operand.get());
  return argument && argument.hasOneUse() &&
         isa<func::FuncOp>(argument.getOwner()->getParentOp());
}

/// Gives `operand` the panels of `argument`, which its dimension `position`
/// counts; the last one counts the columns of each.
static void change(LinalgOp op, OpOperand &operand, unsigned position,
                   unsigned dim, const RepackedArgument &argument) {
  auto value = cast<BlockArgument>(operand.get());
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[position] = argument.countPanels(argument.after);
  shape.back() = argument.after;
  value.setType(RankedTensorType::get(shape, type.getElementType()));
  auto function = cast<func::FuncOp>(value.getOwner()->getParentOp());
  SmallVector<Type> inputs(function.getFunctionType().getInputs());
  inputs[value.getArgNumber()] = value.getType();
  function.setType(FunctionType::get(op.getContext(), inputs,
                                     function.getFunctionType().getResults()));
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap &map = maps[operand.getOperandNumber()];
  SmallVector<AffineExpr> results(map.getResults());
  AffineExpr column = getAffineDimExpr(dim, op.getContext());
  results[position] = column.floorDiv(argument.after);
  results.back() = column % argument.after;
  map = AffineMap::get(map.getNumDims(), 0, results, op.getContext());
  cast<linalg::GenericOp>(op.getOperation())
      .setIndexingMapsAttr(
          Builder(op.getContext()).getAffineMapArrayAttr(maps));
}

std::optional<RepackedArgument>
codegen::repackArgument(LinalgOp op, const TargetModel &target) {
  std::optional<NestFacts> facts = getNestFacts(op);
  if (!facts || !facts->contiguousDim || !getChosenVectors(op) ||
      !isa<linalg::GenericOp>(op.getOperation()))
    return std::nullopt;
  unsigned dim = *facts->contiguousDim;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    int64_t width = getAccess(map, dim).panel;
    auto type = dyn_cast<RankedTensorType>(operand->get().getType());
    if (width == 0 || !type || !type.hasStaticShape() ||
        ShapedType::isDynamic(facts->sizes[dim]) || !isOwnArgument(*operand) ||
        !type.getElementType().isIntOrFloat() ||
        type.getElementTypeBitWidth() % 8 != 0)
      continue;
    unsigned position = 0;
    while (!map.getResult(position).isFunctionOfDim(dim))
      ++position;
    ArrayRef<int64_t> shape = type.getShape();
    RepackedArgument argument;
    argument.index = cast<BlockArgument>(operand->get()).getArgNumber();
    argument.outer = ShapedType::getNumElements(shape.take_front(position));
    argument.columns = facts->sizes[dim];
    argument.inner =
        ShapedType::getNumElements(shape.drop_front(position + 1).drop_back());
    argument.before = width;
    argument.after = getWeightPanel(op, *facts, dim, target);
    argument.bytesPerElement = type.getElementTypeBitWidth() / 8;
    if (argument.after == argument.before)
      return std::nullopt;
    change(op, *operand, position, dim, argument);
    return argument;
  }
  return std::nullopt;
}

void codegen::repack(const RepackedArgument &argument, const char *from,
                     char *to) {
  const int64_t bytes = argument.bytesPerElement, inner = argument.inner;
  // Columns that follow each other before and after.
  const int64_t run = std::gcd(argument.before, argument.after);
  const int64_t panels = argument.countPanels(argument.after);
  // The elements are written in their order.
  for (int64_t part = 0; part != argument.outer * panels * inner; ++part) {
    int64_t outer = part / inner / panels, row = part % inner;
    int64_t first = part / inner % panels * argument.after;
    for (int64_t column = first; column != first + argument.after;
         column += run, to += run * bytes) {
      int64_t valid = std::clamp<int64_t>(argument.columns - column, 0, run);
      int64_t panel = outer * argument.countPanels(argument.before) +
                      column / argument.before;
      int64_t place =
          (panel * inner + row) * argument.before + column % argument.before;
      if (valid != 0)
        std::memcpy(to, from + place * bytes, size_t(valid * bytes));
      std::memset(to + valid * bytes, 0, size_t((run - valid) * bytes));
    }
  }
}
