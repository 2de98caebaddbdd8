//===- Loss.cpp - Data that could not be kept -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Loss.h"

#include <limits>

using namespace mlirprof;

/// Names the rest by the limit, because counting distinct names would require
/// storing them.
static std::string nameOfRest() {
  return "other losses (more than " + std::to_string(LossList::kMaxNames) +
         " names)";
}

void LossList::add(std::string_view name, uint64_t count, int64_t timePs) {
  size_t at = losses.size();
  if (auto it = byName.find(name); it != byName.end())
    at = it->second;
  else if (byName.size() < kMaxNames)
    byName.emplace(name, at);
  else
    at = kMaxNames;
  if (at == losses.size())
    losses.push_back(
        {at == kMaxNames ? nameOfRest() : std::string(name), 0, 0});
  Loss &loss = losses[at];
  if (__builtin_add_overflow(loss.count, count, &loss.count))
    loss.count = std::numeric_limits<uint64_t>::max();
  if (__builtin_add_overflow(loss.timePs, timePs, &loss.timePs))
    loss.timePs = timePs < 0 ? std::numeric_limits<int64_t>::min()
                             : std::numeric_limits<int64_t>::max();
}
