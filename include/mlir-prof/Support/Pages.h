//===- Pages.h - Memory of whole pages --------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_PAGES_H
#define MLIR_PROF_SUPPORT_PAGES_H

#include "llvm/ADT/StringRef.h"

#include <cstddef>

namespace mlirprof {

/// Blocks of at least this size consist of huge pages if the system has them:
/// faults on small ones would take longer than the work on the data.
inline constexpr size_t kHugePage = size_t(2) << 20;

/// `bytes` of zeroed memory, at least one; null if memory is exhausted. It is
/// the system's again when it is freed, whereas the heap may keep it.
void *mapPages(size_t bytes);
/// Makes `oldBytes` at `old`, from mapPages(), `newBytes`, at the same or at
/// another place. Null if memory is exhausted; then `old` stays.
void *growPages(void *old, size_t oldBytes, size_t newBytes);
void unmapPages(void *begin, size_t bytes);

/// Releases the pages within `bytes`, which are not needed for now, if they are
/// those of a file that openInput() mapped. They are read from it again.
void releaseRead(llvm::StringRef bytes);

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_PAGES_H
