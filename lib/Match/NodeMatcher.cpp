//===- NodeMatcher.cpp - Framework nodes to ops ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeMatcher.h"
#include "MatchBuilder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using llvm::StringRef;

namespace {

/// Ops that a walk back looks at. Kernels fuse a handful.
constexpr size_t kMaxWalk = 64;

/// "_MklNativeFusedMatMul" is made of a "MatMul" and what follows it.
StringRef getBaseType(StringRef kernel) {
  size_t at = kernel.find("Fused");
  return at == StringRef::npos ? StringRef() : kernel.drop_front(at + 5);
}

/// Whether `opName` ("tf.MatMul") is the base type `base`, whatever its
/// version. "_FusedBatchNormEx" is made of a "FusedBatchNormV3".
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
    : index(index), resolver(resolver) {
  for (const OpKey &key : keys)
    if (key.kind == OpKeyKind::FrameworkNode)
      measured.insert(key.op);
}

StringRef NodeMatcher::getOwnName(uint32_t op) const {
  const auto &names = index.getLocation(op).names;
  return names.empty() ? StringRef()
                       : index.getLocations().getName(names.front());
}

llvm::SmallVector<uint32_t>
NodeMatcher::walkBack(uint32_t last, StringRef kernel, StringRef prefix) const {
  StringRef base = getBaseType(kernel);
  // Breadth first, remembering who led to whom: the members are the path.
  struct Visit {
    uint32_t op;
    size_t user;
  };
  llvm::SmallVector<Visit> visits = {{last, 0}};
  llvm::DenseSet<uint32_t> seen = {last};
  for (size_t i = 0; i < visits.size() && visits.size() < kMaxWalk; ++i) {
    if (isBase(index.getOpName(visits[i].op), base)) {
      llvm::SmallVector<uint32_t> members;
      for (size_t at = i; at != 0; at = visits[at].user)
        members.push_back(visits[at].op);
      return members;
    }
    for (mlir::Value operand : index[visits[i].op].op->getOperands()) {
      mlir::Operation *producer = ModuleIndex::getProducer(operand);
      uint32_t number = producer ? index.find(producer) : kNone;
      if (number == kNone || !seen.insert(number).second)
        continue;
      StringRef own = getOwnName(number);
      if (!own.empty() && !measured.contains((prefix + own).str()))
        visits.push_back({number, i});
    }
  }
  return {};
}

Match NodeMatcher::match(const OpKey &key) {
  MatchBuilder builder;
  auto add = [&](StringRef name) {
    llvm::SmallVector<uint32_t> ops;
    for (const Candidate &candidate :
         resolver.resolve(name, PathStyle::Graph, PathScope::FullThenOwn))
      ops.push_back(candidate.op);
    builder.addName(name);
    builder.addOps(name, ops, MatchTier::LocationPath);
    return ops;
  };
  llvm::SmallVector<uint32_t> last = add(key.op);
  if (StringRef(key.kernel).contains("Fused") && !last.empty()) {
    StringRef own = getOwnName(last.front());
    StringRef prefix = StringRef(key.op).ends_with(own)
                           ? StringRef(key.op).drop_back(own.size())
                           : StringRef();
    for (uint32_t member : walkBack(last.front(), key.kernel, prefix))
      add((prefix + getOwnName(member)).str());
  }
  return builder.build("");
}
