//===- Importers.h - Declares all formats -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_IMPORTERS_H
#define MLIR_PROF_LIB_IMPORT_IMPORTERS_H

#include "mlir-prof/Import/Importer.h"

namespace mlirprof::importer {
#define MLIRPROF_IMPORTER(NAME) Importer NAME();
#include "Importers.def"

#define MLIRPROF_FOLDER_IMPORTER(NAME) FolderImporter NAME();
#include "FolderImporters.def"
} // namespace mlirprof::importer

#endif // MLIR_PROF_LIB_IMPORT_IMPORTERS_H
