//===- StreamModule.h - IREE's own module of a model ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_IREE_STREAMMODULE_H
#define MLIR_PROF_LIB_MATCH_IREE_STREAMMODULE_H

#include "mlir-prof/Attribution/Ownership.h"
#include "mlir-prof/Module/ModuleIndex.h"
#include "llvm/ADT/StringMap.h"

namespace mlirprof::match {

/// The places in a module of IREE's stream phase from which dispatches come.
/// Empty for other modules, such as the model.
class StreamModule {
public:
  explicit StreamModule(const module::ModuleIndex &index);

  bool empty() const { return sites.empty(); }
  /// The dispatch at the place of `key`, and the ops of the function that it
  /// runs. They share the time: other places may run the same function.
  attribution::Match match(const profile::OpKey &key) const;

private:
  const module::ModuleIndex &index;
  /// Dispatches by their place, "EXECUTE/DISPATCH", and the bodies of functions
  /// by "EXECUTABLE::FUNCTION".
  llvm::StringMap<uint32_t> sites;
  llvm::StringMap<uint32_t> bodies;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_IREE_STREAMMODULE_H
