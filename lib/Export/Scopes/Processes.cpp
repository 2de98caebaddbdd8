//===- Processes.cpp - The processes of recorded scopes -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Processes.h"
#include "mlir-prof/Profile/RunTables.h"
#include "mlir-prof/Scope/Recording.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;

Processes::Processes(const Profile &profile)
    : profile(profile), machines(nameMachines(profile)) {
  for (uint32_t run = 0; run != profile.runs.size(); ++run)
    if (profile.runs[run].scopes)
      parents.try_emplace(getKey(run), profile.runs[run].scopes->parentProcess);
}

Processes::Key Processes::getKey(uint32_t run) const {
  return {machines[run], profile.runs[run].scopes->process};
}

std::string Processes::makeName(const Key &key) {
  std::string name = "process " + std::to_string(key.second);
  return key.first.empty() ? name : name + " on " + key.first;
}

std::string Processes::getName(uint32_t run) const {
  return makeName(getKey(run));
}

std::string Processes::getNameWithParent(uint32_t run) const {
  std::string name = getName(run);
  const scope::Recording &recording = *profile.runs[run].scopes;
  uint64_t parent = recording.parentProcess;
  if (parent == 0 || parent == recording.process ||
      !parents.count({machines[run], parent}))
    return name;
  return name + ", child of " + std::to_string(parent);
}

std::vector<std::string> Processes::getNames(uint32_t run) const {
  std::vector<std::string> names;
  if (parents.size() < 2)
    return names;
  std::vector<uint64_t> chain;
  for (auto at = parents.find(getKey(run));
       at != parents.end() && !llvm::is_contained(chain, at->first.second);
       at = parents.find({machines[run], at->second})) {
    chain.push_back(at->first.second);
    names.push_back(makeName(at->first));
  }
  std::reverse(names.begin(), names.end());
  return names;
}
