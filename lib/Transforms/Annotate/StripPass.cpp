//===- StripPass.cpp - prof-strip -----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Transforms/Identity.h"
#include "mlir-prof/Transforms/Passes.h"

namespace mlirprof::transforms {
#define GEN_PASS_DEF_PROFSTRIP
#include "mlir-prof/Transforms/Passes.h.inc"
} // namespace mlirprof::transforms

using namespace mlirprof;
using namespace mlirprof::transforms;

namespace {
struct StripPass : transforms::impl::ProfStripBase<StripPass> {
  void runOnOperation() override {
    Stripped stripped = stripAnnotations(getOperation());
    bool hadProgram =
        getOperation()->hasAttr(prof::ProfDialect::getProgramAttrName());
    stripped.attributes += hadProgram;
    stripped.locations += stripIdentities(getOperation());
    strippedAttributes += stripped.attributes;
    strippedLocations += stripped.locations;
    if (stripped.attributes == 0 && stripped.locations == 0)
      markAllAnalysesPreserved();
  }
};
} // namespace
