//===- ElfFile.h - Files in ELF that may be damaged -------------*- C++ -*-===//
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

/// A program or library in ELF, or what holds the debug information of one.
struct ElfFile {
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::unique_ptr<llvm::object::ELFObjectFileBase> file;

  /// None for what is no regular file, no program or library in ELF, or
  /// damaged.
  static std::optional<ElfFile> open(llvm::StringRef path);

  /// As lower-case hexadecimal digits, or "".
  std::string getBuildId() const;
  /// What is in the first section of that name; none when there is none, or it
  /// cannot be read.
  std::optional<llvm::StringRef> getSection(llvm::StringRef name) const;
  /// The address of the byte at `offset` of the file, in a loaded segment.
  std::optional<uint64_t> getAddress(uint64_t offset) const;
  /// Whether a call instruction stands before `address`. False on processors
  /// whose calls are not known here.
  bool isBehindCall(uint64_t address) const;
};

} // namespace mlirprof::importer::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_ELFFILE_H
