//===- Workspaces.cpp - Memory that the host gives to kernels -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workspaces.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;

static void addWorkspace(dispatch::RunOp run, MemRefType type) {
  OpBuilder builder(run);
  Value memory = memref::AllocOp::create(builder, run.getLoc(), type);
  run.getOutputsMutable().append(memory);
  builder.setInsertionPointAfter(run);
  memref::DeallocOp::create(builder, run.getLoc(), memory);
}

void compile::addWorkspaces(ModuleOp module, ArrayRef<TakenKernel> kernels,
                            ArrayRef<CompiledKernel> compiled) {
  llvm::DenseMap<StringAttr, MemRefType> types;
  SymbolTable symbols(module);
  Builder builder(module.getContext());
  for (auto [kernel, code] : llvm::zip_equal(kernels, compiled)) {
    auto declaration = symbols.lookup<func::FuncOp>(kernel.source.symbol);
    if (!declaration || code.phases.workspaceBytes == 0)
      continue;
    auto type = MemRefType::get({int64_t(code.phases.workspaceBytes)},
                                builder.getI8Type());
    types[declaration.getSymNameAttr()] = type;
    SmallVector<Type> arguments(declaration.getArgumentTypes());
    arguments.push_back(type);
    declaration.setType(builder.getFunctionType(arguments, {}));
  }
  module.walk([&](dispatch::RunOp run) {
    if (MemRefType type = types.lookup(run.getKernelAttr().getAttr()))
      addWorkspace(run, type);
  });
}
