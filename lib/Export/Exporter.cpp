//===- Exporter.cpp - Export formats --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Export/Exporter.h"
#include "Exporters.h"
#include "mlir-prof/Support/FindNamed.h"

using namespace mlirprof;
using namespace mlirprof::exporter;

llvm::ArrayRef<Exporter> exporter::getExporters() {
  static const Exporter exporters[] = {
#define MLIRPROF_EXPORTER(NAME) exporter::NAME(),
#include "Exporters.def"
  };
  return exporters;
}

llvm::ArrayRef<llvm::StringRef> exporter::getStackKindNames() {
  static constexpr llvm::StringRef names[] = {"module", "source", "level",
                                              "loop", "scope"};
  return names;
}

llvm::Expected<const Exporter *> exporter::findExporter(llvm::StringRef name) {
  return findNamed(getExporters(), "format", name);
}
