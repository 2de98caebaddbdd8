//===- Pprof.h - pprof's profiles -------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PPROF_PPROF_H
#define MLIR_PROF_LIB_IMPORT_PPROF_PPROF_H

#include "mlir-prof/Import/Importer.h"

namespace mlirprof::importer::pprof {

/// pprof's protobuf, `*.pb.gz`, of Go and others.
bool detect(llvm::StringRef bytes);
llvm::Error read(const ImportInput &input, profile::ProfileBuilder &builder);

} // namespace mlirprof::importer::pprof

#endif // MLIR_PROF_LIB_IMPORT_PPROF_PPROF_H
