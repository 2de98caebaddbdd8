//===- ValueSums.cpp - Sums of observed values ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/ValueSums.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;

void ValueSums::add(const ValueTable &table) {
  Sum &sum = sums[Key(table.kind, table.program, table.node, table.instance,
                      table.names)];
  for (const ValueCount &entry : table.entries) {
    uint64_t &count = sum.counts[entry.tuple];
    count = llvm::SaturatingAdd(count, entry.count);
  }
  sum.other = llvm::SaturatingAdd(sum.other, table.other);
}

std::vector<ValueTable> ValueSums::take() {
  std::vector<ValueTable> tables;
  for (const auto &[key, sum] : sums) {
    const auto &[kind, program, node, instance, names] = key;
    ValueTable &table = tables.emplace_back(
        ValueTable{kind, program, node, names, {}, sum.other, instance});
    for (const auto &[tuple, count] : sum.counts)
      table.entries.push_back({tuple, count});
    llvm::stable_sort(table.entries,
                      [](const ValueCount &a, const ValueCount &b) {
                        return a.count > b.count;
                      });
  }
  sums.clear();
  return tables;
}

std::vector<ValueTable> profile::sumValues(const Profile &profile) {
  ValueSums sums;
  for (const Run &run : profile.runs)
    for (const ValueTable &table : run.values)
      sums.add(table);
  return sums.take();
}
