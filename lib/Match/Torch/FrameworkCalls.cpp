//===- FrameworkCalls.cpp - The calls that a framework ran ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameworkCalls.h"
#include "TorchWork.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <tuple>

using namespace mlirprof;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

bool match::isWrapper(StringRef op) {
  if (!getFusedNames(op).empty())
    return false;
  return !op.contains("::") || op.starts_with("autograd::") ||
         op.starts_with("torch::autograd") || op.contains(": ");
}

/// Folders differ between the machines of the recorder and of the reader.
static std::vector<SourceCall>
getSourceCalls(llvm::ArrayRef<SourcePosition> frames) {
  std::vector<SourceCall> calls;
  for (const SourcePosition &frame : frames)
    calls.push_back({llvm::sys::path::filename(
                         frame.file.empty() ? frame.function : frame.file)
                         .str(),
                     frame.line});
  return calls;
}

FrameworkCalls::FrameworkCalls(const Profile &profile) : profile(profile) {
  // The first time that each op ran, in the first run that has it.
  std::vector<std::pair<size_t, int64_t>> first(profile.opKeys.size(),
                                                {profile.runs.size(), 0});
  for (size_t run = profile.runs.size(); run-- > 0;)
    for (const OpSummary &op : profile.runs[run].ops)
      if (op.op < first.size())
        first[op.op] = {run, op.firstBeginPs};
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < profile.opKeys.size(); ++i) {
    const OpKey &key = profile.opKeys[i];
    if (key.is<FrameworkCallKey>() && key.kernel.empty())
      order.push_back(i);
  }
  auto getDetails = [&](uint32_t key) -> const FrameworkCallKey & {
    return profile.opKeys[key].get<FrameworkCallKey>();
  };
  auto rank = [&](uint32_t key) {
    const FrameworkCallKey &call = getDetails(key);
    return std::make_tuple(first[key].first, first[key].second,
                           call.callers.size(), call.ordinal, key);
  };
  llvm::sort(order, [&](uint32_t a, uint32_t b) { return rank(a) < rank(b); });
  std::vector<uint32_t> stack;
  for (uint32_t key : order) {
    const FrameworkCallKey &call = getDetails(key);
    uint32_t number = uint32_t(calls.size());
    calls.push_back(
        {key, {}, call.shapes.getTensors(), getSourceCalls(call.frames)});
    while (stack.size() > call.callers.size())
      stack.pop_back();
    // Its caller may have run on another thread, or may not be recorded.
    bool hasCaller = !call.callers.empty() &&
                     stack.size() == call.callers.size() &&
                     getKey(stack.back()).op == call.callers.back();
    if (hasCaller)
      calls[stack.back()].callees.push_back(number);
    else
      roots.push_back(number);
    stack.resize(call.callers.size(), number);
    stack.push_back(number);
  }
}

void FrameworkCalls::addTree(uint32_t call, std::vector<uint32_t> &out) const {
  // Without recursion: the depth of calls depends on the file.
  size_t next = out.size();
  out.push_back(call);
  for (; next < out.size(); ++next)
    for (uint32_t callee : calls[out[next]].callees)
      out.push_back(callee);
}

bool FrameworkCalls::hasKnown(uint32_t call,
                              const llvm::StringSet<> &known) const {
  std::vector<uint32_t> tree;
  addTree(call, tree);
  // An intermediate view is not the subject of the call.
  bool mayBeView = isWrapper(getKey(call).op) || isTorchView(getKey(call).op);
  return llvm::any_of(llvm::drop_begin(tree), [&](uint32_t callee) {
    const std::string &op = getKey(callee).op;
    return known.contains(op) && (mayBeView || !isTorchView(op));
  });
}

void FrameworkCalls::addUnits(uint32_t call, const llvm::StringSet<> &known,
                              std::vector<uint32_t> &out) const {
  std::vector<uint32_t> pending = {call};
  while (!pending.empty()) {
    uint32_t next = pending.back();
    pending.pop_back();
    const std::string &op = getKey(next).op;
    bool opens =
        isWrapper(op) || (!known.contains(op) && hasKnown(next, known));
    if (!opens) {
      out.push_back(next);
      continue;
    }
    for (uint32_t callee : llvm::reverse(calls[next].callees))
      pending.push_back(callee);
  }
}

std::vector<uint32_t>
FrameworkCalls::getUnits(llvm::ArrayRef<uint32_t> from,
                         const llvm::StringSet<> &known) const {
  std::vector<uint32_t> units;
  for (uint32_t root : from)
    addUnits(root, known, units);
  return units;
}

std::string match::getPlace(const OpKey &key) {
  const auto &call = key.get<FrameworkCallKey>();
  std::string place = key.op;
  auto add = [&](StringRef text) {
    place += '\0';
    place += text;
  };
  for (const std::string &caller : call.callers)
    add(caller);
  add("");
  if (!call.scope.empty())
    add(call.scope.front());
  add(std::to_string(call.ordinal));
  add(std::to_string(int(call.phase)));
  return place;
}
