//===- DispatchMatcher.cpp - Dispatches of IREE to ops --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DispatchMatcher.h"
#include "Counterparts.h"
#include "MatchBuilder.h"
#include "mlir-prof/Match/StaticCost.h"
#include "mlir-prof/Profile/Dispatch.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using llvm::StringRef;

DispatchMatcher::DispatchMatcher(const ModuleIndex &index,
                                 const Profile &profile)
    : index(index) {
  bool hasDispatches = false;
  for (const OpKey &key : profile.opKeys)
    if (getCommandBuffer(key)) {
      hasDispatches = true;
      if (key.originKind == OriginKind::Whole && !key.origins.empty())
        known.try_emplace(key.op, &key);
    }
  if (!hasDispatches)
    return;
  indexSites();
  if (sites.empty())
    indexFrames();
}

static std::string getFrameKey(StringRef file, uint32_t line, uint32_t column) {
  return (llvm::sys::path::filename(file) + ":" + llvm::Twine(line) + ":" +
          llvm::Twine(column))
      .str();
}

/// The compiler and whoever reads the model may have called the file by other
/// folders.
void DispatchMatcher::indexFrames() {
  for (uint32_t op = 1; op < index.size(); ++op)
    if (const Frame &frame = index.getLocation(op).frame;
        frame && !index.getTraits(op).isFunction)
      byFrame[getFrameKey(frame.file, frame.line, frame.column)].push_back(op);
}

//===----------------------------------------------------------------------===//
// In the model
//===----------------------------------------------------------------------===//

DispatchMatcher::Ops DispatchMatcher::findFrame(StringRef position) const {
  auto [fileAndLine, column] = position.rsplit(':');
  auto [file, line] = fileAndLine.rsplit(':');
  uint32_t lineNumber, columnNumber;
  if (line.getAsInteger(10, lineNumber) ||
      column.getAsInteger(10, columnNumber))
    return {};
  auto it = byFrame.find(getFrameKey(file, lineNumber, columnNumber));
  return it == byFrame.end() ? Ops() : it->second;
}

/// Ops of one name, of which one may be the work and others what it needs, or
/// what is within it.
DispatchMatcher::Found DispatchMatcher::find(const OriginNode &node) const {
  Found found;
  auto named = index.getNamed(index.getLocations().findName(node.name));
  found.ops.assign(named.begin(), named.end());
  if (found.ops.empty()) {
    found.ops = findFrame(node.name);
    found.tier = MatchTier::SourceFrame;
  }
  auto isInner = [&](uint32_t op) {
    return llvm::is_contained(found.ops, index[op].parent);
  };
  Ops outer = found.ops;
  llvm::erase_if(outer, isInner);
  found.ops = std::move(outer);
  auto narrow = [&](auto keeps) {
    if (found.ops.size() > 1 && llvm::any_of(found.ops, keeps))
      llvm::erase_if(found.ops, [&](uint32_t op) { return !keeps(op); });
  };
  narrow([&](uint32_t op) { return index.getOpName(op) == node.type; });
  narrow([&](uint32_t op) { return getStaticCost(index[op].op) != 0; });
  // As many places as ops, all alike: the n-th is the n-th.
  auto isAlike = [&](uint32_t op) {
    mlir::Operation *first = index[found.ops.front()].op;
    return index[op].op->getName() == first->getName() &&
           index[op].op->getResultTypes() == first->getResultTypes();
  };
  if (node.alike > 1 && node.alike == found.ops.size() &&
      node.ordinal < node.alike && llvm::all_of(found.ops, isAlike)) {
    llvm::sort(found.ops);
    found.ops = {found.ops[node.ordinal]};
    found.tier = MatchTier::ExecutionOrder;
  }
  return found;
}

/// What fills a buffer is shared by all ops that want one of that size and
/// value, under the name of any of them: it is what another one uses, or
/// nothing.
static bool isInitial(const OriginNode &node) {
  return node.type == "linalg.fill";
}

/// What is found for each origin. Where one is found and others may be any of
/// several, these are those next to it.
std::vector<DispatchMatcher::Found>
DispatchMatcher::findAll(const OpKey &key) const {
  std::vector<Found> all;
  llvm::DenseSet<mlir::Operation *> near;
  for (const OriginNode &node : key.origins) {
    all.push_back(find(node));
    if (all.back().ops.size() == 1)
      near.insert(index[all.back().ops.front()].op);
  }
  auto isNear = [&](uint32_t op) {
    auto isIn = [&](mlir::Operation *other) { return near.contains(other); };
    return llvm::any_of(index[op].op->getUsers(), isIn) ||
           llvm::any_of(index[op].op->getOperands(), [&](mlir::Value value) {
             return value.getDefiningOp() && isIn(value.getDefiningOp());
           });
  };
  // What is found next to others may be next to more.
  for (size_t round = 0, known = 0;
       round == 0 || (known != near.size() && round < key.origins.size());
       ++round) {
    known = near.size();
    for (size_t i = 0; i < all.size(); ++i) {
      Ops close;
      llvm::copy_if(all[i].ops, std::back_inserter(close), isNear);
      if (all[i].ops.size() < 2 || close.empty())
        continue;
      all[i].ops = std::move(close);
      all[i].tier = MatchTier::Neighbourhood;
      if (all[i].ops.size() == 1)
        near.insert(index[all[i].ops.front()].op);
    }
  }
  for (size_t i = 0; i < all.size(); ++i)
    if (isInitial(key.origins[i]))
      llvm::erase_if(all[i].ops, [&](uint32_t op) {
        return index.getOpName(op) != key.origins[i].type || !isNear(op);
      });
  return all;
}

Match DispatchMatcher::matchModel(const OpKey &key) const {
  MatchBuilder builder;
  for (auto [node, found] : llvm::zip_equal(key.origins, findAll(key))) {
    if (isInitial(node) && found.ops.empty() && key.origins.size() > 1)
      continue;
    builder.addName(node.name);
    builder.addOps(node.name, found.ops, found.tier);
  }
  Match match = builder.build("the compiler's own, for no op of the model");
  // By order among the dispatches, on top of what names tell.
  match.tier = std::max(match.tier, MatchTier::ExecutionOrder);
  return match;
}

/// The ops of a dispatch whose function was made of another's: those that stand
/// around its own op as the other's around theirs.
Match DispatchMatcher::matchAlike(const OpKey &key) const {
  Match own = matchModel(key);
  auto it = known.find(key.op);
  if (it == known.end() || own.ops.empty()) {
    if (own.reason.empty())
      own.reason = "what was fused to it is not known: no dispatch of the "
                   "function that it shares was measured in its own place";
    return own;
  }
  std::vector<Found> pattern = findAll(*it->second);
  llvm::DenseSet<mlir::Operation *> members;
  for (const Found &found : pattern)
    for (uint32_t op : found.ops)
      members.insert(index[op].op);
  if (pattern.front().ops.empty())
    return own;
  auto pairs = findCounterparts(index[pattern.front().ops.front()].op,
                                index[own.ops.front()].op, members);
  MatchBuilder builder;
  builder.addName(key.origins.front().name);
  builder.addOps(key.origins.front().name, own.ops, own.tier);
  for (auto [node, found] :
       llvm::drop_begin(llvm::zip_equal(it->second->origins, pattern))) {
    Ops ops;
    for (uint32_t op : found.ops)
      if (mlir::Operation *other = pairs.lookup(index[op].op))
        ops.push_back(index.find(other));
    if (llvm::is_contained(found.ops, pattern.front().ops.front()) ||
        (isInitial(node) && ops.empty()))
      continue;
    std::string name = "what is there as " + node.name + " elsewhere";
    builder.addName(name);
    builder.addOps(name, ops, MatchTier::Neighbourhood);
  }
  return builder.build("");
}

//===----------------------------------------------------------------------===//
// In the module of the stream phase
//===----------------------------------------------------------------------===//

static mlir::Attribute getAnyAttr(mlir::Operation *op, StringRef name) {
  if (mlir::Attribute attribute = op->getAttr(name))
    return attribute;
  // Ops of dialects that are not here keep them as one dictionary.
  if (!op->getPropertiesStorageSize())
    return {};
  auto all = llvm::dyn_cast_or_null<mlir::DictionaryAttr>(
      op->getPropertiesAsAttribute());
  return all ? all.get(name) : mlir::Attribute();
}

static StringRef getSymbol(mlir::Operation *op) {
  auto name =
      llvm::dyn_cast_or_null<mlir::StringAttr>(getAnyAttr(op, "sym_name"));
  return name ? name.getValue() : StringRef();
}

void DispatchMatcher::indexSites() {
  uint32_t execute = 0, dispatch = 0, executeEnd = 0;
  StringRef executable;
  for (uint32_t op = 1; op < index.size(); ++op) {
    StringRef name = index.getOpName(op);
    if (name == "stream.executable") {
      executable = getSymbol(index[op].op);
    } else if (name == "func.func" && !executable.empty()) {
      bodies.try_emplace((executable + "::" + getSymbol(index[op].op)).str(),
                         op);
    } else if (name == "stream.cmd.execute") {
      execute += executeEnd != 0;
      executeEnd = index[op].end;
      dispatch = 0;
    } else if (name == "stream.cmd.dispatch" && op < executeEnd) {
      sites.try_emplace(
          std::to_string(execute) + "/" + std::to_string(dispatch++), op);
    }
  }
}

/// "EXECUTABLE::FUNCTION" of the entry of `site` that is called `name`.
static std::string findEntry(mlir::Operation *site, StringRef name) {
  auto entries =
      llvm::dyn_cast_or_null<mlir::ArrayAttr>(getAnyAttr(site, "entry_points"));
  if (entries)
    for (mlir::Attribute entry : entries)
      if (auto symbol = llvm::dyn_cast<mlir::SymbolRefAttr>(entry);
          symbol && symbol.getLeafReference() == name)
        return (symbol.getRootReference().getValue() + "::" + name).str();
  return "";
}

/// Not the arithmetic of offsets, and nothing of IREE's own dialects.
static bool doesWork(mlir::Operation *op) {
  mlir::Dialect *dialect = op->getDialect();
  return dialect && dialect->getNamespace() != "arith" &&
         dialect->getNamespace() != "affine";
}

/// The dispatch, and the ops of the function that it runs. They share the time:
/// other places may run the same function.
Match DispatchMatcher::matchSite(const OpKey &key) const {
  Match match;
  auto site = sites.find(key.call.graphNode);
  if (site == sites.end()) {
    match.reason = "this module of the stream phase has no such place";
    return match;
  }
  match.tier = MatchTier::ExecutionOrder;
  match.matchClass = MatchClass::One;
  match.names = {key.op};
  auto body = bodies.find(findEntry(index[site->second].op, key.op));
  if (body != bodies.end())
    for (uint32_t op = body->second + 1; op < index[body->second].end;
         op = index[op].end) {
      uint64_t cost = getStaticCost(index[op].op);
      if (cost == 0 || !doesWork(index[op].op))
        continue;
      match.ops.push_back(op);
      match.weights.push_back(cost);
    }
  if (!match.ops.empty())
    match.matchClass = MatchClass::Set;
  // Executables stand before or behind the code that runs them.
  auto place = llvm::lower_bound(match.ops, site->second) - match.ops.begin();
  match.ops.insert(match.ops.begin() + place, site->second);
  match.weights.insert(match.weights.begin() + place, match.ops.size() == 1);
  return match;
}

Match DispatchMatcher::match(const OpKey &key) const {
  if (key.originKind == OriginKind::Unknown) {
    Match match;
    match.reason = "a dispatch whose place no module of the stream phase "
                   "(--iree-stream) told";
    return match;
  }
  if (!sites.empty())
    return matchSite(key);
  return key.originKind == OriginKind::SameName ? matchAlike(key)
                                                : matchModel(key);
}
