//===- LinkedCode.h - A program's code in what it is linked into *- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFSCRIPT_LINKEDCODE_H
#define MLIR_PROF_LIB_IMPORT_PERFSCRIPT_LINKEDCODE_H

#include "ElfFile.h"
#include "Symbols.h"
#include "mlir-prof/Profile/Program.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"

namespace mlirprof::importer::perfscript {

/// Gives `program`, which an object contains without its machine code, that of
/// the units of `dwarf` that name its fingerprint (kProgramSection); the
/// fingerprint then counts the code, too. `elf` has the code, at the addresses
/// in `symbols`. Without instructions if no unit names it.
llvm::Error readLinkedCode(const ElfFile &elf, llvm::DWARFContext &dwarf,
                           const Symbols &symbols, profile::Program &program);

} // namespace mlirprof::importer::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_LINKEDCODE_H
