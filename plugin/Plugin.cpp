//===- Plugin.cpp - Plugin for stock mlir-opt -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir-prof/Dialect/Prof/Prof.h"
#include "mlir-prof/Optimize/Passes.h"
#include "mlir-prof/Support/Version.h"
#include "mlir-prof/Transforms/Passes.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "MLIRProf", mlirprof::getVersion().data(),
          [](mlir::DialectRegistry *registry) {
            mlirprof::prof::registerProfDialect(*registry);
            mlirprof::dispatch::registerDispatchDialect(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "MLIRProf", mlirprof::getVersion().data(),
          [] {
            mlirprof::transforms::registerMLIRProfPasses();
            mlirprof::optimize::registerOptimizePasses();
          }};
}
