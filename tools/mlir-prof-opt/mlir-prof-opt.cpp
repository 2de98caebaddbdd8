//===- mlir-prof-opt.cpp - mlir-opt with mlir-prof's passes ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Dialect/Prof/Prof.h"
#include "mlir-prof/Optimize/Passes.h"
#include "mlir-prof/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  mlirprof::transforms::registerMLIRProfPasses();
  mlirprof::codegen::registerMLIRProfCodegenPasses();
  mlirprof::optimize::registerOptimizePasses();

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlirprof::prof::registerProfDialect(registry);

  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "MLIR optimizer driver with mlir-prof\n", registry));
}
