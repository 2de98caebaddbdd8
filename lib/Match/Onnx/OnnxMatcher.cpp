//===- OnnxMatcher.cpp - Nodes of ONNX graphs to ops ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OnnxMatcher.h"
#include "../Matchers.h"
#include "mlir-prof/Cost/OnnxOps.h"
#include "mlir-prof/Cost/StaticCost.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::cost;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

OnnxMatcher::OnnxMatcher(const ModuleIndex &index, const Profile &profile)
    : index(index), profile(profile) {
  indexTypes();
  indexUnnamed();
  chooseModel();
  compareNumbers();
  findAbsorbed();
}

void OnnxMatcher::indexTypes() {
  for (uint32_t op = 1; op < index.size(); ++op) {
    StringRef type = getOnnxType(index[op].op);
    if (type.empty())
      continue;
    byType[type].push_back(op);
    if (auto name =
            index[op].op->getAttrOfType<mlir::StringAttr>("onnx_node_name"))
      byAttribute[name.getValue()].push_back(op);
  }
}

//===----------------------------------------------------------------------===//
// Ops of nodes
//===----------------------------------------------------------------------===//

bool OnnxMatcher::hasName(uint32_t op, StringRef name) const {
  for (uint32_t own : index.getLocation(op).names)
    if (index.getLocations().getName(own) == name)
      return true;
  auto it = byAttribute.find(name);
  return it != byAttribute.end() && llvm::is_contained(it->second, op);
}

/// Whether the ops around `op` are `callers`, with any ops between.
bool OnnxMatcher::isWithin(uint32_t op,
                           llvm::ArrayRef<std::string> callers) const {
  for (op = index[op].parent; !callers.empty(); op = index[op].parent) {
    if (hasName(op, callers.back()))
      callers = callers.drop_back();
    if (op == 0)
      break;
  }
  return callers.empty();
}

/// The same, but without any callers it is not in another op.
bool OnnxMatcher::isIn(uint32_t op, llvm::ArrayRef<std::string> callers) const {
  return callers.empty()
             ? index[op].parent == index.getFunctions()[index[op].function].op
             : isWithin(op, callers);
}

OnnxMatcher::Ops
OnnxMatcher::findNamed(StringRef name,
                       llvm::ArrayRef<std::string> callers) const {
  llvm::ArrayRef<uint32_t> named =
      index.getNamed(index.getLocations().findName(name));
  Ops all(named.begin(), named.end());
  if (auto it = byAttribute.find(name); all.empty() && it != byAttribute.end())
    all.assign(it->second.begin(), it->second.end());
  // A weight may have the name of a node.
  auto isWork = [&](uint32_t op) {
    return index[op].op->getNumOperands() != 0 ||
           index[op].op->getNumRegions() != 0;
  };
  if (llvm::any_of(all, isWork))
    llvm::erase_if(all, [&](uint32_t op) { return !isWork(op); });
  // Lowered modules may lack ops around it.
  Ops within;
  for (uint32_t op : all)
    if (isWithin(op, callers))
      within.push_back(op);
  return within.empty() ? all : within;
}

OnnxMatcher::Found
OnnxMatcher::findRecorded(StringRef name,
                          llvm::ArrayRef<std::string> callers) const {
  std::optional<NumberAlignment::Names> now = numbers.find(name);
  if (!now)
    return {findNamed(name, callers), false, false};
  Found found = {{}, true, now->isContested};
  for (const std::string &other : now->names)
    llvm::append_range(found.ops, findNamed(other, callers));
  return found;
}

OnnxMatcher::Found
OnnxMatcher::find(const OriginNode &node,
                  llvm::ArrayRef<std::string> callers) const {
  if (!node.name.empty())
    return findRecorded(node.name, callers);
  // Importers keep the order of nodes.
  auto it = byType.find(node.type);
  if (it == byType.end())
    return {};
  Ops ops;
  for (uint32_t op : it->second)
    if (isIn(op, callers))
      ops.push_back(op);
  if (ops.size() != node.alike || node.ordinal >= ops.size())
    return {};
  return {{ops[node.ordinal]}, false, false};
}

static const OnnxNodeKey &getDetails(const OpKey &key) {
  return key.get<OnnxNodeKey>();
}

static StringRef getOwnName(const OpKey &key) {
  StringRef name = key.op;
  for (const std::string &caller : getDetails(key).callers)
    name.consume_front(caller + "/");
  return name;
}

/// The number in a name that ONNX Runtime made from a node's type and its
/// place.
static std::optional<uint64_t> getMadeNumber(const OpKey &key) {
  StringRef name = getOwnName(key);
  uint64_t number = 0;
  if (key.kernel.empty() || !name.consume_front(key.kernel) ||
      !name.consume_front("_") || name.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

static std::vector<std::string> getTypeAndCallers(const OpKey &key) {
  std::vector<std::string> place = {key.kernel};
  llvm::append_range(place, getDetails(key).callers);
  return place;
}

void OnnxMatcher::indexUnnamed() {
  for (const OpKey &key : profile.opKeys) {
    if (!key.is<OnnxNodeKey>())
      continue;
    if (std::optional<uint64_t> number = getMadeNumber(key);
        number && findNamed(getOwnName(key), getDetails(key).callers).empty())
      unnamed[getTypeAndCallers(key)].numbers.push_back(*number);
  }
  for (auto &[place, found] : unnamed) {
    llvm::sort(found.numbers);
    found.numbers.erase(llvm::unique(found.numbers), found.numbers.end());
    auto ops = byType.find(place.front());
    if (ops == byType.end())
      continue;
    llvm::ArrayRef<std::string> callers = llvm::ArrayRef(place).drop_front();
    for (uint32_t op : ops->second)
      if (isUnnamed(op) && isIn(op, callers))
        found.ops.push_back(op);
  }
}

bool OnnxMatcher::isUnnamed(uint32_t op) const {
  auto name = index[op].op->getAttrOfType<mlir::StringAttr>("onnx_node_name");
  return (!name || name.empty()) &&
         llvm::all_of(index.getLocation(op).names, [&](uint32_t number) {
           return index.getLocations().getName(number).empty();
         });
}

/// Finds nameless nodes without evidence from a model: importers keep their
/// order, so equal numbers of one type are the same nodes.
OnnxMatcher::Ops OnnxMatcher::findUnnamed(const OpKey &key) const {
  std::optional<uint64_t> number = getMadeNumber(key);
  auto alike = unnamed.find(getTypeAndCallers(key));
  if (!number || alike == unnamed.end())
    return {};
  const auto &[numbers, ops] = alike->second;
  auto at = llvm::lower_bound(numbers, *number);
  if (ops.size() != numbers.size() || at == numbers.end() || *at != *number)
    return {};
  return {ops[size_t(at - numbers.begin())]};
}

/// A module may have been imported from either model: the optimized one has
/// names that the optimizer made, and lacks the nodes that it fused into
/// others. Lowered modules lack some of both.
void OnnxMatcher::chooseModel() {
  llvm::StringSet<> own, origins;
  for (const OpKey &key : profile.opKeys)
    if (const auto *details = key.getIf<OnnxNodeKey>();
        details && details->origins.kind > OriginKind::SameName) {
      own.insert(getOwnName(key));
      for (const OriginNode &node : details->origins.nodes)
        if (!node.name.empty())
          origins.insert(node.name);
    }
  uint64_t fused = 0, fusedFound = 0, madeFound = 0;
  for (const auto &entry : origins)
    if (!own.contains(entry.getKey())) {
      ++fused;
      fusedFound += !findNamed(entry.getKey(), {}).empty();
    }
  for (const auto &entry : own)
    if (!origins.contains(entry.getKey()))
      madeFound += !findNamed(entry.getKey(), {}).empty();
  isOptimized = madeFound > fusedFound || (fused != 0 && fusedFound == 0);
}

bool OnnxMatcher::usesOrigins(const OpKey &key) const {
  return !isOptimized && getDetails(key).origins.kind != OriginKind::Unknown;
}

static std::string describe(const OriginNode &node) {
  if (!node.name.empty())
    return node.name;
  return node.type + " without a name, number " +
         std::to_string(node.ordinal + 1) + " of " + std::to_string(node.alike);
}

/// Compares the numbers in the names of executed nodes with those in the
/// module.
void OnnxMatcher::compareNumbers() {
  addNames(index, numbers);
  for (const OpKey &key : profile.opKeys) {
    const auto *details = key.getIf<OnnxNodeKey>();
    if (!details)
      continue;
    auto add = [&](StringRef name, StringRef type) {
      bool isSame = type == key.kernel;
      numbers.addRecorded(name,
                          isSame ? details->shapes.getTensors()
                                 : NumberAlignment::Shapes(),
                          isProductType(type));
    };
    if (!usesOrigins(key))
      add(getOwnName(key), key.kernel);
    else
      for (const OriginNode &node : details->origins.nodes)
        add(node.name, node.type);
  }
  numbers.run();
}

Match OnnxMatcher::build(const OpKey &key) const {
  const auto &[callers, shapes, origins] = getDetails(key);
  MatchBuilder builder;
  bool isOpen = false, isContested = false;
  auto add = [&](StringRef name, const Found &found, MatchTier tier) {
    builder.addName(name);
    builder.addOps(name, found.ops,
                   found.isRenumbered ? MatchTier::ExecutionOrder : tier);
    isOpen |= found.isRenumbered && found.ops.size() > 1;
    isContested |= found.isContested;
  };
  auto finish = [&](StringRef reason) {
    Match match = builder.build(reason);
    // Equally likely ops share the time.
    if (isOpen && match.ops.size() > 1)
      match.matchClass = MatchClass::Ambiguous;
    if (isContested)
      match.reason = NumberAlignment::kContested;
    return match;
  };
  if (!usesOrigins(key)) {
    StringRef name = getOwnName(key);
    Found found = findRecorded(name, callers);
    MatchTier tier = MatchTier::LocationPath;
    if (found.ops.empty() && !found.isRenumbered) {
      found.ops = findUnnamed(key);
      tier = MatchTier::ExecutionOrder;
    }
    add(name, found, tier);
    return finish("");
  }
  for (const OriginNode &node : origins.nodes)
    add(describe(node), find(node, callers),
        origins.kind == OriginKind::Part ? MatchTier::Neighborhood
        : node.name.empty()              ? MatchTier::ExecutionOrder
                                         : MatchTier::LocationPath);
  return finish("the optimizer's own, for no node of the model");
}

Match OnnxMatcher::match(uint32_t number) {
  const OpKey &key = profile.opKeys[number];
  OriginKind known = getDetails(key).origins.kind;
  Match match = build(key);
  if (match.matchClass == MatchClass::Unmatched && !usesOrigins(key) &&
      known == OriginKind::Unknown && !match.reason.empty())
    match.reason += ", and no model (--onnx, --onnx-optimized) says what it "
                    "was made of";
  if (usesOrigins(key) && known == OriginKind::Part && match.reason.empty())
    match.reason = "helps with these nodes, among others";
  warn(key, match);
  setWeights(match);
  return match;
}

/// Nodes that need only weights were computed before the model ran: they do not
/// have a part in the time of the node into which they were fused.
void OnnxMatcher::setWeights(Match &match) const {
  for (uint32_t op : match.ops)
    match.weights.push_back(
        constant.contains(op) ? 0 : getStaticCost(index[op].op));
}

//===----------------------------------------------------------------------===//
// Nodes that run within others
//===----------------------------------------------------------------------===//

/// Whether `op` is a node of the model without events.
bool OnnxMatcher::isUnmeasured(uint32_t op) const {
  StringRef type = getOnnxType(index[op].op);
  if (type.empty() || type == "Constant")
    return false;
  const auto &names = index.getLocation(op).names;
  return !names.empty() && llvm::none_of(names, [&](uint32_t name) {
    return measured.contains(index.getLocations().getName(name));
  });
}

/// A node without events ran within a neighbor, unless it needs only weights:
/// then it was computed before. Optimizers mostly fuse nodes into those before
/// them; the first ones of a model can only be fused into those after them.
void OnnxMatcher::findAbsorbed() {
  for (const OpKey &key : profile.opKeys)
    if (const auto *details = key.getIf<OnnxNodeKey>()) {
      measured.insert(getOwnName(key));
      if (usesOrigins(key) && details->origins.kind != OriginKind::SameName)
        for (const OriginNode &node : details->origins.nodes)
          measured.insert(node.name);
    }
  constexpr size_t kMostNeighbors = 4;
  struct Before {
    llvm::SmallVector<uint32_t, 2> ops;
    bool needsInput = false;
  };
  llvm::DenseMap<uint32_t, Before> before;
  for (uint32_t op = 1; op < index.size(); ++op) {
    Before own;
    for (mlir::Value operand : index[op].op->getOperands()) {
      mlir::Operation *producer = ModuleIndex::getProducer(operand);
      uint32_t number = producer ? index.find(producer) : kNone;
      if (number == kNone) {
        own.needsInput = true;
        continue;
      }
      auto it = before.find(number);
      if (it == before.end())
        continue;
      own.needsInput |= it->second.needsInput;
      bool passes = isUnmeasured(number);
      for (uint32_t near :
           passes ? llvm::ArrayRef<uint32_t>(it->second.ops) : number)
        if (own.ops.size() < kMostNeighbors &&
            !llvm::is_contained(own.ops, near) &&
            !getOnnxType(index[near].op).empty())
          own.ops.push_back(near);
      // Users of the first nodes of the model.
      if (passes && it->second.ops.empty() && it->second.needsInput &&
          !isUnmeasured(op))
        absorbed[op].push_back(index.getLocations().getName(
            index.getLocation(number).names.front()));
    }
    own.needsInput |= index[op].op->getNumRegions() != 0;
    if (!own.needsInput && !getOnnxType(index[op].op).empty())
      constant.insert(op);
    if (own.needsInput && isUnmeasured(op))
      for (uint32_t near : own.ops)
        absorbed[near].push_back(
            index.getLocations().getName(index.getLocation(op).names.front()));
    before.try_emplace(op, std::move(own));
  }
}

void OnnxMatcher::warn(const OpKey &key, Match &match) const {
  OriginKind known = getDetails(key).origins.kind;
  bool isSure =
      known == OriginKind::Whole || known == OriginKind::Part || isOptimized;
  if (isSure || match.matchClass == MatchClass::Unmatched ||
      !match.reason.empty())
    return;
  // Some branches of an If may not have run.
  for (uint32_t op : match.ops)
    if (index[op].op->getBlock() != index[match.ops.front()].op->getBlock())
      return;
  std::string text;
  unsigned count = 0;
  for (uint32_t op : match.ops)
    if (auto it = absorbed.find(op); it != absorbed.end())
      for (StringRef name : it->second)
        if (++count <= 3)
          text += (count > 1 ? ", " : "") + name.str();
  if (count == 0)
    return;
  match.reason =
      "may include the work of " + text + (count > 3 ? " ..." : "") +
      ", which does not have its own event; --onnx-optimized shows it";
}

std::unique_ptr<KeyMatcher> matcher::OnnxNodes(const MatchContext &context) {
  return std::make_unique<OnnxMatcher>(context.index, context.profile);
}
