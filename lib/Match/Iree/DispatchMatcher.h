//===- DispatchMatcher.h - Dispatches of IREE to ops ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_IREE_DISPATCHMATCHER_H
#define MLIR_PROF_LIB_MATCH_IREE_DISPATCHMATCHER_H

#include "../KeyMatcher.h"
#include "StreamModule.h"
#include "llvm/ADT/StringMap.h"

namespace mlirprof::match {

/// Matches the dispatches that IREE ran (DispatchKey) by the places that
/// addDispatchSites() found for them: in the model by the locations of their
/// origins, in the compiler's own module of the stream phase by the places
/// themselves.
class DispatchMatcher : public KeyMatcher {
public:
  DispatchMatcher(const module::ModuleIndex &index,
                  const profile::Profile &profile);

  attribution::Match match(uint32_t key) override;

private:
  using Ops = llvm::SmallVector<uint32_t>;
  /// The ops found for one origin.
  struct Found {
    Ops ops;
    attribution::MatchTier tier = attribution::MatchTier::LocationPath;
  };

  void indexFrames();
  Found find(const profile::OriginNode &node) const;
  Ops findFrame(llvm::StringRef position) const;
  std::vector<Found> findAll(llvm::ArrayRef<profile::OriginNode> origins) const;
  attribution::Match matchModel(const profile::OpKey &key) const;
  attribution::Match matchAlike(const profile::OpKey &key) const;

  const module::ModuleIndex &index;
  const profile::Profile &profile;
  /// Ops by "LINE:COLUMN" and the file's name without its folders.
  llvm::StringMap<Ops> byFrame;
  /// Dispatches whose ops are known, by the function that they ran.
  llvm::StringMap<llvm::ArrayRef<profile::OriginNode>> known;
  StreamModule sites;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_IREE_DISPATCHMATCHER_H
