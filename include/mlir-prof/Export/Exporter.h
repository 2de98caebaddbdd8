//===- Exporter.h - The formats that can be written -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_EXPORT_EXPORTER_H
#define MLIR_PROF_EXPORT_EXPORTER_H

#include "mlir-prof/Profile/Profile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace mlirprof {

/// One format of other programs. Adding one is a folder in lib/Export and a
/// line in Exporters.def there.
struct Exporter {
  /// For --format, "lwp-csv".
  llvm::StringRef name;
  /// One line for `mlir-prof info`.
  llvm::StringRef description;
  /// Fails when the profile has nothing that the format can say.
  llvm::Error (*write)(const Profile &profile, llvm::raw_ostream &os);
};

llvm::ArrayRef<Exporter> getExporters();

/// Finds a format by name; an unknown one is an error that names all.
llvm::Expected<const Exporter *> findExporter(llvm::StringRef name);

} // namespace mlirprof

#endif // MLIR_PROF_EXPORT_EXPORTER_H
