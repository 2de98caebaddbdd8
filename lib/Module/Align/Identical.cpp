//===- Identical.cpp - Modules with the same ops in the same order --------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pairing.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::module::align;
using namespace mlirprof::trace;

/// Whether values or names tell that ops of one kind have changed places: one
/// that is new where it is, and was elsewhere before.
static bool hasMoved(const Side &before, const Side &after,
                     const std::vector<Hash> Features::*what) {
  llvm::DenseMap<Hash, uint32_t> places;
  const std::vector<Hash> &old = before.features.*what;
  const std::vector<Hash> &now = after.features.*what;
  auto getKey = [&](Hash value, uint32_t node) {
    return combine(value, before.features.label[node]) >> 1;
  };
  for (uint32_t node = 0; node != old.size(); ++node)
    if (old[node])
      ++places[getKey(old[node], node)];
  for (uint32_t node = 0; node != now.size(); ++node)
    if (now[node] && now[node] != old[node] &&
        places.lookup(getKey(now[node], node)) == 1)
      return true;
  return false;
}

bool align::areIdentical(const Side &before, const Side &after) {
  const Features &a = before.features, &b = after.features;
  if (a.ops != b.ops || a.label != b.label || a.parent != b.parent)
    return false;
  for (uint32_t node = 0; node != a.ops; ++node)
    if (!llvm::equal(a.getOperands(node), b.getOperands(node),
                     [](const Edge &x, const Edge &y) {
                       return x.node == y.node && x.port == y.port;
                     }))
      return false;
  if (hasMoved(before, after, &Features::content))
    return false;
  // Names that were all given anew tell nothing; the same names elsewhere do.
  Colors namesBefore = a.name, namesAfter = b.name;
  llvm::sort(namesBefore);
  llvm::sort(namesAfter);
  return namesBefore != namesAfter || !hasMoved(before, after, &Features::name);
}
