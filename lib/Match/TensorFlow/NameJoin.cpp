//===- NameJoin.cpp - Names in the words of the module --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NameJoin.h"
#include "../MatchBuilder.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Support/CrashGuard.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

/// Longer texts are not locations.
static constexpr size_t kMaxText = 4096;

/// Whether `key` is a sample of a stack of which only the frames are known.
static bool isStack(const OpKey &key) {
  const auto *call = key.getIf<FrameworkCallKey>();
  return call && !key.op.empty() && key.kernel.empty() &&
         call->ordinal == kNone && call->callers.empty() &&
         call->graphNode.empty() && call->phase == CallPhase::Forward;
}

/// Whether `op` has the type `type`, which may lack the dialect.
static bool isOfType(StringRef op, StringRef type) {
  return op == type || op.split('.').second == type;
}

/// The number of a node in its graph, or of a call, in the recording; -1 for
/// none.
static int64_t getNumber(const OpKey &key) {
  if (const auto *node = key.getIf<GraphNodeKey>())
    return node->number;
  const auto *call = key.getIf<FrameworkCallKey>();
  return call ? call->sequence : -1;
}

/// An attribute of `op`, which may be one of its properties if its dialect is
/// not registered.
static mlir::Attribute getAttribute(mlir::Operation *op, StringRef name) {
  if (mlir::Attribute attribute = op->getAttr(name))
    return attribute;
  auto properties = mlir::dyn_cast_or_null<mlir::DictionaryAttr>(
      op->getPropertiesAsAttribute());
  return properties ? properties.get(name) : mlir::Attribute();
}

/// Whether `key`, with the match `match`, may be joined here.
static bool isOpen(const OpKey &key, const Match &match) {
  if (key.is<GraphNodeKey>())
    return match.matchClass == MatchClass::Unmatched ||
           match.matchClass == MatchClass::Ambiguous;
  return isStack(key) && match.matchClass == MatchClass::Unmatched;
}

/// "net.py:3:5" or "net.py:3".
static std::optional<SourcePosition> parsePosition(StringRef text) {
  SourcePosition position;
  auto [before, last] = text.rsplit(':');
  uint32_t number;
  if (before.empty() || last.getAsInteger(10, number))
    return std::nullopt;
  auto [file, line] = before.rsplit(':');
  if (!file.empty() && !line.getAsInteger(10, position.line)) {
    position.column = number;
    position.file = file.str();
  } else {
    position.line = number;
    position.file = before.str();
  }
  return position;
}

NameJoin::Ops NameJoin::getPath(StringRef name) {
  Ops ops;
  for (const OwnerCandidate &candidate :
       resolver.resolve(name, PathStyle::Graph, PathScope::FullThenOwn))
    if (ops.empty() || ops.back() != candidate.op)
      ops.push_back(candidate.op);
  return ops;
}

NameJoin::Found NameJoin::findPosition(StringRef text) {
  std::optional<SourcePosition> position = parsePosition(text);
  if (!position)
    return {};
  Match match = lines.match(*position);
  return {text.str(), Ops(match.ops.begin(), match.ops.end()), match.tier};
}

/// A location in MLIR's printed form, "loc("net/up"("net.py":3:5))".
NameJoin::Found NameJoin::findLocation(StringRef text) {
  if (!foreign) {
    foreign = std::make_unique<mlir::MLIRContext>(
        mlir::MLIRContext::Threading::DISABLED);
    foreign->allowUnregisteredDialects();
  }
  mlir::LocationAttr location;
  bool hasCrashed =
      runGuarded([&] {
        mlir::ScopedDiagnosticHandler silence(
            foreign.get(), [](mlir::Diagnostic &) { return mlir::success(); });
        location = mlir::dyn_cast_or_null<mlir::LocationAttr>(
            mlir::parseAttribute(text, foreign.get()));
      }).has_value();
  if (hasCrashed)
    // It must not be used any more, not even destroyed.
    (void)foreign.release();
  if (hasCrashed || !location)
    return {};
  LocationTable table;
  const LocationInfo &info = table.get(table.add(location));
  for (uint32_t name : info.names)
    if (Ops ops = getPath(table.getName(name)); !ops.empty())
      return {table.getName(name).str(), ops, MatchTier::LocationPath};
  const Frame &frame = info.getUserFrame();
  if (!frame)
    return {};
  Match match = lines.match(
      SourcePosition{frame.file.str(), frame.line, frame.column, ""});
  return {text.str(), Ops(match.ops.begin(), match.ops.end()), match.tier};
}

NameJoin::Found NameJoin::findText(StringRef text) {
  if (text.empty() || text.size() > kMaxText)
    return {};
  if (Ops ops = getPath(text); !ops.empty())
    return {text.str(), ops, MatchTier::LocationPath};
  if (text.starts_with("loc("))
    return findLocation(text);
  if (Found found = findPosition(text); !found.ops.empty())
    return found;
  // A location as printed by reports, "net/up (net.py:3:5)".
  StringRef whole = text;
  auto [name, position] = text.rsplit(" (");
  if (!whole.ends_with(")") || name.size() == whole.size())
    return {};
  Ops named = getPath(name);
  Found found = findPosition(position.drop_back());
  if (named.empty())
    return found;
  Ops both;
  llvm::copy_if(named, std::back_inserter(both),
                [&](uint32_t op) { return llvm::is_contained(found.ops, op); });
  bool isNarrower = !both.empty() && both.size() < named.size();
  return {name.str(), both.empty() ? named : both,
          isNarrower ? MatchTier::SourceFrame : MatchTier::LocationPath};
}

NameJoin::Found NameJoin::findOpName(StringRef name) {
  if (byOpName.empty())
    for (uint32_t op = 0; op < index.size(); ++op)
      byOpName[index.getOpName(op)].push_back(op);
  auto it = byOpName.find(name);
  if (it == byOpName.end())
    return {};
  return {name.str(), it->second, MatchTier::Opcode};
}

NameJoin::Found NameJoin::findFunction(StringRef name) {
  if (functions.empty())
    for (uint32_t op = 1; op < index.size(); ++op)
      if (auto symbol = mlir::dyn_cast_or_null<mlir::StringAttr>(
              getAttribute(index[op].op, "sym_name"));
          symbol && index[op].op->getNumRegions())
        functions.try_emplace(symbol.getValue(), op);
  auto it = functions.find(name);
  if (it == functions.end())
    return {};
  Found found = {name.str(), {}, MatchTier::LocationPath, /*isFused=*/true};
  index[it->second].op->walk([&](mlir::Operation *op) {
    if (uint32_t number = index.find(op);
        number != kNone && number != it->second)
      found.ops.push_back(number);
  });
  llvm::sort(found.ops);
  return found;
}

NameJoin::Found NameJoin::find(const OpKey &key) {
  llvm::SmallVector<std::string, 4> texts = {key.op};
  if (const auto *call = key.getIf<FrameworkCallKey>();
      call && !call->scope.empty())
    texts.push_back(getKeyScope(key) + "/" + key.op);
  if (const auto *node = key.getIf<GraphNodeKey>()) {
    // A text in the form of a name and a type may be a name.
    if (!key.kernel.empty())
      texts.push_back(key.op + ":" + key.kernel);
    if (!node->eventName.empty())
      texts.push_back(node->eventName);
  }
  for (StringRef text : texts)
    if (Found found = findText(text); !found.ops.empty())
      return found;
  if (key.work == DeviceWork::Kernel)
    if (Found found = findFunction(key.op); !found.ops.empty())
      return found;
  texts.insert(texts.begin(), key.kernel);
  // A node with its own number is not just any op of its name.
  if (getNumber(key) < 0)
    for (StringRef text : texts)
      if (Found found = findOpName(text); !found.ops.empty())
        return found;
  return {};
}

/// Keeps the ops that the recording claims to have measured.
void NameJoin::narrow(const OpKey &key, Found &found) const {
  auto isMeant = [&](uint32_t op) {
    return isOfType(index.getOpName(op), key.kernel);
  };
  size_t kept = size_t(llvm::count_if(found.ops, isMeant));
  if (kept == 0 || kept == found.ops.size())
    return;
  llvm::erase_if(found.ops, [&](uint32_t op) { return !isMeant(op); });
  found.tier = std::max(found.tier, MatchTier::Opcode);
}

/// Whether the op whose index is the node's number can be the measured one: the
/// node is named after it, or its type is the op's without the dialect.
bool NameJoin::isNumberOf(const OpKey &key) const {
  int64_t number = getNumber(key);
  if (number >= int64_t(index.size()))
    return false;
  StringRef op = index.getOpName(uint32_t(number));
  return key.kernel.empty() ? op == key.op : isOfType(op, key.kernel);
}

static void setMatch(Match &match, StringRef name, llvm::ArrayRef<uint32_t> ops,
                     MatchTier tier) {
  MatchBuilder builder;
  builder.addName(name);
  builder.addOps(name, ops, tier);
  match = builder.build("");
}

/// Numbers count only if all fit: one that does not shows that the graph
/// belongs to another module, or that the numbers count something else.
void NameJoin::joinByNumber(IsSettled isSettled, std::vector<Match> &matches) {
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < profile.opKeys.size(); ++i)
    if (profile.opKeys[i].is<GraphNodeKey>() &&
        getNumber(profile.opKeys[i]) >= 0 && !isSettled(i) &&
        isOpen(profile.opKeys[i], matches[i]))
      open.push_back(i);
  for (uint32_t i : open) {
    const OpKey &key = profile.opKeys[i];
    if (isNumberOf(key))
      continue;
    auto number = uint64_t(getNumber(key));
    std::string reason =
        "the graph is not of this module: its node " + std::to_string(number) +
        " is " +
        StringRef(key.kernel.empty() ? key.op : key.kernel)
            .take_front(80)
            .str() +
        ", the module's op " + std::to_string(number) + " is " +
        (number < index.size() ? index.getOpName(uint32_t(number)).str()
                               : "missing");
    for (uint32_t other : open)
      if (matches[other].matchClass == MatchClass::Unmatched)
        matches[other].reason = reason;
    return;
  }
  for (uint32_t i : open) {
    const OpKey &key = profile.opKeys[i];
    auto number = uint32_t(getNumber(key));
    // A better tier is narrowed, never dropped.
    if (matches[i].matchClass == MatchClass::Unmatched ||
        llvm::is_contained(matches[i].ops, number))
      setMatch(matches[i], key.op, number, MatchTier::Identity);
  }
}

void NameJoin::run(IsSettled isSettled, std::vector<Match> &matches) {
  for (auto [number, key, match] : llvm::enumerate(profile.opKeys, matches)) {
    if (!isOpen(key, match) || isSettled(uint32_t(number)))
      continue;
    Found found;
    if (match.matchClass == MatchClass::Unmatched)
      found = find(key);
    else
      found = {match.names.front(), Ops(match.ops.begin(), match.ops.end()),
               match.tier};
    narrow(key, found);
    if (!found.ops.empty() && found.ops.size() != match.ops.size())
      setMatch(match, found.name, found.ops, found.tier);
    if (found.isFused && match.matchClass == MatchClass::Ambiguous)
      match.matchClass = MatchClass::Fused;
  }
  joinByNumber(isSettled, matches);
}
