//===- Lines.h - Lines of perf script ---------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFSCRIPT_LINES_H
#define MLIR_PROF_LIB_IMPORT_PERFSCRIPT_LINES_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace mlirprof::importer::perfscript {

/// "mlir-prof 30834 [001] 48938.460406:    2000000 cpu-clock: ": the begin of a
/// sample.
struct Header {
  llvm::StringRef command;
  int64_t process = -1;
  int64_t thread = 0;
  /// Seconds, as in the file.
  llvm::StringRef time;
  bool hasPeriod = false;
  int64_t period = 0;
  llvm::StringRef event;
  /// The frame on the same line, if there are no call chains.
  llvm::StringRef frame;
};

/// False if `line` is not a header.
bool parseHeader(llvm::StringRef line, Header &header);

/// "7f0db77073e2 main+0x1c (/usr/bin/model)"
struct Frame {
  uint64_t address = 0;
  /// Without the offset; "[unknown]" if perf does not know it.
  llvm::StringRef symbol;
  /// The offset after the symbol: "+0x1c".
  std::optional<uint64_t> symbolOffset;
  /// The file that the code came from, or "".
  llvm::StringRef object;
  /// Whether that file no longer exists: another may have replaced it.
  bool isDeleted = false;
  /// The offset after the file's name, if perf printed it (-F +dsoff).
  std::optional<uint64_t> fileOffset;
};

/// Takes a hexadecimal number off the beginning of `text`: "0x1f", "1f", or "0"
/// as C prints it with %#x.
bool takeHex(llvm::StringRef &text, uint64_t &value);

/// Drops the kernel's suffix after the path of a deleted file; whether it was
/// present.
bool dropDeleted(llvm::StringRef &path);

/// False if `line` is not a frame.
bool parseFrame(llvm::StringRef line, Frame &frame);

} // namespace mlirprof::importer::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_LINES_H
