//===- MatchBuilder.h - From names and candidates to a match ----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIRPROF_LIB_MATCH_MATCHBUILDER_H
#define MLIRPROF_LIB_MATCH_MATCHBUILDER_H

#include "mlir-prof/Attribution/Ownership.h"
#include "llvm/ADT/ArrayRef.h"

#include <map>
#include <string>

namespace mlirprof::match {

/// The ops found for each name of one op key.
class MatchBuilder {
public:
  /// Adds `name`, for which ops are searched.
  void addName(llvm::StringRef name) { found[name.str()]; }
  /// Adds `ops` for `name`, found by evidence at least as good as `tier`.
  void addOps(llvm::StringRef name, llvm::ArrayRef<uint32_t> ops,
              attribution::MatchTier tier);
  bool hasNames() const { return !found.empty(); }
  size_t getNameCount() const { return found.size(); }

  /// The match, without weights. `reason` is the reason for not having one, in
  /// case there is no name.
  attribution::Match build(llvm::StringRef reason) const;

private:
  std::map<std::string, std::vector<uint32_t>> found;
  attribution::MatchTier worst = attribution::MatchTier::LocationPath;
};

} // namespace mlirprof::match

#endif // MLIRPROF_LIB_MATCH_MATCHBUILDER_H
