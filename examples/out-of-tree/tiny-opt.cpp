//===- tiny-opt.cpp - An opt tool with profiles ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiny.h"
#include "mlir-prof/Dialect/Prof/ProfileData.h"
#include "mlir-prof/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace mlir;
using namespace mlirprof;

namespace {

/// Prints every op of the module that has a profile, whatever its dialect.
struct PrintHeat : PassWrapper<PrintHeat, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintHeat)

  StringRef getArgument() const override { return "tiny-print-heat"; }
  StringRef getDescription() const override { return "Print heat of all ops"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    prof::registerProfDialect(registry);
  }

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (prof::DataAttr data = prof::getProfileData(op))
        llvm::errs() << op->getName() << ": " << data.getHeatPs() << " ps\n";
    });
  }
};

} // namespace

int main(int argc, char **argv) {
  registerMLIRProfPasses();
  PassRegistration<PrintHeat>();

  DialectRegistry registry;
  registry.insert<tiny::TinyDialect, func::FuncDialect>();
  prof::registerProfDialect(registry);
  return asMainReturnCode(MlirOptMain(argc, argv, "tiny\n", registry));
}
