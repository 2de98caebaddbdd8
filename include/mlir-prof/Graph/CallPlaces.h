//===- CallPlaces.h - Where functions are called ----------------*- C++ -*-===//
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

/// In how many places each of `functions` runs: the number of paths of calls
/// that lead to it from functions that nothing calls. `calls` are pairs of
/// caller and callee, one for each call. 0 for functions that call themselves,
/// also through others, and for what these call: their calls cannot be counted.
/// More than 32 bits hold are 2^32 - 1. O(functions + calls).
///
/// `order`, when given, gets the functions that can be counted, callers first.
std::vector<uint32_t>
countCallPlaces(uint32_t functions,
                llvm::ArrayRef<std::pair<uint32_t, uint32_t>> calls,
                std::vector<uint32_t> *order = nullptr);

} // namespace mlirprof::graph

#endif // MLIR_PROF_GRAPH_CALLPLACES_H
