//===- HloPairing.cpp - Pairs of recorded products and ops ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloPairing.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::match;
using namespace mlirprof::trace;

int64_t HloPairing::countNameless() const {
  return llvm::count_if(
      recorded, [](const HloProduct &product) { return product.isNameless; });
}

size_t HloPairing::countKnownParts(const ScopeName &name) const {
  for (size_t count = name.parts.size(); count > 0; --count)
    if (names.contains(name.getText(count)))
      return count;
  return 0;
}

llvm::SmallVector<uint32_t, 2> HloPairing::getLabels(llvm::StringRef name,
                                                     llvm::StringRef opcode) {
  ScopeName scopes(name);
  size_t count = countKnownParts(scopes);
  if (count == 0)
    return {};
  uint32_t label = addLabel(scopes, count);
  llvm::SmallVector<uint32_t, 2> result = {label};
  if (opcode.empty() || label >= byLabel.size())
    return result;
  for (uint32_t op : byLabel[label]) {
    uint32_t work = cost::isProduct(index[op].op)
                        ? kNone
                        : findFoldedWork(index, op, opcode);
    if (work != kNone)
      for (uint32_t own : labelsOf[work])
        if (!llvm::is_contained(result, own))
          result.push_back(own);
  }
  return result;
}

bool HloPairing::isOfProducts(uint32_t label) const {
  return label < byLabel.size() &&
         llvm::all_of(
             byLabel[label],
             [&](uint32_t op) { return cost::isProduct(index[op].op); });
}
