//===- Perfetto.h - Perfetto's traces ---------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFETTO_PERFETTO_H
#define MLIR_PROF_LIB_IMPORT_PERFETTO_PERFETTO_H

#include "mlir-prof/Import/Importer.h"

namespace mlirprof::importer::perfetto {

/// Perfetto's protobuf (`*.pftrace`, `*.perfetto-trace`): slices and counters
/// of track events.
bool detect(llvm::StringRef bytes);
llvm::Error read(const ImportInput &input, profile::ProfileBuilder &builder);

} // namespace mlirprof::importer::perfetto

#endif // MLIR_PROF_LIB_IMPORT_PERFETTO_PERFETTO_H
