//===- SiteOrigins.h - What a dispatch of IREE was made of ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_IREE_SITEORIGINS_H
#define MLIR_PROF_LIB_IMPORT_IREE_SITEORIGINS_H

#include "StreamDump.h"
#include "mlir-prof/Profile/OpKey.h"

#include <vector>

namespace mlirprof::importer::iree {

/// Says of dispatches whose place is known what the dump tells of it.
class SiteOrigins {
public:
  /// `dump` must outlive this.
  explicit SiteOrigins(const StreamDump &dump);

  /// Sets place and origins of `key`, a DispatchKey, which ran at the dispatch
  /// `position` of `execute`, as addDispatchSites() says.
  void set(profile::OpKey &key, uint32_t execute, uint32_t position) const;

private:
  /// Which of the sites of a group it is, in order of the text.
  struct Rank {
    uint32_t group;
    uint32_t ordinal;
  };

  const DumpBody *findBody(const DumpSite &site, llvm::StringRef name) const;
  std::string getLookalike(const DumpSite &site) const;
  bool isOwnBody(const DumpSite &site, const DumpBody &body) const;
  void addOrigins(std::vector<profile::OriginNode> &nodes, uint32_t location,
                  llvm::StringRef op, Rank rank) const;

  const StreamDump &dump;
  /// By execute and position.
  std::vector<std::vector<Rank>> ranks;
  /// How many sites a group has: those of which the same can be told.
  std::vector<uint32_t> groupSizes;
  /// How many sites have an entry.
  llvm::StringMap<uint32_t> uses;
};

} // namespace mlirprof::importer::iree

#endif // MLIR_PROF_LIB_IMPORT_IREE_SITEORIGINS_H
