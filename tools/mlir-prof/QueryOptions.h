//===- QueryOptions.h - Options that select rows ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_QUERYOPTIONS_H
#define MLIR_PROF_TOOLS_QUERYOPTIONS_H

#include "Options.h"
#include "mlir-prof/Report/Query.h"

using namespace mlirprof::report;

namespace mlirprof {

/// The query given by --filter, --group, --sort, --top, --page, --offset and
/// --after.
llvm::Expected<Query> getQuery(const llvm::opt::InputArgList &arguments);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_QUERYOPTIONS_H
