//===- CallPlaces.h - Number of places functions run in ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_GRAPH_CALLPLACES_H
#define MLIR_PROF_GRAPH_CALLPLACES_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace mlirprof::graph {

/// The number of places in which each of `functions` runs: the number of call
/// paths that lead to it from functions without callers. `calls` are pairs of
/// caller and callee, one for each call. 0 for functions that call themselves,
/// directly or not, and for their callees: their places cannot be counted.
/// Saturates at 2^32 - 1. O(functions + calls).
///
/// If not null, `order` receives the countable functions, callers first.
std::vector<uint32_t>
countCallPlaces(uint32_t functions,
                llvm::ArrayRef<std::pair<uint32_t, uint32_t>> calls,
                std::vector<uint32_t> *order = nullptr);

} // namespace mlirprof::graph

#endif // MLIR_PROF_GRAPH_CALLPLACES_H
