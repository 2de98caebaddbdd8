//===- SharedContext.h - A context for several threads ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_SHAREDCONTEXT_H
#define MLIR_PROF_LIB_COMPILE_SHAREDCONTEXT_H

#include "mlir/IR/MLIRContext.h"

namespace mlirprof::compile {

/// While it exists, several threads may use a context whose threads are
/// disabled, each with modules of its own. Pass managers run on the thread that
/// calls them, one op after the other, as before.
class SharedContext {
public:
  explicit SharedContext(mlir::MLIRContext *context);
  SharedContext(const SharedContext &) = delete;
  SharedContext &operator=(const SharedContext &) = delete;
  ~SharedContext();

  /// False if an option of MLIR forbids threads.
  bool isShared() const { return shared; }

private:
  mlir::MLIRContext *context;
  bool shared = false;
};

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_SHAREDCONTEXT_H
