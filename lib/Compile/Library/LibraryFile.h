//===- LibraryFile.h - Sections of compiled models --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_LIBRARY_LIBRARYFILE_H
#define MLIR_PROF_LIB_COMPILE_LIBRARY_LIBRARYFILE_H

#include "mlir-prof/Runtime/prof_model_file.h"
#include "llvm/ADT/StringRef.h"

namespace mlirprof::compile {

/// Sections and the directory begin at multiples of it.
inline constexpr uint64_t kSectionAlignment = 8;

inline uint64_t hashBytes(llvm::StringRef bytes,
                          uint64_t hash = PROF_MODEL_HASH_BEGIN) {
  return prof_model_hash_more(hash, bytes.data(), bytes.size());
}

/// The hash of a library without the range of its constants.
inline uint64_t hashLibrary(llvm::StringRef library, uint64_t begin,
                            uint64_t end) {
  return hashBytes(library.drop_front(end),
                   hashBytes(library.take_front(begin)));
}

/// The hash that `footer` has behind `directory`.
inline uint64_t hashDirectory(llvm::StringRef directory,
                              const prof_model_footer &footer) {
  return prof_model_hash_more(hashBytes(directory), &footer,
                              offsetof(prof_model_footer, hash));
}

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_LIBRARY_LIBRARYFILE_H
