//===- DispatchMatcher.cpp - Dispatches of IREE to ops --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DispatchMatcher.h"
#include "../MatchBuilder.h"
#include "../Matchers.h"
#include "Counterparts.h"
#include "mlir-prof/Cost/StaticCost.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::cost;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

DispatchMatcher::DispatchMatcher(const ModuleIndex &index,
                                 const Profile &profile)
    : index(index), profile(profile), sites(index) {
  for (const OpKey &key : profile.opKeys)
    if (const auto *dispatch = key.getIf<DispatchKey>();
        dispatch && dispatch->origins.kind == OriginKind::Whole &&
        !dispatch->origins.nodes.empty())
      known.try_emplace(key.op, dispatch->origins.nodes);
  if (sites.empty())
    indexFrames();
}

static std::string getFrameKey(StringRef file, uint32_t line, uint32_t column) {
  return (llvm::sys::path::filename(file) + ":" + llvm::Twine(line) + ":" +
          llvm::Twine(column))
      .str();
}

/// The compiler and the model's reader may use different folders for the file.
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

/// Ops of one name, one of which may be the work and others its inputs or
/// contents.
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

/// Code that fills a buffer is shared by all ops that need one of that size and
/// value, under the name of any of them: it belongs to an op that uses it, or
/// to none.
static bool isInitial(const OriginNode &node) {
  return node.type == "linalg.fill";
}

/// The ops for each origin. If one is found and others may be any of several,
/// these are those next to it.
std::vector<DispatchMatcher::Found>
DispatchMatcher::findAll(llvm::ArrayRef<OriginNode> origins) const {
  std::vector<Found> all;
  llvm::DenseSet<mlir::Operation *> near;
  for (const OriginNode &node : origins) {
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
  // Ops found next to others may be next to more.
  for (size_t round = 0, known = 0;
       round == 0 || (known != near.size() && round < origins.size());
       ++round) {
    known = near.size();
    for (size_t i = 0; i < all.size(); ++i) {
      Ops close;
      llvm::copy_if(all[i].ops, std::back_inserter(close), isNear);
      if (all[i].ops.size() < 2 || close.empty())
        continue;
      all[i].ops = std::move(close);
      all[i].tier = MatchTier::Neighborhood;
      if (all[i].ops.size() == 1)
        near.insert(index[all[i].ops.front()].op);
    }
  }
  for (size_t i = 0; i < all.size(); ++i)
    if (isInitial(origins[i]))
      llvm::erase_if(all[i].ops, [&](uint32_t op) {
        return index.getOpName(op) != origins[i].type || !isNear(op);
      });
  return all;
}

Match DispatchMatcher::matchModel(const OpKey &key) const {
  llvm::ArrayRef<OriginNode> origins = key.get<DispatchKey>().origins.nodes;
  MatchBuilder builder;
  for (auto [node, found] : llvm::zip_equal(origins, findAll(origins))) {
    if (isInitial(node) && found.ops.empty() && origins.size() > 1)
      continue;
    builder.addName(node.name);
    builder.addOps(node.name, found.ops, found.tier);
  }
  Match match = builder.build("the compiler's own, for no op of the model");
  // By order among the dispatches, in addition to names.
  match.tier = std::max(match.tier, MatchTier::ExecutionOrder);
  return match;
}

/// The ops of a dispatch whose function was made from another's ops: those with
/// the same surroundings around its own op as the other's around theirs.
Match DispatchMatcher::matchAlike(const OpKey &key) const {
  Match own = matchModel(key);
  auto it = known.find(key.op);
  if (it == known.end() || own.ops.empty()) {
    if (own.reason.empty())
      own.reason = "what was fused to it is not known: no dispatch of the "
                   "function that it shares was measured in its own place";
    return own;
  }
  llvm::ArrayRef<OriginNode> others = it->second;
  std::vector<Found> pattern = findAll(others);
  llvm::DenseSet<mlir::Operation *> members;
  for (const Found &found : pattern)
    for (uint32_t op : found.ops)
      members.insert(index[op].op);
  if (pattern.front().ops.empty())
    return own;
  auto pairs = findCounterparts(index[pattern.front().ops.front()].op,
                                index[own.ops.front()].op, members);
  MatchBuilder builder;
  const std::string &ownName =
      key.get<DispatchKey>().origins.nodes.front().name;
  builder.addName(ownName);
  builder.addOps(ownName, own.ops, own.tier);
  for (auto [node, found] :
       llvm::drop_begin(llvm::zip_equal(others, pattern))) {
    Ops ops;
    for (uint32_t op : found.ops)
      if (mlir::Operation *other = pairs.lookup(index[op].op))
        ops.push_back(index.find(other));
    if (llvm::is_contained(found.ops, pattern.front().ops.front()) ||
        (isInitial(node) && ops.empty()))
      continue;
    std::string name = "what is there as " + node.name + " elsewhere";
    builder.addName(name);
    builder.addOps(name, ops, MatchTier::Neighborhood);
  }
  return builder.build("");
}

Match DispatchMatcher::match(uint32_t number) {
  const OpKey &key = profile.opKeys[number];
  const auto &dispatch = key.get<DispatchKey>();
  if (dispatch.origins.kind == OriginKind::Unknown) {
    Match match;
    match.reason =
        dispatch.commandBuffer
            ? "a dispatch whose place no module of the stream phase "
              "(--iree-stream) told"
            : "a dispatch in no command buffer, of a function that no module "
              "of the stream phase (--iree-stream) runs at one place alone";
    return match;
  }
  if (!sites.empty())
    return sites.match(key);
  return dispatch.origins.kind == OriginKind::SameName ? matchAlike(key)
                                                       : matchModel(key);
}

std::unique_ptr<KeyMatcher> matcher::Dispatches(const MatchContext &context) {
  return std::make_unique<DispatchMatcher>(context.index, context.profile);
}
