//===- Gzip.h - Gzip streams ------------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_EXPORT_PPROF_GZIP_H
#define MLIR_PROF_LIB_EXPORT_PPROF_GZIP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <zlib.h>

namespace mlirprof::exporter {

/// Writes one gzip member, without a timestamp, so that the same content gives
/// the same bytes.
class GzipWriter {
public:
  explicit GzipWriter(llvm::raw_ostream &os);
  ~GzipWriter();
  GzipWriter(const GzipWriter &) = delete;
  GzipWriter &operator=(const GzipWriter &) = delete;

  void write(llvm::StringRef bytes) { deflate(bytes, Z_NO_FLUSH); }
  /// Call once, last.
  void finish() { deflate({}, Z_FINISH); }

private:
  void deflate(llvm::StringRef bytes, int flush);

  llvm::raw_ostream &os;
  z_stream stream = {};
};

} // namespace mlirprof::exporter

#endif // MLIR_PROF_LIB_EXPORT_PPROF_GZIP_H
