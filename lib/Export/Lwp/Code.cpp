//===- Code.cpp - Code ranges of functions and loops ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::exporter::lwp;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

namespace {

/// The innermost regions of each node's code, which may have several origins.
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
    // Among several probes at one op, the innermost; they come in pre-order.
    lists[region.node].assign(1, uint32_t(number));
    isDone[region.node] = true;
  }
  // Origins are at earlier levels.
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

/// Parses the location as importers of light-weight profiling store it: "code
/// 0x10 to 0x20".
static void readLocation(llvm::StringRef text, Region &region) {
  uint64_t begin, end;
  if (text.consume_front("code ") && !text.consumeInteger(0, begin) &&
      text.consume_front(" to ") && !text.getAsInteger(0, end)) {
    region.begin = begin;
    region.end = end;
  }
}

namespace {

/// Finds the longest stretch of code of each region. Code that the compiler has
/// moved away from it (cold paths, code hoisted out of a loop) would otherwise
/// make it overlap its neighbors.
class RunFinder {
public:
  RunFinder(const Program &program, uint32_t index,
            std::vector<Region> &regions)
      : program(program), regions(regions), regionsOf(program, index, regions),
        best(regions.size()), current(regions.size()) {}

  /// Call in order of addresses.
  void take(uint32_t instruction);
  void finish();

private:
  /// Instructions [first, last], of which `count` belong to the region.
  struct Stretch {
    uint32_t first = 0;
    uint32_t last = 0;
    uint32_t count = 0;
  };
  llvm::ArrayRef<uint32_t> getRegions(uint32_t instruction) const {
    uint32_t node = program.instructions[instruction].node;
    if (node == kNone)
      return {};
    return regionsOf.lists[node];
  }
  bool isAround(uint32_t outer, uint32_t inner) const;
  bool continues(uint32_t region, uint32_t last, uint32_t next) const;
  void extend(uint32_t region, uint32_t instruction);
  void close(uint32_t region);

  /// Limit on the instructions in between that do not belong to another region.
  static constexpr uint32_t kMostBetween = 64;
  const Program &program;
  std::vector<Region> &regions;
  RegionsOfNodes regionsOf;
  std::vector<Stretch> best;
  std::vector<Stretch> current;
};

} // namespace

bool RunFinder::isAround(uint32_t outer, uint32_t inner) const {
  while (inner != kNone && inner != outer)
    inner = regions[inner].parent;
  return inner == outer;
}

/// Whether all code in between belongs to no region, or to a region around this
/// one.
bool RunFinder::continues(uint32_t region, uint32_t last, uint32_t next) const {
  if (next - last > kMostBetween)
    return false;
  for (uint32_t i = last + 1; i < next; ++i)
    for (uint32_t other : getRegions(i))
      if (!isAround(other, region))
        return false;
  return true;
}

void RunFinder::close(uint32_t region) {
  if (current[region].count > best[region].count)
    best[region] = current[region];
  current[region] = {};
}

void RunFinder::extend(uint32_t region, uint32_t instruction) {
  Stretch &stretch = current[region];
  // The instruction was reached by two paths into the same region.
  if (stretch.count && stretch.last == instruction)
    return;
  if (stretch.count && !continues(region, stretch.last, instruction))
    close(region);
  if (stretch.count == 0)
    stretch.first = instruction;
  stretch.last = instruction;
  ++stretch.count;
}

void RunFinder::take(uint32_t instruction) {
  for (uint32_t region : getRegions(instruction))
    for (; region != kNone; region = regions[region].parent)
      extend(region, instruction);
}

void RunFinder::finish() {
  const std::vector<Instruction> &code = program.instructions;
  for (uint32_t region = 0; region < regions.size(); ++region) {
    close(region);
    const Stretch &stretch = best[region];
    if (stretch.count == 0)
      continue;
    regions[region].begin = code[stretch.first].address;
    regions[region].end = stretch.last + 1 < code.size()
                              ? code[stretch.last + 1].address
                              : code[stretch.last].address + 1;
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
  RunFinder finder(program, index, regions);
  for (uint32_t i = 0; i < program.instructions.size(); ++i)
    finder.take(i);
  finder.finish();
}
