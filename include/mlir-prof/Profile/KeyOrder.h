//===- KeyOrder.h - Order and identity of op keys ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_KEYORDER_H
#define MLIR_PROF_PROFILE_KEYORDER_H

#include "mlir-prof/Profile/OpKey.h"
#include "mlir-prof/Trace/IntegerMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlirprof::profile {

/// Below 0 if `a` comes first, 0 for equal keys. Reads each text once: there
/// may be millions of keys, most of one module.
int compareKeys(const OpKey &a, const OpKey &b);

inline bool operator==(const OpKey &a, const OpKey &b) {
  return compareKeys(a, b) == 0;
}
inline bool operator!=(const OpKey &a, const OpKey &b) { return !(a == b); }

/// The order of op keys.
struct OpKeyLess {
  bool operator()(const OpKey &a, const OpKey &b) const {
    return compareKeys(a, b) < 0;
  }
};

/// Equal for equal keys, and the same in every run of every program.
uint64_t hashKey(const OpKey &key);

/// Numbers keys that are stored elsewhere.
class KeyIndex {
public:
  /// The number of `key`; `next`, which becomes its number, if it is new.
  /// `getKey` returns the key of a number that was handed out.
  uint32_t findOrAdd(const OpKey &key, uint32_t next,
                     llvm::function_ref<const OpKey &(uint32_t number)> getKey);

private:
  /// The last number of each hash, and for each number the one before it.
  trace::IntegerMap last;
  std::vector<uint32_t> before;
};

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_KEYORDER_H
