//===- Loss.cpp - What was read and could not be kept -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Loss.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlirprof;

void LossList::add(llvm::StringRef name, uint64_t count, int64_t timePs) {
  auto it = llvm::find_if(losses, [&](Loss &l) { return l.name == name; });
  if (it == losses.end()) {
    losses.push_back({name.str(), count, timePs});
    return;
  }
  if (__builtin_add_overflow(it->count, count, &it->count))
    it->count = std::numeric_limits<uint64_t>::max();
  if (__builtin_add_overflow(it->timePs, timePs, &it->timePs))
    it->timePs = timePs < 0 ? std::numeric_limits<int64_t>::min()
                            : std::numeric_limits<int64_t>::max();
}
