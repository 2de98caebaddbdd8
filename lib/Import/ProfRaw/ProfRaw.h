//===- ProfRaw.h - Importer of the runtime's files --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PROFRAW_PROFRAW_H
#define MLIR_PROF_LIB_IMPORT_PROFRAW_PROFRAW_H

#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Import/ProfRaw.h"

namespace mlirprof::importer::profraw {

bool detect(llvm::StringRef bytes);
llvm::Error read(const ImportInput &input, profile::ProfileBuilder &builder);

} // namespace mlirprof::importer::profraw

#endif // MLIR_PROF_LIB_IMPORT_PROFRAW_PROFRAW_H
