//===- KeepKernels.cpp - Kernels apart from the host side -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeepKernels.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;

/// Whether `value` is a constant, or a part of one.
static bool isConstant(Value value) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
                         tensor::ExpandShapeOp, tensor::CastOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return op && op->hasTrait<OpTrait::ConstantLike>();
}

ConstantArguments compile::findConstantArguments(ModuleOp module) {
  ConstantArguments all;
  module.walk([&](dispatch::RunOp run) {
    auto [entry, isNew] = all.try_emplace(run.getKernel());
    std::vector<bool> &known = entry->second;
    if (isNew)
      known.assign(run->getNumOperands(), true);
    for (OpOperand &operand : run->getOpOperands())
      if (operand.getOperandNumber() < known.size() &&
          !isConstant(operand.get()))
        known[operand.getOperandNumber()] = false;
  });
  return all;
}

void compile::keepKernels(llvm::ArrayRef<TakenKernel> taken,
                          std::vector<CompiledKernel> kernels,
                          const ConstantArguments &constants,
                          CompiledModel &model) {
  for (auto [from, kernel] : llvm::zip_equal(taken, kernels)) {
    KernelCode &code = model.kernelCode.emplace_back();
    code.name = from.source.name;
    code.symbol = from.source.symbol;
    code.bytecode = from.source.bytecode;
    code.node = from.node;
    code.object = std::move(kernel.object);
    code.usesOpenMP = kernel.usesOpenMP;
    code.phases = std::move(kernel.phases);
    model.usesOpenMP |= kernel.usesOpenMP;
    if (auto known = constants.find(code.name); known != constants.end())
      code.isConstant = known->second;
  }
}
