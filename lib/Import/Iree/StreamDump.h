//===- StreamDump.h - IREE's modules of the stream phase --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_IREE_STREAMDUMP_H
#define MLIR_PROF_LIB_IMPORT_IREE_STREAMDUMP_H

#include "DumpLocations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace mlirprof::importer::iree {

/// An op that does work, in the body of an executable; a change of layout only
/// if nothing else is done.
struct DumpOp {
  /// "linalg.matmul".
  std::string op;
  uint32_t location = 0;
};

/// The contents of an exported function.
struct DumpBody {
  /// Location of the op to which the others were fused.
  uint32_t location = 0;
  std::vector<DumpOp> ops;

  /// The op that names the body: the last of those that have its location, else
  /// the last; null without ops.
  const DumpOp *getRoot() const;
};

/// One stream.cmd.dispatch.
struct DumpSite {
  /// "EXECUTABLE::FUNCTION", several if devices may choose.
  llvm::SmallVector<std::string, 1> entries;
  uint32_t location = 0;
  /// Its position among the commands of its command buffer, barriers included.
  uint32_t command = 0;

  /// "FUNCTION" of an entry.
  static llvm::StringRef getFunction(llvm::StringRef entry) {
    return entry.rsplit("::").second;
  }
  /// Whether it may have run the exported function `name`.
  bool runs(llvm::StringRef name) const {
    return llvm::any_of(entries, [&](llvm::StringRef entry) {
      return getFunction(entry) == name;
    });
  }
};

struct StreamDump {
  DumpLocations locations;
  /// By "EXECUTABLE::FUNCTION".
  llvm::StringMap<DumpBody> bodies;
  /// The sites of each stream.cmd.execute, all in order of the text.
  std::vector<std::vector<DumpSite>> executes;
};

/// Reads a module that iree-compile printed at the end of its stream phase, in
/// its own syntax or in the generic one. `text` must outlive the result.
/// Unknown parts are skipped. `where` names the file in errors.
llvm::Expected<StreamDump> readStreamDump(llvm::StringRef text,
                                          llvm::StringRef where);

} // namespace mlirprof::importer::iree

#endif // MLIR_PROF_LIB_IMPORT_IREE_STREAMDUMP_H
