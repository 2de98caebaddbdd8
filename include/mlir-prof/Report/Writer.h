//===- Writer.h - Output formats of reports ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_REPORT_WRITER_H
#define MLIR_PROF_REPORT_WRITER_H

#include "mlir-prof/Report/Report.h"
#include "llvm/Support/raw_ostream.h"

namespace mlirprof::report {

enum class Color : uint8_t { Off, On };

/// Used only by the text writer.
struct WriteOptions {
  Color color = Color::Off;
  /// Characters per line; longer names are cut in the middle. 0 for no limit.
  unsigned width = 0;
};

/// One format. To add one, add a file in lib/Report/Writers and a line in
/// Writers.def there.
struct ReportWriter {
  /// For --format.
  llvm::StringRef name;
  llvm::StringRef description;
  void (*write)(const Report &report, const WriteOptions &options,
                llvm::raw_ostream &os);
};

/// All formats, "text" first.
llvm::ArrayRef<ReportWriter> getReportWriters();

/// Finds a format by name; for an unknown one, the error lists all names.
llvm::Expected<const ReportWriter *> findReportWriter(llvm::StringRef name);

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_WRITER_H
