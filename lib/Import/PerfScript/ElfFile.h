//===- ElfFile.h - ELF files that may be damaged ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFSCRIPT_ELFFILE_H
#define MLIR_PROF_LIB_IMPORT_PERFSCRIPT_ELFFILE_H

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <optional>

namespace mlirprof::importer::perfscript {

/// A program or library in ELF, or the file with its debug information.
struct ElfFile {
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::unique_ptr<llvm::object::ELFObjectFileBase> file;

  /// None if it is not a regular file, not a program or library in ELF, or
  /// damaged.
  static std::optional<ElfFile> open(llvm::StringRef path);

  /// As lower-case hexadecimal digits, or "".
  std::string getBuildId() const;
  /// The contents of the first section of that name; none if it does not exist
  /// or cannot be read.
  std::optional<llvm::StringRef> getSection(llvm::StringRef name) const;
  /// The address of the byte at `offset` of the file, in a loaded segment.
  std::optional<uint64_t> getAddress(uint64_t offset) const;
  /// Whether a call instruction precedes `address`. False on processors whose
  /// calls are unknown here.
  bool isBehindCall(uint64_t address) const;
};

} // namespace mlirprof::importer::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_ELFFILE_H
