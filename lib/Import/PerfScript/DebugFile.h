//===- DebugFile.h - Debug information beside an object ---------*- C++ -*-===//
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
  /// The object says of none, and there is none for its build id.
  None,
  Found,
  /// The object names one, which is nowhere.
  Missing,
  /// What is there has another build id.
  OtherBuildId,
  /// What is there has another checksum than the object says.
  OtherChecksum,
  /// What is there cannot be read, or what the object says of it.
  Damaged,
};

struct DebugFile {
  DebugFileState state = DebugFileState::None;
  /// Only when it was found.
  ElfFile elf;
};

/// The file with the debug information of `object`, which was read from `path`
/// and has none: as GDB's manual says ("Debugging Information in Separate
/// Files"), first by its build id, then by its section .gnu_debuglink, the
/// latter with its checksum. `folder` is looked into before the places of the
/// system; or "". Of several states that are not Found the first counts that
/// is not Missing. (LLVMSymbolizer looks there too, but waits for pipes,
/// follows links out of these folders, believes other build ids and what
/// damaged files say of their sizes, and does not tell why it found nothing.)
DebugFile findDebugFile(const ElfFile &object, llvm::StringRef path,
                        llvm::StringRef folder);

} // namespace mlirprof::importer::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_DEBUGFILE_H
