//===- CallInstances.h - Functions by their paths of calls ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_TORCH_CALLINSTANCES_H
#define MLIR_PROF_LIB_MATCH_TORCH_CALLINSTANCES_H

#include "mlir-prof/Match/ModuleGraph.h"
#include "mlir-prof/Module/ModuleIndex.h"

#include <map>
#include <tuple>

namespace mlirprof::match {

/// A function along one path of calls, or along all.
struct CallInstance {
  /// Index into ModuleIndex::getFunctions.
  uint32_t function = 0;
  /// The calls that it represents: op and the caller's instance. Empty for
  /// functions that nothing calls, and for separate ones.
  llvm::SmallVector<std::pair<uint32_t, uint32_t>, 1> calls;
};

/// The instances of all functions of a module. With CallDrawing::Once each has
/// one. With CallDrawing::Instances each has one for each path of calls; but
/// functions that call themselves, those that contain others, and those that
/// would exceed the limit are separate, and so are their callees.
class CallInstances {
public:
  CallInstances(const module::ModuleIndex &index, CallDrawing drawing);

  const CallInstance &operator[](uint32_t instance) const {
    return instances[instance];
  }
  llvm::ArrayRef<uint32_t> of(uint32_t function) const {
    return byFunction[function];
  }
  /// The number of places in which the only instance of `function` runs: 1 for
  /// one of several instances, 0 if unknown.
  uint32_t placesOf(uint32_t function) const { return places[function]; }
  /// The instance of `callee` that `call` in `caller` runs; kNone if that is
  /// separate.
  uint32_t find(uint32_t caller, uint32_t call, uint32_t callee) const;
  /// The instance of `function` to which the calls lead, innermost first; kNone
  /// if they are not a path to it.
  uint32_t find(uint32_t function, llvm::ArrayRef<uint32_t> calls) const;

private:
  void addOnce();
  void addPaths();
  bool canExpand(uint32_t function, size_t &budget) const;
  uint32_t add(uint32_t function);

  const module::ModuleIndex &index;
  std::vector<CallInstance> instances;
  std::vector<llvm::SmallVector<uint32_t, 1>> byFunction;
  std::vector<uint32_t> places;
  /// Calls by callee, in module order.
  std::vector<llvm::SmallVector<const module::IndexedCall *, 1>> callsOf;
  /// By the caller's instance, op and callee.
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> byCall;
};

/// Time that a profile attributes to one instance of an op.
using InstanceTimes = std::map<std::pair<uint32_t, uint32_t>, int64_t>;

/// By op number and instance: the time measured in inlined code, whose nodes
/// know the calls through which it was inlined.
InstanceTimes getInstanceTimes(const profile::Profile &profile,
                               const attribution::Ownership &ownership,
                               const module::ModuleIndex &index,
                               const CallInstances &instances);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_TORCH_CALLINSTANCES_H
