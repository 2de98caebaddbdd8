//===- OpError.h - The error of one op by a choice --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_OPERROR_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_OPERROR_H

#include "ModelBuilder.h"

#include <optional>

namespace mlirprof::optimize {

/// The error of the op of `site` with `choice` of `technique`, where it stands
/// alone, against its results by upstream's lowerings; none where it cannot
/// stand alone. `options` are those of the model.
llvm::Expected<std::optional<double>>
measureOpError(const ModelBuilder &builder,
               const compile::CompileOptions &options, const OpSite &site,
               llvm::StringRef technique, const tuning::Choice &choice);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_OPERROR_H
