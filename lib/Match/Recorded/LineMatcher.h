//===- LineMatcher.h - Debug lines to ops -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_RECORDED_LINEMATCHER_H
#define MLIR_PROF_LIB_MATCH_RECORDED_LINEMATCHER_H

#include "mlir-prof/Attribution/Ownership.h"
#include "mlir-prof/Module/ModuleIndex.h"
#include "mlir-prof/Module/SourceChains.h"
#include "mlir-prof/Profile/OpKey.h"

#include <map>
#include <optional>

namespace mlirprof::match {

/// Matches code that is identified by debug lines (SourceLineKey) with the ops
/// whose locations have these. The innermost line that an op has counts: the
/// callee owns the time of inlined code. Files are compared by their names and
/// by their folders as far as these help, since models are compiled in one
/// place and examined in another.
class LineMatcher {
public:
  explicit LineMatcher(const module::ModuleIndex &index) : index(index) {}

  /// `chain`: innermost first.
  attribution::Match match(llvm::ArrayRef<profile::SourcePosition> chain);

private:
  /// The name of a file without its folder, and a line.
  using Line = std::pair<llvm::StringRef, uint32_t>;

  void readLines();
  llvm::SmallVector<uint32_t>
  findOps(const profile::SourcePosition &position) const;
  void narrowByCallers(llvm::ArrayRef<profile::SourcePosition> callers,
                       llvm::SmallVector<uint32_t> &ops);

  const module::ModuleIndex &index;
  bool isRead = false;
  std::map<Line, std::vector<uint32_t>> byLine;
  /// Chains of all ops, computed if two could not be distinguished.
  std::optional<profile::SourceChains> chains;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_RECORDED_LINEMATCHER_H
