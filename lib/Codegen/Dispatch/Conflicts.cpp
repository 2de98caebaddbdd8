//===- Conflicts.cpp - Which dispatches wait for which --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conflicts.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Lets a piece begin at `at` if one contains it.
void ConflictFinder::cut(Pieces &pieces, int64_t at) {
  auto next = pieces.lower_bound(at);
  if (next == pieces.begin() || (next != pieces.end() && next->first == at))
    return;
  auto before = std::prev(next);
  if (before->second.end <= at)
    return;
  Piece rest = before->second;
  before->second.end = at;
  pieces.emplace_hint(next, at, std::move(rest));
}

void ConflictFinder::access(const ByteAccess &access,
                            std::vector<uint32_t> &found) {
  if (access.begin >= access.end)
    return;
  Pieces &pieces = memory[access.base];
  cut(pieces, access.begin);
  cut(pieces, access.end);
  int64_t covered = access.begin;
  auto place = pieces.lower_bound(access.begin);
  while (place != pieces.end() && place->first < access.end) {
    Piece &piece = place->second;
    if (piece.writer != kNone)
      found.push_back(piece.writer);
    if (access.isWrite) {
      llvm::append_range(found, piece.readers);
      place = pieces.erase(place);
      continue;
    }
    if (place->first > covered)
      pieces.emplace_hint(place, covered, Piece{place->first, kNone, {count}});
    piece.readers.push_back(count);
    covered = piece.end;
    ++place;
  }
  if (access.isWrite)
    pieces.emplace_hint(place, access.begin, Piece{access.end, count, {}});
  else if (covered < access.end)
    pieces.emplace_hint(place, covered, Piece{access.end, kNone, {count}});
}

/// Leaves out those that others of them wait for.
std::vector<uint32_t> ConflictFinder::reduce(std::vector<uint32_t> found) {
  llvm::sort(found, std::greater<>());
  found.erase(llvm::unique(found), found.end());
  std::bitset<kWindow> known;
  std::vector<uint32_t> kept;
  for (uint32_t before : found) {
    size_t distance = count - before;
    if (before == count || (distance <= kWindow && known[distance - 1]))
      continue;
    kept.push_back(before);
    if (distance > kWindow)
      continue;
    known |= waits[before] << distance;
    known.set(distance - 1);
  }
  waits.push_back(known);
  std::reverse(kept.begin(), kept.end());
  return kept;
}

std::vector<uint32_t> ConflictFinder::add(ArrayRef<ByteAccess> accesses) {
  std::vector<uint32_t> found;
  if (barrier != kNone)
    found.push_back(barrier);
  bool isAnywhere = llvm::any_of(
      accesses, [](const ByteAccess &access) { return access.isAnywhere; });
  if (isAnywhere) {
    for (uint32_t i = barrier == kNone ? 0 : barrier + 1; i != count; ++i)
      found.push_back(i);
    memory.clear();
    barrier = count;
  } else {
    for (const ByteAccess &one : accesses)
      access(one, found);
  }
  found = reduce(std::move(found));
  ++count;
  return found;
}
