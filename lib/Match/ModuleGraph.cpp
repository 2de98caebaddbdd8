//===- ModuleGraph.cpp - A module as a graph with times -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Match/ModuleGraph.h"
#include "BufferFlow.h"
#include "ModuleIndex.h"
#include "OpKinds.h"
#include "mlir-prof/Report/Units.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>
#include <map>

using namespace mlirprof;
using namespace mlirprof::graph;
using llvm::StringRef;

namespace {

/// Scopes that nest deeper than this share the last one's frame.
constexpr size_t kMaxScopes = 12;
/// Values that one edge may be followed through.
constexpr size_t kMaxSources = 64;

/// The components of a path but the last, which is the op's own.
llvm::SmallVector<StringRef> getScopes(StringRef name) {
  llvm::SmallVector<StringRef> scopes;
  name.split(scopes, '/', kMaxScopes, /*KeepEmpty=*/false);
  if (!scopes.empty())
    scopes.pop_back();
  return scopes;
}

/// Builds the graph in one pass over the ops, parents first.
class ModuleGraphBuilder {
public:
  ModuleGraphBuilder(mlir::Operation *root, const Ownership &ownership,
                     const Attribution &attribution)
      : index(root), ownership(ownership), attribution(attribution) {}

  Graph build() {
    countClasses();
    collectCallSites();
    for (uint32_t i = 0; i < index.size(); ++i)
      place(i);
    bufferSources = findBufferSources(index);
    for (uint32_t i = 0; i < index.size(); ++i)
      if (nodeOf[i] != kNoNode)
        addEdges(i);
    return std::move(graph);
  }

private:
  void countClasses();
  void collectCallSites();
  void place(uint32_t number);
  uint32_t getScope(uint32_t number, uint32_t cluster);
  llvm::SmallVector<StringRef> getScopesAround(uint32_t number) const;
  uint32_t addCluster(StringRef name, uint32_t parent, uint32_t owner);
  void openBody(uint32_t number, StringRef name, uint32_t cluster,
                uint32_t owner);
  void addNode(uint32_t number, uint32_t cluster);
  std::string describe(uint32_t number) const;
  void addEdges(uint32_t number);
  void addResultSources(mlir::OpResult result,
                        llvm::SmallVectorImpl<mlir::Value> &todo);
  void addArgumentSources(mlir::BlockArgument argument,
                          llvm::SmallVectorImpl<mlir::Value> &todo);
  bool isBox(uint32_t number) const;
  bool isFree(uint32_t number) const;
  bool isTimed(uint32_t number) const {
    return number < attribution.ops.size() &&
           attribution.ops[number].count != 0;
  }
  bool holdsFunctions(uint32_t number) const;
  bool opensFrame(uint32_t number) const;

  ModuleIndex index;
  const Ownership &ownership;
  const Attribution &attribution;
  Graph graph;
  std::vector<uint32_t> nodeOf;
  /// Cluster of the ops directly within an op, if it is drawn open.
  std::vector<uint32_t> bodyOf;
  /// Clusters of blocks that have one of their own.
  llvm::DenseMap<mlir::Block *, uint32_t> blockOf;
  std::vector<bool> isFolded;
  std::vector<llvm::SmallVector<uint32_t, 1>> bufferSources;
  std::map<std::pair<uint32_t, std::string>, uint32_t> scopes;
  /// Calls by callee, in module order.
  std::vector<llvm::SmallVector<uint32_t, 1>> callsOf;
  std::multimap<uint32_t, uint32_t> calleesOf;
  llvm::DenseMap<mlir::Operation *, uint32_t> functionOf;
  /// Measured ops of each class that an op has a part in.
  std::vector<std::array<uint32_t, 5>> classes;
};

} // namespace

void ModuleGraphBuilder::countClasses() {
  classes.resize(index.size());
  for (const Match &match : ownership.matches)
    for (uint32_t op : match.ops)
      if (op < classes.size())
        ++classes[op][size_t(match.matchClass)];
}

void ModuleGraphBuilder::collectCallSites() {
  callsOf.resize(index.getFunctions().size());
  for (uint32_t i = 0; i < index.getFunctions().size(); ++i)
    if (i != 0)
      functionOf[index[index.getFunctions()[i].op].op] = i;
  for (const IndexedCall &call : index.getCalls()) {
    callsOf[call.callee].push_back(call.op);
    calleesOf.insert({call.op, call.callee});
  }
  nodeOf.assign(index.size(), kNoNode);
  bodyOf.assign(index.size(), kNoCluster);
  isFolded.assign(index.size(), false);
}

/// Ops whose regions hold ops of their own right. The regions of others (the
/// body of a reduction, of a linalg.generic) are part of the op.
bool ModuleGraphBuilder::opensFrame(uint32_t number) const {
  OpKind kind = getKind(index[number].op);
  return kind == OpKind::Control || kind == OpKind::Other ||
         index.getTraits(number).isFunction ||
         index.getTraits(number).isWrapper || number == 0 ||
         holdsFunctions(number);
}

bool ModuleGraphBuilder::isBox(uint32_t number) const {
  if (number == 0 || index.getTraits(number).isFunction ||
      index.getTraits(number).isWrapper)
    return false;
  return !isFree(number) || isTimed(number);
}

/// What declares constant memory, or names it, and in dialects that are not
/// known what needs nothing ("torch.constant.int").
static bool isGlobal(mlir::Operation *op) {
  if (op->getNumOperands() != 0 || op->getNumRegions() != 0)
    return false;
  if (op->getNumResults() == 0)
    return op->hasAttr(mlir::SymbolTable::getSymbolAttrName());
  auto isBuffer = [](mlir::Type type) {
    return llvm::isa<mlir::BaseMemRefType>(type);
  };
  return !op->isRegistered() || (mlir::isMemoryEffectFree(op) &&
                                 llvm::all_of(op->getResultTypes(), isBuffer));
}

/// Constants, terminators, and what gives memory back: seldom of interest.
bool ModuleGraphBuilder::isFree(uint32_t number) const {
  mlir::Operation *op = index[number].op;
  return index.getTraits(number).isTerminator ||
         op->hasTrait<mlir::OpTrait::ConstantLike>() ||
         (op->getNumOperands() == 0 && getKind(op) == OpKind::Free) ||
         mlir::hasSingleEffect<mlir::MemoryEffects::Free>(op) || isGlobal(op);
}

/// A module within the module, or what another dialect has for it.
bool ModuleGraphBuilder::holdsFunctions(uint32_t number) const {
  mlir::Operation *op = index[number].op;
  return number != 0 && op->getNumRegions() != 0 && op->getNumOperands() == 0 &&
         op->getNumResults() == 0 && !index.getTraits(number).isFunction &&
         (op->hasTrait<mlir::OpTrait::SymbolTable>() ||
          index.getOpName(number).ends_with(".module"));
}

uint32_t ModuleGraphBuilder::addCluster(StringRef name, uint32_t parent,
                                        uint32_t owner) {
  graph.clusters.push_back({name.str(), parent, owner});
  return uint32_t(graph.clusters.size() - 1);
}

static std::string getRegionName(mlir::Operation *op, unsigned number) {
  using Names = std::pair<StringRef, StringRef>;
  StringRef name = op->getName().getStringRef();
  auto [first, second] =
      llvm::StringSwitch<Names>(name)
          .Cases({"scf.if", "tosa.cond_if", "affine.if"}, Names{"then", "else"})
          .Case("scf.while", Names{"before", "after"})
          .Cases({"stablehlo.while", "mhlo.while", "tosa.while_loop"},
                 Names{"cond", "body"})
          .Cases({"stablehlo.if", "mhlo.if"}, Names{"true", "false"})
          .Default({});
  StringRef known = number == 0 ? first : number == 1 ? second : StringRef();
  return known.empty() ? "region " + std::to_string(number) : known.str();
}

/// Makes the frame of what an op holds. Of several regions, and of several
/// blocks of a region, each has a frame in it.
void ModuleGraphBuilder::openBody(uint32_t number, StringRef name,
                                  uint32_t cluster, uint32_t owner) {
  mlir::Operation *op = index[number].op;
  uint32_t body = bodyOf[number] = addCluster(name, cluster, owner);
  bool isFunction = index.getTraits(number).isFunction;
  graph.clusters[body].runsInOrder =
      owner != kNoNode ? runsInOrder(op)
                       : isFunction && !op->getRegion(0).hasOneBlock();
  auto filled = llvm::count_if(op->getRegions(),
                               [](mlir::Region &r) { return !r.empty(); });
  for (mlir::Region &region : op->getRegions()) {
    uint32_t outer = body;
    if (filled > 1 && !region.empty())
      outer = addCluster(getRegionName(op, region.getRegionNumber()), body,
                         kNoNode);
    for (auto [position, block] : llvm::enumerate(region))
      if (!region.hasOneBlock())
        blockOf[&block] =
            addCluster("^bb" + std::to_string(position), outer, kNoNode);
      else if (outer != body)
        blockOf[&block] = outer;
  }
}

/// The scopes of the nearest named op whose body an op is in: its frame stands
/// in theirs.
llvm::SmallVector<StringRef>
ModuleGraphBuilder::getScopesAround(uint32_t number) const {
  for (uint32_t at = index[number].parent; at != 0; at = index[at].parent)
    if (const auto &names = index.getLocation(at).names;
        nodeOf[at] != kNoNode && !names.empty())
      return getScopes(index.getLocations().getName(names.front()));
  return {};
}

uint32_t ModuleGraphBuilder::getScope(uint32_t number, uint32_t cluster) {
  const auto &names = index.getLocation(number).names;
  if (names.empty())
    return cluster;
  auto own = getScopes(index.getLocations().getName(names.front()));
  auto around = getScopesAround(number);
  auto *inner =
      std::mismatch(own.begin(), own.end(), around.begin(), around.end()).first;
  for (StringRef scope : llvm::make_range(inner, own.end())) {
    auto [entry, inserted] = scopes.try_emplace({cluster, scope.str()}, 0);
    if (inserted)
      entry->second = addCluster(scope, cluster, kNoNode);
    cluster = entry->second;
  }
  return cluster;
}

void ModuleGraphBuilder::place(uint32_t number) {
  if (number == 0)
    return;
  uint32_t parent = index[number].parent;
  if (isFolded[parent] || !opensFrame(parent)) {
    isFolded[number] = true;
    return;
  }
  uint32_t cluster = bodyOf[parent];
  if (auto block = blockOf.find(index[number].op->getBlock());
      block != blockOf.end())
    cluster = block->second;
  bool isFunction = index.getTraits(number).isFunction;
  if (isFunction || holdsFunctions(number)) {
    auto name = index[number].op->getAttrOfType<mlir::StringAttr>("sym_name");
    openBody(number,
             name         ? "@" + name.getValue().str()
             : isFunction ? "@"
                          : index.getOpName(number).str(),
             cluster, kNoNode);
    return;
  }
  bodyOf[number] = cluster;
  if (!isBox(number))
    return;
  cluster = getScope(number, cluster);
  addNode(number, cluster);
  if (index[number].op->getNumRegions() != 0 && opensFrame(number))
    openBody(number, index.getOpName(number), cluster, nodeOf[number]);
}

void ModuleGraphBuilder::addNode(uint32_t number, uint32_t cluster) {
  Node node;
  node.id = number;
  node.name = index.getOpName(number);
  const auto &names = index.getLocation(number).names;
  if (!names.empty())
    node.detail =
        index.getLocations().getName(names.front()).rsplit('/').second;
  if (!names.empty() && node.detail.empty())
    node.detail = index.getLocations().getName(names.front());
  node.tooltip = describe(number);
  if (number < attribution.ops.size()) {
    const OpTime &time = attribution.ops[number];
    node.beginPs = time.firstBeginPs;
    node.durationPs = time.heatPs();
    node.measured = time.count != 0;
  }
  node.incidental = isFree(number);
  node.cluster = cluster;
  nodeOf[number] = uint32_t(graph.nodes.size());
  graph.nodes.push_back(std::move(node));
}

std::string ModuleGraphBuilder::describe(uint32_t number) const {
  std::string text = index.getOpName(number).str();
  if (number < ownership.ops.size()) {
    const MlirOp &row = ownership.ops[number];
    if (!row.path.empty())
      text += "\n" + row.path;
    if (!row.location.empty() && row.location != row.path)
      text += "\n" + row.location;
  }
  if (number >= attribution.ops.size() || attribution.ops[number].count == 0)
    return text + "\nnot measured";
  const OpTime &time = attribution.ops[number];
  text += "\nexclusive " + formatTime(time.exclusivePs) + ", modelled " +
          formatTime(time.modelledPs) + " of shared " +
          formatTime(time.sharedPs);
  text += "\n" + std::to_string(time.count) + " calls, measured ops:";
  for (size_t i = 0; i < classes[number].size(); ++i)
    if (uint32_t count = classes[number][i])
      text += " " + std::to_string(count) + " (" +
              toString(MatchClass(i)).str() + ")";
  return text;
}

void ModuleGraphBuilder::addArgumentSources(
    mlir::BlockArgument argument, llvm::SmallVectorImpl<mlir::Value> &todo) {
  mlir::Block *block = argument.getOwner();
  mlir::Operation *parent = block->getParentOp();
  unsigned number = argument.getArgNumber();
  if (!block->isEntryBlock())
    for (auto from = block->pred_begin(); from != block->pred_end(); ++from)
      if (auto branch = llvm::dyn_cast<mlir::BranchOpInterface>(
              (*from)->getTerminator())) {
        mlir::SuccessorOperands operands =
            branch.getSuccessorOperands(from.getSuccessorIndex());
        if (number < operands.size() && !operands.isOperandProduced(number))
          todo.push_back(operands[number]);
      }
  if (!parent || !block->isEntryBlock())
    return;
  auto function = functionOf.find(parent);
  if (function != functionOf.end()) {
    for (uint32_t call : callsOf[function->second])
      if (number < index[call].op->getNumOperands())
        todo.push_back(index[call].op->getOperand(number));
    return;
  }
  // A loop's arguments stand for its last operands: a counter may come before
  // them in the body, bounds in the operands.
  unsigned arguments = argument.getOwner()->getNumArguments();
  unsigned operands = parent->getNumOperands();
  unsigned fromEnd = arguments - number;
  if (fromEnd <= operands && fromEnd <= parent->getNumResults())
    todo.push_back(parent->getOperand(operands - fromEnd));
}

void ModuleGraphBuilder::addResultSources(
    mlir::OpResult result, llvm::SmallVectorImpl<mlir::Value> &todo) {
  mlir::Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  uint32_t opNumber = index.find(op);
  auto addYield = [&](mlir::Block &block) {
    if (!block.empty() && number < block.back().getNumOperands())
      todo.push_back(block.back().getOperand(number));
  };
  if (opNumber == kNone || !opensFrame(opNumber))
    return;
  for (mlir::Region &region : op->getRegions())
    if (region.hasOneBlock())
      addYield(region.front());
  auto [begin, end] = calleesOf.equal_range(opNumber);
  for (auto callee = begin; callee != end; ++callee)
    for (mlir::Region &region :
         index[index.getFunctions()[callee->second].op].op->getRegions())
      if (region.hasOneBlock())
        addYield(region.front());
}

void ModuleGraphBuilder::addEdges(uint32_t number) {
  llvm::SmallVector<mlir::Value> todo(index[number].op->getOperands());
  llvm::SmallPtrSet<void *, 16> seen;
  llvm::SmallVector<uint32_t> from;
  size_t limit = todo.size() + kMaxSources;
  for (size_t i = 0; i < todo.size() && i < limit; ++i) {
    mlir::Value value = todo[i];
    if (!seen.insert(value.getAsOpaquePointer()).second)
      continue;
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
      addArgumentSources(argument, todo);
      continue;
    }
    auto result = llvm::cast<mlir::OpResult>(value);
    uint32_t source = index.find(result.getOwner());
    if (source != kNone && nodeOf[source] != kNoNode && source != number)
      from.push_back(nodeOf[source]);
    addResultSources(result, todo);
  }
  for (uint32_t source : bufferSources[number])
    if (nodeOf[source] != kNoNode)
      from.push_back(nodeOf[source]);
  // A function that hands on its results in memory returns after the last op.
  if (from.empty() && index.getTraits(number).isTerminator)
    for (mlir::Operation *before = index[number].op->getPrevNode(); before;
         before = before->getPrevNode()) {
      uint32_t last = index.find(before);
      if (last == kNone || nodeOf[last] == kNoNode || isFree(last))
        continue;
      from.push_back(nodeOf[last]);
      break;
    }
  llvm::sort(from);
  from.erase(std::unique(from.begin(), from.end()), from.end());
  for (uint32_t node : from)
    graph.edges.push_back({node, nodeOf[number]});
}

Graph mlirprof::buildDataflowGraph(mlir::Operation *root,
                                   const Ownership &ownership,
                                   const Attribution &attribution) {
  return ModuleGraphBuilder(root, ownership, attribution).build();
}
