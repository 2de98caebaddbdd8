//===- OpRows.h - Descriptions of a module's ops ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIRPROF_LIB_MATCH_OPROWS_H
#define MLIRPROF_LIB_MATCH_OPROWS_H

#include "Hlo/PathTier.h"
#include "mlir-prof/Attribution/Ownership.h"

namespace mlirprof::match {

/// A row for each op of `index`, without costs.
std::vector<attribution::MlirOp> describeOps(const module::ModuleIndex &index,
                                             PathResolver &resolver,
                                             PathStyle style);

} // namespace mlirprof::match

#endif // MLIRPROF_LIB_MATCH_OPROWS_H
