//===- Lines.cpp - Identities as debug lines ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lines.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;

/// The previous level is a snapshot, so an op has one owner; if there are
/// several, the first one represents all.
static Location toLine(Location location, StringAttr file) {
  prof::Identities ids = prof::getIdentities(location);
  unsigned line = ids.owners.empty() ? 0 : ids.owners.front() + 1;
  return FileLineColLoc::get(file, line, 0);
}

LogicalResult compile::addDebugLines(ModuleOp module,
                                     LLVM::DIEmissionKind kind) {
  auto file = StringAttr::get(module.getContext(), "prof");
  module.walk([&](Operation *op) {
    // An op with regions has arguments with separate locations.
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(FileLineColLoc::get(file, 0, 0));
    op->setLoc(toLine(op->getLoc(), file));
  });
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  LLVM::DIScopeForLLVMFuncOpPassOptions options;
  options.emissionKind = kind;
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass(options));
  // Nothing but locations changes.
  passes.enableVerifier(false);
  return passes.run(module);
}
