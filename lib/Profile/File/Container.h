//===- Container.h - The layout of *.mlprof ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers of docs/file-format.md. All integers are little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_PROFILE_FILE_CONTAINER_H
#define MLIR_PROF_LIB_PROFILE_FILE_CONTAINER_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace mlirprof::profile::schema {

/// The first byte is neither text nor a protobuf written by profilers; the line
/// ends and the end-of-file character reveal a text transfer.
inline constexpr llvm::StringLiteral kMagic = "\x89MLP\r\n\x1a\n";
/// Magic, major and minor version (16 bits each).
inline constexpr size_t kFileHeaderSize = 12;
/// Type, codec, length of the payload, length of the content (32 bits each).
inline constexpr size_t kSectionHeaderSize = 16;
/// XXH3-64 of the section's header and payload.
inline constexpr size_t kChecksumSize = 8;
/// Payloads and contents are shorter than this.
inline constexpr uint64_t kSectionLimit = uint64_t(1) << 31;

/// Minimum limit on the inflated size of a file's compressed sections; above
/// it, 64 times the file's size.
inline constexpr uint64_t kMinInflation = uint64_t(256) << 20;

enum class SectionType : uint32_t {
  End = 0,
  Header = 1,
  Strings = 2,
  OpKeys = 3,
  HloModule = 4,
  IrModule = 5,
  Run = 6,
  Events = 7,
  Program = 8,
  Scopes = 9,
  ScopeEvents = 10,
  MemoryEvents = 11,
  ScopeCounts = 12,
  Jobs = 200,
};

inline bool isKnownSection(uint32_t type) {
  return type <= uint32_t(SectionType::ScopeCounts) ||
         type == uint32_t(SectionType::Jobs);
}

enum class Codec : uint32_t {
  /// Uncompressed content.
  Plain = 0,
  /// One zstd frame.
  Zstd = 1,
};

} // namespace mlirprof::profile::schema

#endif // MLIR_PROF_LIB_PROFILE_FILE_CONTAINER_H
