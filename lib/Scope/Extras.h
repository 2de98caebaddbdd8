//===- Extras.h - Amounts and devices of a recording ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SCOPE_EXTRAS_H
#define MLIR_PROF_LIB_SCOPE_EXTRAS_H

#include "Forest.h"

namespace mlirprof::scope {

/// Writes the amounts of events, and adds the cost of counting to theirs.
/// `eventOf` has the events of nodes, and `localOf` the events whose time
/// includes that of events, or kNoScope.
void writeCounts(const Blocks &blocks, const Extras &extras,
                 const std::vector<uint32_t> &eventOf,
                 const std::vector<uint32_t> &localOf, Recording &out);

/// Writes devices, and appends the events of their tracks, on the host's time.
void writeDevices(Blocks &blocks, const Extras &extras,
                  const std::vector<Node> &nodes,
                  const std::vector<uint32_t> &eventOf, const Window &window,
                  Recording &out);

} // namespace mlirprof::scope

#endif // MLIR_PROF_LIB_SCOPE_EXTRAS_H
