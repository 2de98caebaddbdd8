//===- Allocators.h - Memory of allocators over time ---------- -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_XPLANE_ALLOCATORS_H
#define MLIR_PROF_LIB_IMPORT_XPLANE_ALLOCATORS_H

#include "Space.h"
#include "mlir-prof/Profile/Job.h"
#include "mlir-prof/Profile/Profile.h"
#include "llvm/ADT/DenseMap.h"

#include <map>

namespace mlirprof::importer::xplane {

/// Collects the events of TensorFlow's allocators, in order of time. Each is a
/// node of the allocator's memory plan, and each block a tensor that lives from
/// its allocation to the event before its deallocation.
class Allocators {
public:
  /// Adds an event with these stats, the fields of an XEvent from its first
  /// stat on.
  void add(bool isAllocation, llvm::StringRef stats, Plane &plane,
           StatReader &reader);
  /// Adds the plans, if there are any, to the run.
  void finish(profile::Run &run);

private:
  /// The stats of an event; bytes are none if absent.
  struct EventFacts {
    std::string allocator;
    std::string op;
    std::optional<uint64_t> address;
    std::optional<uint64_t> bytes;
    /// In use after the event.
    std::optional<uint64_t> inUse;
  };
  struct Allocator {
    profile::MemoryPlan plan;
    /// Positions in MemoryPlan::tensors of the blocks that are in use.
    llvm::DenseMap<uint64_t, uint32_t> blocks;
    /// Bytes that blocks from before the first event take.
    uint64_t before = 0;
  };
  static EventFacts readFacts(llvm::StringRef stats, Plane &plane,
                              StatReader &reader);
  void addBlock(Allocator &allocator, const EventFacts &facts);
  void endBlock(Allocator &allocator, const EventFacts &facts);
  uint32_t addName(llvm::StringRef name);

  profile::JobRecord job;
  llvm::StringMap<uint32_t> names;
  std::map<std::string, Allocator> allocators;
};

} // namespace mlirprof::importer::xplane

#endif // MLIR_PROF_LIB_IMPORT_XPLANE_ALLOCATORS_H
