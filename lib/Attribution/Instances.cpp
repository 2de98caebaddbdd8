//===- Instances.cpp - Dispatches that ran measured code ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Attribution/Instances.h"
#include "mlir-prof/Attribution/ProgramMatch.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

InstanceFinder::InstanceFinder(const Program &program) : program(program) {
  if (program.instances.empty())
    return;
  numbers.resize(program.instances.size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  for (uint32_t number : numbers)
    byKernel[program.instances[number].kernel].push_back(number);
  ancestors =
      std::make_unique<AncestorTable>(program, getInstanceLevel(program));
  functions = findFunctions(program);
  nodeOfLoop.resize(program.loops.size(), kNone);
  for (const Instruction &instruction : program.instructions)
    if (instruction.loop != kNone && instruction.node != kNone &&
        nodeOfLoop[instruction.loop] == kNone)
      nodeOfLoop[instruction.loop] = instruction.node;
}

/// Code without an identity is of the kernel that the rest of its loop is of.
uint32_t InstanceFinder::findNode(const OpKey &key) const {
  if (const auto *probe = key.getIf<ProbeKey>())
    return probe->probe < program.probes.size()
               ? program.probes[probe->probe].node
               : kNone;
  const auto *code = key.getIf<CodeKey>();
  if (!code || code->instruction >= program.instructions.size())
    return kNone;
  const Instruction &instruction = program.instructions[code->instruction];
  return instruction.node == kNone && instruction.loop != kNone
             ? nodeOfLoop[instruction.loop]
             : instruction.node;
}

/// Ascending, without repeats.
std::vector<uint32_t> InstanceFinder::getKernels(uint32_t node) const {
  std::vector<uint32_t> kernels;
  for (uint32_t origin : ancestors->get(node))
    if (uint32_t function = functions[origin];
        function != kNone && byKernel.contains(function))
      kernels.push_back(function);
  llvm::sort(kernels);
  kernels.erase(std::unique(kernels.begin(), kernels.end()), kernels.end());
  return kernels;
}

llvm::ArrayRef<uint32_t> InstanceFinder::findAll(uint32_t node) {
  if (!ancestors || node == kNone)
    return {};
  auto [entry, isNew] = known.try_emplace(node);
  if (!isNew)
    return entry->second;
  std::vector<uint32_t> kernels = getKernels(node);
  if (kernels.empty())
    return {};
  if (kernels.size() == 1)
    return entry->second = byKernel.find(kernels.front())->second;
  std::vector<uint32_t> &list = lists[kernels];
  if (list.empty()) {
    for (uint32_t kernel : kernels)
      llvm::append_range(list, byKernel.find(kernel)->second);
    llvm::sort(list);
  }
  return entry->second = list;
}

llvm::ArrayRef<uint32_t> InstanceFinder::find(const OpKey &key) {
  if (!ancestors)
    return {};
  llvm::ArrayRef<uint32_t> all = findAll(findNode(key));
  uint32_t named = getInstance(key);
  if (named >= numbers.size())
    return all;
  // Code outside of all kernels, such as a function that several of them call,
  // ran for the dispatch, too.
  bool isOne = all.empty() || std::binary_search(all.begin(), all.end(), named);
  return isOne ? llvm::ArrayRef(numbers[named]) : all;
}

uint64_t InstanceFinder::getWeight(uint32_t instance) const {
  return program.nodes[program.instances[instance].node].cost;
}

std::vector<InstancePart> InstanceFinder::split(const OpKey &key,
                                                int64_t timePs) {
  llvm::ArrayRef<uint32_t> found = find(key);
  if (found.empty())
    return {{kNone, timePs}};
  std::vector<uint64_t> weights;
  for (uint32_t instance : found)
    weights.push_back(getWeight(instance));
  std::vector<InstancePart> parts;
  for (auto [instance, part] :
       llvm::zip_equal(found, splitExactly(timePs, weights)))
    parts.push_back({instance, part});
  return parts;
}

ProfileInstances::ProfileInstances(const Profile &profile) {
  for (const Program &program : profile.programs) {
    programs.try_emplace(program.fingerprint, uint32_t(finders.size()));
    finders.emplace_back(program);
    isEmpty &= program.instances.empty();
  }
}

uint32_t ProfileInstances::findProgram(const OpKey &key) const {
  const std::string *fingerprint = findProgramOf(key);
  auto it = fingerprint ? programs.find(*fingerprint) : programs.end();
  return it == programs.end() ? kNone : it->second;
}

std::map<std::pair<uint32_t, uint32_t>, uint64_t>
attribution::countInstances(const Profile &profile, llvm::StringRef level) {
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> counts;
  ProfileInstances instances(profile);
  if (instances.empty())
    return counts;
  ProgramMatch match = matchProgramRows(profile, level);
  for (auto [row, number] :
       llvm::zip_equal(match.rows, match.ownership.numbers)) {
    if (row.program == kNone || row.node == kNone)
      continue;
    const Program &program = profile.programs[row.program];
    uint32_t node = findLevel(program, level) == program.levels.size()
                        ? program.instructions[row.node].node
                        : row.node;
    size_t count = instances.of(row.program).findAll(node).size();
    if (count > 1)
      counts[{number.program, number.index}] = count;
  }
  return counts;
}
