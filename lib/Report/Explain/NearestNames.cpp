//===- NearestNames.cpp - Similar names -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NearestNames.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::report;

NearestNames::NearestNames(llvm::StringRef wanted, size_t limit)
    : wanted(wanted.take_front(kMaxLength)), limit(limit) {}

void NearestNames::add(llvm::StringRef name) {
  if (name.empty() || wanted.empty())
    return;
  size_t difference = std::max(name.size(), wanted.size()) -
                      std::min(name.size(), wanted.size());
  if (name.contains(wanted)) {
    best.insert({0, difference, name});
  } else {
    // A name with edits to more than half of its letters is not similar; a name
    // worse than all kept ones need not be compared.
    size_t most = wanted.size() / 2;
    if (best.size() >= limit)
      most = std::min(most, std::get<1>(*best.rbegin()));
    if (difference > most || name.size() > 2 * kMaxLength ||
        (best.size() >= limit && std::get<0>(*best.rbegin()) == 0))
      return;
    size_t distance = wanted.edit_distance(name, /*AllowReplacements=*/true,
                                           std::max<unsigned>(1, most));
    if (distance > most)
      return;
    best.insert({1, distance, name});
  }
  if (best.size() > limit)
    best.erase(std::prev(best.end()));
}

std::vector<std::string> NearestNames::take() const {
  std::vector<std::string> names;
  for (const auto &[kind, distance, name] : best)
    names.push_back(name.str());
  return names;
}
