//===- PrintTotal.cpp - A pass that reads profiles ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiny.h"

#include "mlir-prof/Dialect/Prof/ProfileData.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlirprof;

namespace {

/// Prints every op of the module that has a profile, whatever its dialect.
struct PrintTotal : PassWrapper<PrintTotal, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintTotal)

  StringRef getArgument() const override { return "tiny-print-total"; }
  StringRef getDescription() const override {
    return "Print the total time of all ops";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    prof::registerProfDialect(registry);
  }

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (prof::DataAttr data = prof::getProfileData(op))
        llvm::errs() << op->getName() << ": " << data.getTotalPs() << " ps\n";
    });
  }
};

} // namespace

void tiny::registerPasses() { PassRegistration<PrintTotal>(); }
