//===- SitesFixture.h - Ops of a text as sites ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_OPTIMIZE_SITESFIXTURE_H
#define MLIR_PROF_UNITTESTS_OPTIMIZE_SITESFIXTURE_H

#include "mlir-prof/Module/ModuleReader.h"
#include "mlir-prof/Optimize/Technique.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "gtest/gtest.h"

using namespace mlirprof::module;
using namespace mlirprof::optimize;

namespace mlirprof::test {

/// A model whose ops are sites, without signatures.
class SitesFixture : public testing::Test {
protected:
  SitesFixture(llvm::StringRef text,
               llvm::function_ref<bool(mlir::Operation *)> isSite) {
    prepareContext(context);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module) {
      ADD_FAILURE() << "does not parse";
      return;
    }
    model.module = *module;
    model.hasProfile = true;
    module->walk([&](mlir::Operation *op) {
      if (isSite(op))
        model.sites.emplace_back().ops = {op};
    });
  }

  /// Sets the seconds of the first sites, and their sum as the model's.
  void setSeconds(std::initializer_list<double> seconds) {
    size_t index = 0;
    model.seconds = 0;
    for (double value : seconds) {
      model.sites[index++].seconds = value;
      model.seconds += value;
    }
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ModelSites model;
};

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_OPTIMIZE_SITESFIXTURE_H
