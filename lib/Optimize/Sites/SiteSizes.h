//===- SiteSizes.h - The dynamic sizes of ops in requests -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SITES_SITESIZES_H
#define MLIR_PROF_LIB_OPTIMIZE_SITES_SITESIZES_H

#include "mlir-prof/Optimize/Sites.h"

namespace mlirprof::optimize {

/// Finds OpSite::sizes of the ops in the entry function, as far as they follow
/// from the shapes of its arguments.
void addSizes(const SiteInput &input, ModelSites &sites);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SITES_SITESIZES_H
