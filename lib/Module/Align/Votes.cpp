//===- Votes.cpp - Pairs that neighbors agree on --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Votes.h"
#include "mlir-prof/Trace/Event.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::module::align;
using namespace mlirprof::trace;

void Votes::add(uint32_t from, uint32_t to, uint32_t votes) {
  if (to != kNone)
    pairs[{from, to}] += votes;
}

namespace {

/// The highest number of votes for a pair of a node, and the next highest.
struct Most {
  uint64_t first = 0;
  uint64_t second = 0;

  void add(uint64_t votes) {
    second = std::max(second, std::min(first, votes));
    first = std::max(first, votes);
  }
  bool isClearly(uint64_t votes, uint64_t ratio) const {
    return votes == first && first > second * ratio;
  }
};

} // namespace

std::vector<std::pair<uint32_t, uint32_t>> Votes::elect(uint32_t least,
                                                        uint32_t ratio) const {
  llvm::DenseMap<uint32_t, Most> before, after;
  for (const auto &[pair, votes] : pairs) {
    before[pair.first].add(votes);
    after[pair.second].add(votes);
  }
  std::vector<std::pair<uint32_t, uint32_t>> elected;
  for (const auto &[pair, votes] : pairs)
    if (votes >= least && before[pair.first].isClearly(votes, ratio) &&
        after[pair.second].isClearly(votes, ratio))
      elected.push_back(pair);
  return elected;
}
