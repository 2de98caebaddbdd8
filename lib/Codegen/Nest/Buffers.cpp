//===- Buffers.cpp - From tensors to the buffers of a nest ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {

/// Which operand of a nest serves each loaded operand.
struct Wiring {
  Wiring(ArrayRef<NestOperand *> loaded, ArrayRef<AffineMap> stored,
         ArrayRef<Value> destinations);

  /// The position of a loaded operand among the operands of the nest.
  size_t getPosition(const NestOperand &operand) const {
    std::optional<size_t> output = findOutput(operand);
    return output ? inputs.size() + *output
                  : llvm::find(inputs, operand.value) - inputs.begin();
  }

  llvm::SmallSetVector<Value, 8> inputs;
  /// The positions of inputs that are read only where results are stored.
  SmallVector<int32_t> elementwise;
  bool readsOutputs = false;

private:
  bool isElementwise(const NestOperand &operand) const {
    return llvm::all_of(stored,
                        [&](AffineMap map) { return map == operand.map; });
  }
  /// A result's initial elements are read from its own buffer.
  std::optional<size_t> findOutput(const NestOperand &operand) const;

  ArrayRef<AffineMap> stored;
  ArrayRef<Value> destinations;
};

} // namespace

std::optional<size_t> Wiring::findOutput(const NestOperand &operand) const {
  const Value *found = llvm::find(destinations, operand.value);
  if (found == destinations.end() || !isElementwise(operand))
    return std::nullopt;
  return found - destinations.begin();
}

Wiring::Wiring(ArrayRef<NestOperand *> loaded, ArrayRef<AffineMap> stored,
               ArrayRef<Value> destinations)
    : stored(stored), destinations(destinations) {
  DenseSet<Value> others;
  for (NestOperand *operand : loaded) {
    if (findOutput(*operand)) {
      readsOutputs = true;
      continue;
    }
    inputs.insert(operand->value);
    if (!isElementwise(*operand))
      others.insert(operand->value);
  }
  for (auto [index, input] : llvm::enumerate(inputs))
    if (!others.contains(input))
      elementwise.push_back(index);
}

cpu::NestOp codegen::enterNest(RewriterBase &rewriter, Location location,
                               ArrayRef<NestOperand *> loaded,
                               ArrayRef<AffineMap> stored,
                               MutableArrayRef<Value> destinations) {
  SmallVector<Value> outputs(destinations);
  Wiring wiring(loaded, stored, outputs);
  auto nest =
      cpu::NestOp::create(rewriter, location, TypeRange(ValueRange(outputs)),
                          wiring.inputs.getArrayRef(), outputs,
                          wiring.elementwise, wiring.readsOutputs);
  SmallVector<Type> types;
  for (Type type : nest->getOperandTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    types.push_back(
        MemRefType::get(tensor.getShape(), tensor.getElementType()));
  }
  Block *body =
      rewriter.createBlock(&nest.getBody(), {}, types,
                           SmallVector<Location>(types.size(), location));
  for (NestOperand *operand : loaded)
    operand->value = body->getArgument(wiring.getPosition(*operand));
  for (auto [index, destination] : llvm::enumerate(destinations))
    destination = body->getArgument(wiring.inputs.size() + index);
  return nest;
}

/// Whether `op` loads from an input of `nest`, which the loops do not change.
static bool loadsInput(Operation *op, cpu::NestOp nest) {
  Value source;
  if (auto load = dyn_cast<memref::LoadOp>(op))
    source = load.getMemRef();
  else if (auto read = dyn_cast<vector::TransferReadOp>(op))
    source = read.getBase();
  auto argument = dyn_cast_or_null<BlockArgument>(source);
  return argument && argument.getOwner() == &nest.getBody().front() &&
         argument.getArgNumber() < nest.getInputs().size();
}

void codegen::hoistInvariants(cpu::NestOp nest) {
  nest.getBody().walk([&](LoopLikeOpInterface loop) {
    moveLoopInvariantCode(
        loop.getLoopRegions(),
        [&](Value value, Region *) {
          return loop.isDefinedOutsideOfLoop(value);
        },
        [&](Operation *op, Region *) {
          return loadsInput(op, nest) ||
                 (isMemoryEffectFree(op) && isSpeculatable(op));
        },
        [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
  });
}
