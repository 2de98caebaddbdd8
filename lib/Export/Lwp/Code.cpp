//===- Code.cpp - Where the code of functions and loops is ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../Report/ProgramTimes.h"
#include "Regions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::lwp;

namespace {

/// Of each node the innermost regions that its code is in: code may have come
/// from several places.
class RegionsOfNodes {
public:
  RegionsOfNodes(const Program &program, uint32_t index,
                 llvm::ArrayRef<Region> regions);

  std::vector<llvm::SmallVector<uint32_t, 1>> lists;

private:
  void resolve(uint32_t node);
  void resolveOne(uint32_t node);

  static constexpr size_t kMost = 8;
  const Program &program;
  std::vector<bool> isDone;
};

} // namespace

RegionsOfNodes::RegionsOfNodes(const Program &program, uint32_t index,
                               llvm::ArrayRef<Region> regions)
    : lists(program.nodes.size()), program(program),
      isDone(program.nodes.size()) {
  for (auto [number, region] : llvm::enumerate(regions)) {
    if (region.program != index || region.node >= lists.size())
      continue;
    // Of several probes at one op, the innermost; they come in pre-order.
    lists[region.node].assign(1, uint32_t(number));
    isDone[region.node] = true;
  }
  // Origins are of earlier levels.
  std::vector<std::vector<uint32_t>> nodes(program.levels.size());
  for (auto [node, info] : llvm::enumerate(program.nodes))
    nodes[info.level].push_back(uint32_t(node));
  for (const std::vector<uint32_t> &level : nodes)
    for (uint32_t node : level)
      resolve(node);
}

/// Containers first.
void RegionsOfNodes::resolve(uint32_t node) {
  llvm::SmallVector<uint32_t> path;
  for (; node != kNone && !isDone[node]; node = program.nodes[node].container)
    path.push_back(node);
  for (uint32_t waiting : llvm::reverse(path))
    resolveOne(waiting);
}

void RegionsOfNodes::resolveOne(uint32_t node) {
  const ProgramNode &info = program.nodes[node];
  llvm::SmallVector<uint32_t, 1> &list = lists[node];
  isDone[node] = true;
  for (uint32_t parent : info.parents)
    for (uint32_t region : lists[parent])
      if (list.size() < kMost && !llvm::is_contained(list, region))
        list.push_back(region);
  if (list.empty() && info.container != kNone)
    list = lists[info.container];
}

/// What the importers of light-weight profiling note: "code 0x10 to 0x20".
static void readLocation(llvm::StringRef text, Region &region) {
  uint64_t begin, end;
  if (text.consume_front("code ") && !text.consumeInteger(0, begin) &&
      text.consume_front(" to ") && !text.getAsInteger(0, end)) {
    region.begin = begin;
    region.end = end;
  }
}

void lwp::findCode(const Profile &profile, uint32_t index,
                   std::vector<Region> &regions) {
  const Program &program = profile.programs[index];
  if (program.instructions.empty()) {
    for (Region &region : regions)
      if (region.program == index && region.node < program.nodes.size())
        readLocation(getString(program, program.nodes[region.node].location),
                     region);
    return;
  }
  RegionsOfNodes regionsOf(program, index, regions);
  auto extend = [&](uint32_t number, uint64_t begin, uint64_t end) {
    for (; number != kNone; number = regions[number].parent) {
      Region &region = regions[number];
      // What holds this one holds all of that already.
      if (region.end && region.begin <= begin && region.end >= end)
        return;
      region.begin = region.end ? std::min(region.begin, begin) : begin;
      region.end = std::max(region.end, end);
    }
  };
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction &instruction = program.instructions[i];
    if (instruction.node == kNone)
      continue;
    uint64_t begin = instruction.address;
    uint64_t end = i + 1 < program.instructions.size()
                       ? program.instructions[i + 1].address
                       : begin + 1;
    for (uint32_t region : regionsOf.lists[instruction.node])
      extend(region, begin, end);
  }
}
