//===- CompiledCalls.cpp - Kernels of torch.compile to ops ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompiledCalls.h"
#include "../MatchBuilder.h"
#include "TorchWork.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

/// Whether `kernel` finishes the reduction that the kernel `before` it began:
/// the compiler splits a long one into two kernels with the same names.
static bool finishesReduction(StringRef kernel, StringRef before) {
  auto reduces = [](StringRef name) {
    return name.starts_with("triton_red_") || name.starts_with("triton_per_");
  };
  return reduces(kernel) && reduces(before) &&
         getFusedNames(kernel) == getFusedNames(before);
}

CompiledCalls::CompiledCalls(const FrameworkCalls &calls,
                             llvm::ArrayRef<ModuleCall> moduleCalls,
                             const llvm::StringSet<> &moduleNames)
    : calls(calls), moduleCalls(moduleCalls), moduleNames(moduleNames) {
  for (uint32_t number = 0; number < moduleCalls.size(); ++number)
    if (auto sizes =
            getSizes(moduleCalls[number].name, moduleCalls[number].shapes))
      products[withoutAddition(*sizes)].calls.push_back(number);
  std::vector<uint32_t> units = calls.getUnits(calls.getRoots(), moduleNames);
  StringRef before;
  for (uint32_t unit : units) {
    StringRef kernel = calls.getKey(unit).op;
    addUnit(unit, finishesReduction(kernel, before));
    before = kernel;
  }
  addAnchors(units);
}

CompiledCalls::Group &CompiledCalls::getGroup(bool isFused, StringRef name) {
  auto [it, isNew] = groups.try_emplace({isFused, name.str()});
  Group &group = it->second;
  if (!isNew)
    return group;
  for (uint32_t number = 0; number < moduleCalls.size(); ++number) {
    const ModuleCall &call = moduleCalls[number];
    if (!mayBecome(call.name, name))
      continue;
    group.calls.push_back(number);
    for (const std::vector<int64_t> &shape : call.shapes)
      group.hasDynamicSizes |=
          llvm::any_of(shape, [](int64_t size) { return size < 0; });
    if (std::optional<ProductSizes> sizes = getSizes(call.name, call.shapes))
      group.bySizes[*sizes].calls.push_back(number);
  }
  group.joined.calls = group.calls;
  return group;
}

void CompiledCalls::addUnit(uint32_t unit, bool isSecondPart) {
  const OpKey &key = calls.getKey(unit);
  if (calls.getCall(unit).phase == CallPhase::Optimizer)
    return;
  StringRef fused = getFusedNames(key.op);
  std::vector<std::string> names =
      fused.empty() ? std::vector<std::string>{key.op} : splitNames(fused);
  std::optional<ProductSizes> sizes = getSizes(unit);
  if (sizes)
    products[withoutAddition(*sizes)].addUnit(unit);
  for (const std::string &name : names) {
    Group &group = getGroup(!fused.empty(), name);
    group.addUnit(unit);
    if (isSecondPart)
      group.joined.addPart(unit);
    else
      group.joined.addUnit(unit);
    if (sizes)
      group.bySizes[*sizes].addUnit(unit);
  }
  namesOf[unit] = std::move(names);
}

/// Names of ops contain underscores, as does the list: takes the longest name
/// that an op of the module can have become, and skips the others.
std::vector<std::string> CompiledCalls::splitNames(StringRef names) const {
  std::vector<std::string> found;
  auto isKnown = [&](StringRef name) {
    return llvm::any_of(moduleNames.keys(), [&](StringRef exported) {
      return mayBecome(exported, name);
    });
  };
  while (!names.empty()) {
    size_t length = names.size();
    while (length != 0 && length != StringRef::npos &&
           !isKnown(names.take_front(length)))
      length = names.take_front(length).rfind('_');
    if (length == 0 || length == StringRef::npos) {
      // A leading underscore belongs to the name after it.
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

/// The product of sizes; none if one is unknown or the product overflows.
static std::optional<uint64_t> multiply(llvm::ArrayRef<int64_t> sizes) {
  uint64_t product = 1;
  for (int64_t size : sizes) {
    bool overflows = false;
    if (size > 0)
      product = llvm::SaturatingMultiply(product, uint64_t(size), &overflows);
    if (size <= 0 || overflows)
      return std::nullopt;
  }
  return product;
}

/// None if shapes do not tell.
std::optional<CompiledCalls::ProductSizes>
CompiledCalls::getSizes(StringRef name,
                        llvm::ArrayRef<std::vector<int64_t>> shapes) {
  name = getPlainName(name);
  // The op may have its destination as a last operand.
  bool addsFirst = name == "addmm" || name == "baddbmm";
  if (!addsFirst && name != "linear" && name != "matmul" && name != "mm" &&
      name != "bmm")
    return std::nullopt;
  size_t first = addsFirst;
  if (shapes.size() < first + 2)
    return std::nullopt;
  bool hasBias = addsFirst || (name == "linear" && shapes.size() == 3);
  llvm::ArrayRef<int64_t> left = shapes[first], right = shapes[first + 1];
  if (left.empty() || right.size() < 2)
    return std::nullopt;
  // "linear" has transposed weights.
  int64_t columns = name == "linear" ? right.front() : right.back();
  std::optional<uint64_t> rows = multiply(left.drop_back());
  if (!rows || left.back() <= 0 || columns <= 0)
    return std::nullopt;
  return ProductSizes{*rows, uint64_t(left.back()), uint64_t(columns), hasBias};
}

std::optional<CompiledCalls::ProductSizes>
CompiledCalls::getSizes(uint32_t unit) const {
  return getSizes(calls.getKey(unit).op, calls[unit].shapes);
}

/// The units and calls among which order decides for `unit`: all of its name,
/// else these with the parts of reductions joined, else those of its sizes,
/// else all products of its sizes, as a later kernel may do the addition of an
/// op. If the module leaves a size open, its op may belong to any unit.
const CompiledCalls::Alike &CompiledCalls::getAlike(const Group &group,
                                                    uint32_t unit) const {
  if (group.fits() || group.hasDynamicSizes)
    return group;
  if (group.joined.fits())
    return group.joined;
  std::optional<ProductSizes> sizes = getSizes(unit);
  if (!sizes)
    return group;
  if (auto narrow = group.bySizes.find(*sizes);
      narrow != group.bySizes.end() && narrow->second.fits())
    return narrow->second;
  auto product = products.find(withoutAddition(*sizes));
  return product == products.end() ? group : product->second;
}

/// The call of the module to which the unit belongs by its place among those
/// with its name.
std::optional<uint32_t>
CompiledCalls::findCall(const Group &group, uint32_t unit, bool isFused) const {
  const Alike &alike = getAlike(group, unit);
  auto place = alike.places.find(unit);
  if (alike.fits() && place != alike.places.end())
    return alike.calls[place->second];
  if (!isFused)
    return std::nullopt;
  return findBetween(unit, [&](uint32_t number) {
    return llvm::is_contained(group.calls, number);
  });
}

void CompiledCalls::addAnchors(llvm::ArrayRef<uint32_t> units) {
  for (uint32_t position = 0; position < units.size(); ++position) {
    uint32_t unit = units[position];
    positionOf.try_emplace(unit, position);
    auto names = namesOf.find(unit);
    if (names == namesOf.end() || names->second.size() != 1 ||
        !getFusedNames(calls.getKey(unit).op).empty())
      continue;
    auto group = groups.find({false, names->second.front()});
    if (group == groups.end())
      continue;
    if (auto call = findCall(group->second, unit, /*isFused=*/false))
      anchors.try_emplace(position, *call);
  }
}

/// The only call that is wanted from the library call before the unit to the
/// one after it. A compiler may change the order of calls: then there is none.
template <typename IsWanted>
std::optional<uint32_t> CompiledCalls::findBetween(uint32_t unit,
                                                   IsWanted isWanted) const {
  auto next = anchors.upper_bound(positionOf.lookup(unit));
  auto end = uint32_t(moduleCalls.size());
  uint32_t first = next == anchors.begin() ? 0 : std::prev(next)->second;
  uint32_t last = next == anchors.end() ? end : next->second + 1;
  std::optional<uint32_t> found;
  for (uint32_t call = first; call < last; ++call) {
    if (!isWanted(call))
      continue;
    if (found)
      return std::nullopt;
    found = call;
  }
  return found;
}

/// A kernel that only copies belongs to the op that may need a copy there.
std::optional<Match> CompiledCalls::matchCopy(uint32_t unit) const {
  if (!getFusedNames(calls.getKey(unit).op).contains("clone"))
    return std::nullopt;
  auto call = findBetween(unit, [&](uint32_t number) {
    StringRef name = getPlainName(moduleCalls[number].name);
    return name == "reshape" || name == "contiguous" || name == "flatten";
  });
  if (!call)
    return std::nullopt;
  MatchBuilder builder;
  builder.addName(moduleCalls[*call].name);
  builder.addOps(moduleCalls[*call].name, {moduleCalls[*call].ops.front()},
                 MatchTier::ExecutionOrder);
  return builder.build("");
}

std::optional<Match> CompiledCalls::match(uint32_t unit) const {
  auto names = namesOf.find(unit);
  if (names == namesOf.end())
    return std::nullopt;
  bool isFused = !getFusedNames(calls.getKey(unit).op).empty();
  MatchBuilder builder;
  for (const std::string &name : names->second) {
    auto group = groups.find({isFused, name});
    // An op outside of the model does not have a name here.
    bool isLeftOut = isFused && isTorchView(name) && !group->second.fits();
    if (group->second.calls.empty() || isLeftOut)
      continue;
    builder.addName(name);
    std::optional<uint32_t> call = findCall(group->second, unit, isFused);
    if (!call)
      continue;
    const Alike &alike = getAlike(group->second, unit);
    builder.addOps(name, {moduleCalls[*call].ops.front()},
                   alike.fits() && alike.calls.size() == 1
                       ? MatchTier::Opcode
                       : MatchTier::ExecutionOrder);
  }
  if (!builder.hasNames())
    return matchCopy(unit);
  Match match = builder.build("");
  if (match.matchClass == MatchClass::Unmatched)
    match.reason = "another number of kernels than of ops bears its name";
  return match;
}
