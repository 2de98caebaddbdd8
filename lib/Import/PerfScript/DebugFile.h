//===- DebugFile.h - Debug information next to an object --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFSCRIPT_DEBUGFILE_H
#define MLIR_PROF_LIB_IMPORT_PERFSCRIPT_DEBUGFILE_H

#include "ElfFile.h"

namespace mlirprof::importer::perfscript {

enum class DebugFileState : uint8_t {
  /// The object does not name one, and there is none for its build id.
  None,
  Found,
  /// The object names one, which does not exist.
  Missing,
  /// The file has another build id.
  OtherBuildId,
  /// The file has another checksum than the object says.
  OtherChecksum,
  /// The file cannot be read, or the object's reference to it cannot.
  Damaged,
};

struct DebugFile {
  DebugFileState state = DebugFileState::None;
  /// Set only if it was found.
  ElfFile elf;
};

/// The file with the debug information of `object`, which was read from `path`
/// and does not have any: as GDB's manual says ("Debugging Information in
/// Separate Files"), first by its build id, then by its section .gnu_debuglink,
/// the latter with its checksum. `folder`, or "", is searched before the places
/// of the system. Among several states other than Found, the first that is not
/// Missing counts. (LLVMSymbolizer searches there too, but waits for pipes,
/// follows links out of these folders, accepts other build ids and the sizes in
/// damaged files, and does not tell why it failed.)
DebugFile findDebugFile(const ElfFile &object, llvm::StringRef path,
                        llvm::StringRef folder);

} // namespace mlirprof::importer::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_DEBUGFILE_H
