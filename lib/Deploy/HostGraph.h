//===- HostGraph.h - Reading the dispatches of a model ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEPLOY_HOSTGRAPH_H
#define MLIR_PROF_LIB_DEPLOY_HOSTGRAPH_H

#include "mlir-prof/Codegen/HostGraph.h"
#include "mlir-prof/Compile/Compiler.h"

namespace mlirprof::deploy {

/// The dispatches of `module`, which has `arguments` arguments, as
/// compile::compileModel compiles it with `options`. A host side that does more
/// than running them is an error that names the op.
llvm::Expected<codegen::HostGraph>
readHostGraph(mlir::ModuleOp module, const compile::CompileOptions &options,
              unsigned arguments);

} // namespace mlirprof::deploy

#endif // MLIR_PROF_LIB_DEPLOY_HOSTGRAPH_H
