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

/// Matches code that is known by its debug lines (SourceLineKey) with the
/// ops whose locations have these. The innermost line that an op has counts:
/// the callee owns the time of what was inlined. Files are compared by their
/// names and as much of their folders as helps, since models are compiled in
/// one place and looked at in another.
class LineMatcher {
public:
  explicit LineMatcher(const module::ModuleIndex &index) : index(index) {}

  /// `chain`: the innermost first.
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
  /// Of all ops, once two could not be told apart.
  std::optional<profile::SourceChains> chains;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_RECORDED_LINEMATCHER_H
