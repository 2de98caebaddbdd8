//===- tiny-plugin.cpp - A plugin to load next to MLIRProf.so -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiny.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Tiny", "1",
          [](mlir::DialectRegistry *registry) {
            registry->insert<tiny::TinyDialect>();
            // For use without MLIRProf.so; with it, this is redundant.
            mlirprof::prof::registerProfDialect(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Tiny", "1", [] { tiny::registerPasses(); }};
}
