//===- Exporters.h - Declares all formats -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_EXPORT_EXPORTERS_H
#define MLIR_PROF_LIB_EXPORT_EXPORTERS_H

#include "mlir-prof/Export/Exporter.h"

namespace mlirprof::exporter {
#define MLIRPROF_EXPORTER(NAME) Exporter NAME();
#include "Exporters.def"

/// The error for formats that need a graph when there is none.
llvm::Error missingGraph(const ExportInput &input);
/// Adds to `input.losses` the time that does not belong to a node of the graph.
void noteTimeWithoutNode(const ExportInput &input);
} // namespace mlirprof::exporter

#endif // MLIR_PROF_LIB_EXPORT_EXPORTERS_H
