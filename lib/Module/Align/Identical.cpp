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

/// Whether values or names tell that nodes of one kind have changed places: one
/// that is new where it is, and was elsewhere before.
static bool hasMoved(llvm::ArrayRef<Hash> old, llvm::ArrayRef<Hash> now,
                     llvm::ArrayRef<Hash> labels) {
  llvm::DenseMap<Hash, uint32_t> places;
  auto getKey = [&](Hash value, size_t node) {
    return combine(value, labels[node]) >> 1;
  };
  for (auto [node, value] : llvm::enumerate(old))
    if (value)
      ++places[getKey(value, node)];
  for (auto [node, value] : llvm::enumerate(now))
    if (value && value != old[node] && places.lookup(getKey(value, node)) == 1)
      return true;
  return false;
}

/// Names that were all given anew tell nothing; the same names elsewhere do.
static bool haveNamesMoved(llvm::ArrayRef<Hash> old, llvm::ArrayRef<Hash> now,
                           llvm::ArrayRef<Hash> labels) {
  Colors before(old.begin(), old.end()), after(now.begin(), now.end());
  llvm::sort(before);
  llvm::sort(after);
  return before == after && hasMoved(old, now, labels);
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
  if (hasMoved(a.content, b.content, a.label))
    return false;
  // Arguments are nodes behind the ops. Not every parser names them.
  llvm::ArrayRef<Hash> old = a.name, now = b.name, labels = a.label;
  return !haveNamesMoved(old.take_front(a.ops), now.take_front(a.ops),
                         labels.take_front(a.ops)) &&
         !haveNamesMoved(old.drop_front(a.ops), now.drop_front(a.ops),
                         labels.drop_front(a.ops));
}
