//===- State.cpp - The state of a model in its object ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;

void compile::findState(ModuleOp module, CompiledModel &model) {
  SymbolTable symbols(module);
  auto state = symbols.lookup<LLVM::GlobalOp>(codegen::kStateSymbol);
  auto reset = symbols.lookup<LLVM::LLVMFuncOp>(codegen::kResetSymbol);
  if (!state || !reset)
    return;
  model.stateBytes = DataLayout(module).getTypeSize(state.getGlobalType());
  model.resetSymbol = reset.getSymName().str();
}
