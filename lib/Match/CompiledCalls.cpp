//===- CompiledCalls.cpp - Kernels of torch.compile to ops ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompiledCalls.h"
#include "MatchBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using llvm::StringRef;

CompiledCalls::CompiledCalls(const FrameworkCalls &calls,
                             llvm::ArrayRef<ModuleCall> moduleCalls)
    : calls(calls), moduleCalls(moduleCalls) {
  // Wrappers are open, and within a kernel nothing is.
  for (uint32_t unit : calls.getUnits(calls.getRoots(), {}))
    addUnit(unit);
}

CompiledCalls::Group &CompiledCalls::getGroup(bool isFused, StringRef name) {
  auto [it, isNew] = groups.try_emplace({isFused, name.str()});
  if (isNew)
    for (const ModuleCall &call : moduleCalls)
      if (mayBecome(call.name, name))
        it->second.ops.push_back(call.ops.front());
  return it->second;
}

void CompiledCalls::addUnit(uint32_t unit) {
  const OpKey &key = calls.getKey(unit);
  if (key.call.phase == CallPhase::Optimizer)
    return;
  StringRef fused = getFusedNames(key.op);
  std::vector<std::string> names =
      fused.empty() ? std::vector<std::string>{key.op} : splitNames(fused);
  for (const std::string &name : names)
    getGroup(!fused.empty(), name).units.push_back(unit);
  namesOf[unit] = std::move(names);
}

/// Names of ops have underscores in them, as has the list: takes the longest
/// that an op of the module can have become, and skips what none can.
std::vector<std::string> CompiledCalls::splitNames(StringRef names) const {
  std::vector<std::string> found;
  auto isKnown = [&](StringRef name) {
    return llvm::any_of(moduleCalls, [&](const ModuleCall &call) {
      return mayBecome(call.name, name);
    });
  };
  while (!names.empty()) {
    size_t length = names.size();
    while (length != 0 && length != StringRef::npos &&
           !isKnown(names.take_front(length)))
      length = names.take_front(length).rfind('_');
    if (length == 0 || length == StringRef::npos) {
      // A leading underscore belongs to the name behind it.
      size_t next = names.drop_front(1).find('_');
      names =
          next == StringRef::npos ? StringRef() : names.drop_front(next + 2);
      continue;
    }
    found.push_back(names.take_front(length).str());
    names = names.drop_front(std::min(names.size(), length + 1));
  }
  return found;
}

std::optional<Match> CompiledCalls::match(uint32_t unit) const {
  auto names = namesOf.find(unit);
  if (names == namesOf.end())
    return std::nullopt;
  bool isFused = !getFusedNames(calls.getKey(unit).op).empty();
  MatchBuilder builder;
  for (const std::string &name : names->second) {
    auto group = groups.find({isFused, name});
    const Group &alike = group->second;
    // An op outside of the model is of no name here.
    if (alike.ops.empty())
      continue;
    builder.addName(name);
    if (alike.units.size() != alike.ops.size())
      continue;
    size_t place = size_t(llvm::find(alike.units, unit) - alike.units.begin());
    builder.addOps(name, {alike.ops[place]},
                   alike.ops.size() == 1 ? MatchTier::Opcode
                                         : MatchTier::ExecutionOrder);
  }
  if (!builder.hasNames())
    return std::nullopt;
  Match match = builder.build("");
  if (match.matchClass == MatchClass::None)
    match.reason = "another number of kernels than of ops bears its name";
  return match;
}
