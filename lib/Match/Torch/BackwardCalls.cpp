//===- BackwardCalls.cpp - Derivatives and their forward ops --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackwardCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

/// "aten::_log_softmax" and "LogSoftmax" are "logsoftmax".
static std::string getPlainName(StringRef name) {
  if (size_t colons = name.rfind("::"); colons != StringRef::npos)
    name = name.drop_front(colons + 2);
  std::string plain;
  for (char c : name)
    if (c != '_')
      plain += llvm::toLower(c);
  return plain;
}

/// The forward name of "LogSoftmaxBackward0", or "" for other nodes.
static std::string getForwardName(StringRef node) {
  auto [name, rest] = node.rsplit("Backward");
  bool isNode = name.size() != node.size() && !name.empty() &&
                llvm::all_of(rest, llvm::isDigit);
  return isNode ? getPlainName(name) : "";
}

void BackwardCalls::addForward(const OpKey &key, const Match &match) {
  const auto &call = key.get<FrameworkCallKey>();
  bool isForward = call.phase == CallPhase::Forward && call.sequence >= 0;
  if (isForward && !match.ops.empty())
    bySequence[call.sequence].push_back({getPlainName(key.op), &match});
}

const Match *BackwardCalls::find(const OpKey &key) const {
  const auto &call = key.get<FrameworkCallKey>();
  if (call.phase != CallPhase::Backward || call.sequence < 0)
    return nullptr;
  auto it = bySequence.find(call.sequence);
  if (it == bySequence.end())
    return nullptr;
  // Ops without a derivative have the number of the next one with a derivative.
  std::string name = getForwardName(key.op);
  for (const std::string &caller : call.callers)
    if (name.empty())
      name = getForwardName(caller);
  bool hasNamed = llvm::any_of(
      it->second, [&](const Forward &forward) { return forward.name == name; });
  const Match *found = nullptr;
  for (const Forward &forward : it->second) {
    if (hasNamed && forward.name != name)
      continue;
    if (found && found->ops != forward.match->ops)
      return nullptr;
    found = forward.match;
  }
  return found;
}
