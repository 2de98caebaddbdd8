//===- tiny-opt.cpp - An opt tool with profiles ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiny.h"

#include "mlir-prof/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace mlir;

int main(int argc, char **argv) {
  mlirprof::transforms::registerMLIRProfPasses();
  tiny::registerPasses();

  DialectRegistry registry;
  registry.insert<tiny::TinyDialect, func::FuncDialect>();
  mlirprof::prof::registerProfDialect(registry);
  return asMainReturnCode(MlirOptMain(argc, argv, "tiny\n", registry));
}
