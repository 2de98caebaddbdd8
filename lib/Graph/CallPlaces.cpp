//===- CallPlaces.cpp - Number of places functions run in -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/CallPlaces.h"
#include "mlir-prof/Graph/Order.h"
#include "llvm/Support/MathExtras.h"

using namespace mlirprof;
using namespace mlirprof::graph;

std::vector<uint32_t>
graph::countCallPlaces(uint32_t functions,
                       llvm::ArrayRef<std::pair<uint32_t, uint32_t>> calls,
                       std::vector<uint32_t> *order) {
  std::vector<Edge> edges;
  std::vector<uint32_t> missing(functions), places(functions);
  for (auto [caller, callee] : calls) {
    if (caller >= functions || callee >= functions)
      continue;
    edges.push_back({caller, callee});
    ++missing[callee];
  }
  Adjacency callees(functions, edges);
  std::vector<uint32_t> ready;
  for (uint32_t function = 0; function < functions; ++function)
    if (missing[function] == 0) {
      places[function] = 1;
      ready.push_back(function);
    }
  // Functions in or behind a cycle never become ready.
  std::vector<uint32_t> counted(functions);
  for (size_t next = 0; next < ready.size(); ++next) {
    uint32_t caller = ready[next];
    for (uint32_t edge : callees.edgesOf(caller)) {
      uint32_t callee = edges[edge].to;
      counted[callee] = llvm::SaturatingAdd(counted[callee], places[caller]);
      if (--missing[callee] != 0)
        continue;
      places[callee] = counted[callee];
      ready.push_back(callee);
    }
  }
  if (order)
    *order = std::move(ready);
  return places;
}
