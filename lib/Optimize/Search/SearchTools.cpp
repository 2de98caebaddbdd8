//===- SearchTools.cpp - Building and timing candidates -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/Optimizer.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::optimize;
using namespace mlirprof::record;

static llvm::Expected<std::unique_ptr<ModelServer>>
serveModel(mlir::ModuleOp module, const CompileOptions &compile,
           llvm::ArrayRef<Arguments> requests, const ServerOptions &options) {
  return ModelServer::start(
      [&]() -> llvm::Expected<CompiledModel> {
        CompileOptions plain = compile;
        plain.identities = false;
        plain.recordValues = false;
        plain.instrument.reset();
        plain.audit = nullptr;
        // The build of the model as it is has given the warnings.
        plain.onWarning = nullptr;
        return compileModel(mlir::OwningOpRef<mlir::ModuleOp>(module.clone()),
                            plain);
      },
      requests, options);
}

SearchTools optimize::getSearchTools() {
  return {serveModel, getMonotonicSeconds, getTechniques()};
}
