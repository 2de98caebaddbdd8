//===- SiteOrigins.h - Origins of IREE's dispatches -------------*- C++ -*-===//
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

/// Adds the dump's facts to dispatches whose place is known.
class SiteOrigins {
public:
  /// `dump` must outlive this.
  explicit SiteOrigins(const StreamDump &dump);

  /// Sets place and origins of `key`, a DispatchKey, which ran at the dispatch
  /// `position` of `execute`, as described at addDispatchSites().
  void set(profile::OpKey &key, uint32_t execute, uint32_t position) const;

private:
  /// The position of a site in its group, in order of the text.
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
  /// Number of sites of each group, which share their facts.
  std::vector<uint32_t> groupSizes;
  /// Number of sites of each entry.
  llvm::StringMap<uint32_t> uses;
};

} // namespace mlirprof::importer::iree

#endif // MLIR_PROF_LIB_IMPORT_IREE_SITEORIGINS_H
