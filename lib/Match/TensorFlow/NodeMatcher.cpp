//===- NodeMatcher.cpp - Framework nodes to ops ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeMatcher.h"
#include "../MatchBuilder.h"
#include "../Matchers.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::cost;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {

/// Limit on ops visited by a walk back. Kernels fuse a dozen at most.
constexpr size_t kMaxWalk = 256;

/// "_MklNativeFusedMatMul" consists of a "MatMul" and the ops that follow it.
StringRef getBaseType(StringRef kernel) {
  size_t at = kernel.find("Fused");
  return at == StringRef::npos ? StringRef() : kernel.drop_front(at + 5);
}

/// Whether `opName` ("tf.MatMul") is the base type `base`, whatever its
/// version. "_FusedBatchNormEx" consists of a "FusedBatchNormV3".
bool isBase(StringRef opName, StringRef base) {
  StringRef type = opName.split('.').second;
  type.consume_front("Fused");
  base.consume_back("Ex");
  if (!type.consume_front(base))
    return false;
  return type.empty() || (type.size() == 2 && type[0] == 'V');
}

} // namespace

NodeMatcher::NodeMatcher(const ModuleIndex &index, PathResolver &resolver,
                         llvm::ArrayRef<OpKey> keys)
    : index(index), resolver(resolver), keys(keys) {
  for (const OpKey &key : keys)
    if (key.is<GraphNodeKey>())
      measured.insert(key.op);
  if (!measured.empty())
    compareNumbers(keys);
}

void NodeMatcher::compareNumbers(llvm::ArrayRef<OpKey> keys) {
  addNames(index, numbers);
  for (const OpKey &key : keys) {
    if (!key.is<GraphNodeKey>())
      continue;
    numbers.addRecorded(key.op, {}, isProductType(key.kernel));
    if (StringRef(key.kernel).contains("Fused"))
      for (const auto &[name, ops] : findMembers(key.op, key.kernel))
        numbers.addRecorded(name, {}, llvm::any_of(ops, [&](uint32_t op) {
                              return isProduct(index[op].op);
                            }));
  }
  numbers.run();
}

StringRef NodeMatcher::getOwnName(uint32_t op) const {
  const auto &names = index.getLocation(op).names;
  return names.empty() ? StringRef()
                       : index.getLocations().getName(names.front());
}

llvm::SmallVector<uint32_t>
NodeMatcher::walkBack(uint32_t last, StringRef kernel, StringRef prefix) const {
  StringRef base = getBaseType(kernel);
  // Breadth first over nodes without their own events; a visit remembers all
  // their users.
  struct Visit {
    uint32_t op;
    llvm::SmallVector<size_t, 2> users;
  };
  llvm::SmallVector<Visit> visits(1);
  visits.front().op = last;
  llvm::DenseMap<uint32_t, size_t> visitOf = {{last, 0}};
  std::optional<size_t> found;
  for (size_t i = 0; i < visits.size() && visits.size() < kMaxWalk; ++i) {
    uint32_t op = visits[i].op;
    if (isBase(index.getOpName(op), base)) {
      found = found.value_or(i);
      continue;
    }
    for (mlir::Value operand : index[op].op->getOperands()) {
      mlir::Operation *producer = ModuleIndex::getProducer(operand);
      uint32_t number = producer ? index.find(producer) : kNone;
      if (number == kNone)
        continue;
      StringRef own = getOwnName(number);
      if (own.empty() || measured.contains((prefix + own).str()))
        continue;
      auto [it, isNew] = visitOf.try_emplace(number, visits.size());
      if (isNew)
        visits.push_back({number, {}});
      visits[it->second].users.push_back(i);
    }
  }
  if (!found || *found == 0)
    return {};

  // The members are all ops between the base and the last op: an activation may
  // use its input more than once.
  llvm::SmallVector<uint32_t> members;
  llvm::SmallVector<size_t> pending = {*found};
  llvm::DenseSet<size_t> reached = {0, *found};
  while (!pending.empty()) {
    const Visit &visit = visits[pending.pop_back_val()];
    members.push_back(visit.op);
    for (size_t user : visit.users)
      if (reached.insert(user).second)
        pending.push_back(user);
  }
  return members;
}

NodeMatcher::Members NodeMatcher::findMembers(StringRef name,
                                              StringRef kernel) {
  Members members;
  auto add = [&](StringRef name) {
    Ops ops;
    for (const OwnerCandidate &candidate :
         resolver.resolve(name, PathStyle::Graph, PathScope::FullThenOwn))
      ops.push_back(candidate.op);
    members.emplace_back(name.str(), std::move(ops));
  };
  add(name);
  Ops last = members.front().second;
  if (kernel.contains("Fused") && !last.empty()) {
    StringRef own = getOwnName(last.front());
    StringRef prefix =
        name.ends_with(own) ? name.drop_back(own.size()) : StringRef();
    for (uint32_t member : walkBack(last.front(), kernel, prefix))
      add((prefix + getOwnName(member)).str());
  }
  return members;
}

Match NodeMatcher::match(uint32_t number) {
  const OpKey &key = keys[number];
  std::optional<NumberAlignment::Names> now = numbers.find(key.op);
  MatchBuilder builder;
  if (now && now->names.size() != 1) {
    Ops all;
    for (const std::string &name : now->names)
      for (const auto &[member, ops] : findMembers(name, key.kernel))
        llvm::append_range(all, ops);
    builder.addName(key.op);
    builder.addOps(key.op, all, MatchTier::ExecutionOrder);
    Match match = builder.build("");
    if (now->isContested)
      match.reason = NumberAlignment::kContested;
    return match;
  }
  for (const auto &[name, ops] :
       findMembers(now ? now->names.front() : key.op, key.kernel)) {
    builder.addName(name);
    builder.addOps(name, ops,
                   now ? MatchTier::ExecutionOrder : MatchTier::LocationPath);
  }
  return builder.build("");
}

std::unique_ptr<KeyMatcher> matcher::GraphNodes(const MatchContext &context) {
  return std::make_unique<NodeMatcher>(context.index, context.resolver,
                                       context.profile.opKeys);
}
