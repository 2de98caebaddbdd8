//===- CompiledCalls.cpp - Kernels of torch.compile to ops ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompiledCalls.h"
#include "MatchBuilder.h"
#include "TorchWork.h"
#include "llvm/ADT/STLExtras.h"

#include <array>

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
    for (uint32_t call = 0; call < moduleCalls.size(); ++call)
      if (mayBecome(moduleCalls[call].name, name))
        it->second.calls.push_back(call);
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

/// The sizes of a product of matrices: rows, terms of a sum, columns, and
/// whether something is added. Nothing where shapes do not tell.
using ProductSizes = std::array<uint64_t, 4>;

static std::optional<ProductSizes>
getSizes(StringRef name, llvm::ArrayRef<std::vector<int64_t>> shapes) {
  name = getPlainName(name);
  // The op may be given where to write its result, as a last operand.
  bool addsFirst = name == "addmm" || name == "baddbmm";
  if (!addsFirst && name != "linear" && name != "matmul" && name != "mm" &&
      name != "bmm")
    return std::nullopt;
  size_t first = addsFirst;
  if (shapes.size() < first + 2)
    return std::nullopt;
  bool hasBias = addsFirst || (name == "linear" && shapes.size() == 3);
  llvm::ArrayRef<int64_t> left = shapes[first], right = shapes[first + 1];
  if (left.empty() || right.size() < 2 || left.back() <= 0)
    return std::nullopt;
  uint64_t rows = 1;
  for (int64_t size : left.drop_back())
    rows *= uint64_t(size);
  // "linear" has its weights transposed.
  int64_t columns = name == "linear" ? right.front() : right.back();
  return ProductSizes{rows, uint64_t(left.back()), uint64_t(columns), hasBias};
}

CompiledCalls::Group CompiledCalls::narrowBySizes(const Group &group,
                                                  uint32_t unit) const {
  auto getRecorded = [&](uint32_t number) {
    return getSizes(calls.getKey(number).op, calls[number].shapes);
  };
  std::optional<ProductSizes> sizes = getRecorded(unit);
  if (!sizes)
    return group;
  Group narrow;
  for (uint32_t other : group.units)
    if (getRecorded(other) == sizes)
      narrow.units.push_back(other);
  for (uint32_t call : group.calls)
    if (getSizes(moduleCalls[call].name, moduleCalls[call].shapes) == sizes)
      narrow.calls.push_back(call);
  return narrow;
}

std::optional<Match> CompiledCalls::match(uint32_t unit) const {
  auto names = namesOf.find(unit);
  if (names == namesOf.end())
    return std::nullopt;
  bool isFused = !getFusedNames(calls.getKey(unit).op).empty();
  MatchBuilder builder;
  for (const std::string &name : names->second) {
    auto group = groups.find({isFused, name});
    // An op outside of the model is of no name here.
    bool isLeftOut = isFused && isTorchView(name) && !group->second.fits();
    if (group->second.calls.empty() || isLeftOut)
      continue;
    builder.addName(name);
    const Group *alike = &group->second;
    Group narrow;
    if (!alike->fits()) {
      narrow = narrowBySizes(*alike, unit);
      alike = &narrow;
    }
    if (!alike->fits())
      continue;
    size_t place =
        size_t(llvm::find(alike->units, unit) - alike->units.begin());
    builder.addOps(name, {moduleCalls[alike->calls[place]].ops.front()},
                   alike->calls.size() == 1 ? MatchTier::Opcode
                                            : MatchTier::ExecutionOrder);
  }
  if (!builder.hasNames())
    return std::nullopt;
  Match match = builder.build("");
  if (match.matchClass == MatchClass::None)
    match.reason = "another number of kernels than of ops bears its name";
  return match;
}
