//===- ModuleGraph.cpp - A module as a graph with times -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Match/ModuleGraph.h"
#include "Hlo/BufferFlow.h"
#include "KernelTimes.h"
#include "Torch/CallInstances.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir-prof/Module/ModuleIndex.h"
#include "mlir-prof/Support/Units.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>
#include <map>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::cost;
using namespace mlirprof::graph;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {

/// Scopes nested more deeply share the last one's frame.
constexpr size_t kMaxScopes = 12;
/// Maximum number of values followed for one edge.
constexpr size_t kMaxSources = 64;

/// The components of a path except the last, which is the op's own.
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
                     const Attribution &attribution, CallDrawing drawing,
                     KernelDrawing kernels)
      : index(root), ownership(ownership), attribution(attribution),
        instances(index, drawing), kernels(kernels) {}

  Graph build(const Profile *profile) {
    if (kernels == KernelDrawing::Folded)
      kernelTimes = getKernelTimes(index, ownership, attribution, profile);
    graph.kind = GraphKind::Dataflow;
    countClasses();
    collectCallSites();
    for (uint32_t i = 0; i < index.size(); ++i) {
      placedBefore.push_back(getPlaced());
      place(i);
    }
    placedBefore.push_back(getPlaced());
    addInstances();
    if (profile)
      times = getInstanceTimes(*profile, ownership, index, instances);
    for (uint32_t i = 0; i < index.size(); ++i)
      splitTime(i);
    bufferSources = findBufferSources(index);
    for (uint32_t i = 0; i < index.size(); ++i)
      if (nodeOf[i] != kNoNode)
        for (uint32_t instance : instances.of(index[i].function))
          addEdges(i, instance);
    return std::move(graph);
  }

private:
  /// A value in an instance of the function that computes it.
  struct Source {
    mlir::Value value;
    uint32_t instance;
  };
  using Sources = llvm::SmallVectorImpl<Source>;
  /// The numbers of nodes and clusters.
  struct Placed {
    uint32_t nodes, clusters;
  };
  Placed getPlaced() const {
    return {uint32_t(graph.nodes.size()), uint32_t(graph.clusters.size())};
  }

  void addInstances();
  void addCopies(uint32_t function);
  std::string describeCall(const CallInstance &instance) const;
  void splitTime(uint32_t number);
  uint32_t getNode(uint32_t number, uint32_t instance) const {
    return nodeOf[number] == kNoNode ? kNoNode
                                     : nodeOf[number] + shiftOf[instance];
  }
  uint32_t getBufferNode(uint32_t source, uint32_t number,
                         uint32_t instance) const;
  void countClasses();
  void collectCallSites();
  void place(uint32_t number);
  uint32_t getScope(uint32_t number, uint32_t cluster);
  llvm::SmallVector<StringRef> getScopesAround(uint32_t number) const;
  uint32_t addCluster(StringRef name, uint32_t parent, uint32_t owner);
  void openBody(uint32_t number, StringRef name, uint32_t cluster,
                uint32_t owner);
  void addNode(uint32_t number, uint32_t cluster);
  void setKernelTime(uint32_t number, const KernelTime &time, Node &node) const;
  std::string describe(uint32_t number) const;
  void addEdges(uint32_t number, uint32_t instance);
  void addResultSources(mlir::OpResult result, uint32_t instance,
                        Sources &todo);
  void addArgumentSources(mlir::BlockArgument argument, uint32_t instance,
                          Sources &todo);
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
  CallInstances instances;
  KernelDrawing kernels;
  InstanceTimes times;
  /// By dispatch; empty if kernels are drawn.
  llvm::DenseMap<uint32_t, KernelTime> kernelTimes;
  Graph graph;
  /// Node of the op in the first instance of its function.
  std::vector<uint32_t> nodeOf;
  /// Offset of the nodes of an instance from those of the first.
  std::vector<uint32_t> shiftOf;
  /// By op; the last entry is for all ops.
  std::vector<Placed> placedBefore;
  /// Cluster of the ops directly within an op, if it is drawn open.
  std::vector<uint32_t> bodyOf;
  /// Clusters of blocks with their own cluster.
  llvm::DenseMap<mlir::Block *, uint32_t> blockOf;
  std::vector<bool> isFolded;
  std::vector<llvm::SmallVector<uint32_t, 1>> bufferSources;
  std::map<std::pair<uint32_t, std::string>, uint32_t> scopes;
  std::multimap<uint32_t, uint32_t> calleesOf;
  llvm::DenseMap<mlir::Operation *, uint32_t> functionOf;
  /// Number of measured ops of each class in which an op has a part.
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
  for (uint32_t i = 0; i < index.getFunctions().size(); ++i)
    if (i != 0)
      functionOf[index[index.getFunctions()[i].op].op] = i;
  for (const IndexedCall &call : index.getCalls())
    calleesOf.insert({call.op, call.callee});
  nodeOf.assign(index.size(), kNoNode);
  bodyOf.assign(index.size(), kNoCluster);
  isFolded.assign(index.size(), false);
}

/// Whether the op's regions contain separate ops. Other regions (the body of a
/// reduction, of a linalg.generic) are part of the op.
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

/// Whether the op declares or names constant memory, or, in an unknown dialect,
/// does not have operands ("torch.constant.int").
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

/// Constants, terminators, and ops that release memory: seldom of interest.
bool ModuleGraphBuilder::isFree(uint32_t number) const {
  mlir::Operation *op = index[number].op;
  return index.getTraits(number).isTerminator ||
         op->hasTrait<mlir::OpTrait::ConstantLike>() ||
         (op->getNumOperands() == 0 && getKind(op) == OpKind::Free) ||
         mlir::hasSingleEffect<mlir::MemoryEffects::Free>(op) || isGlobal(op);
}

/// A module within the module, or its equivalent in another dialect.
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

/// Creates the frame of the contents of an op. Each of several regions, and of
/// several blocks of a region, gets a frame in it.
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

/// The scopes of the nearest named op that contains an op in its body: its
/// frame is in theirs.
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
  if (kernels == KernelDrawing::Folded && isKernel(index, number)) {
    isFolded[number] = true;
    return;
  }
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
    node.durationPs = time.totalPs();
    node.measured = time.count != 0;
  }
  if (auto time = kernelTimes.find(number); time != kernelTimes.end())
    setKernelTime(number, time->second, node);
  node.incidental = isFree(number);
  node.cluster = cluster;
  nodeOf[number] = uint32_t(graph.nodes.size());
  graph.nodes.push_back(std::move(node));
}

/// Gives a dispatch the time of its kernel.
void ModuleGraphBuilder::setKernelTime(uint32_t number, const KernelTime &time,
                                       Node &node) const {
  StringRef kernel = llvm::cast<dispatch::RunOp>(index[number].op).getKernel();
  node.detail =
      ("@" + kernel + (node.detail.empty() ? "" : " ")).str() + node.detail;
  node.tooltip += "\n@" + kernel.str() + ": " + formatTime(time.totalPs) +
                  ", of which " + formatTime(time.estimatedPs) +
                  " estimated from what several dispatches took together";
  node.beginPs = time.firstBeginPs;
  node.durationPs = time.totalPs;
  node.measured = time.count != 0;
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
  text += "\nsole " + formatTime(time.solePs) + ", estimated " +
          formatTime(time.estimatedPs) + " of shared " +
          formatTime(time.sharedPs);
  text += "\n" + formatCount(time.count, "call") + ", measured ops:";
  for (size_t i = 0; i < classes[number].size(); ++i)
    if (uint32_t count = classes[number][i])
      text += " " + std::to_string(count) + " (" +
              toString(MatchClass(i)).str() + ")";
  return text;
}

void ModuleGraphBuilder::addInstances() {
  for (uint32_t i = 0; i < index.getFunctions().size(); ++i)
    for (uint32_t instance : instances.of(i))
      shiftOf.resize(std::max<size_t>(shiftOf.size(), instance + 1));
  for (uint32_t i = 1; i < index.getFunctions().size(); ++i)
    if (instances.of(i).size() > 1)
      addCopies(i);
}

/// "a" for the call at loc("a").
std::string
ModuleGraphBuilder::describeCall(const CallInstance &instance) const {
  std::string text;
  for (const CallInstance *at = &instance; at->calls.size() == 1;
       at = &instances[at->calls.front().second]) {
    uint32_t call = at->calls.front().first;
    const auto &names = index.getLocation(call).names;
    text += (text.empty() ? "" : " from ") +
            (names.empty() ? "op " + std::to_string(call)
                           : index.getLocations().getName(names.front()).str());
  }
  return text;
}

/// Draws a function again for each instance except the first.
void ModuleGraphBuilder::addCopies(uint32_t function) {
  uint32_t op = index.getFunctions()[function].op;
  Placed begin = placedBefore[op], end = placedBefore[index[op].end];
  std::string name = graph.clusters[bodyOf[op]].name;
  for (auto [copy, instance] : llvm::enumerate(instances.of(function))) {
    Placed now = getPlaced();
    uint32_t shift = now.clusters - begin.clusters;
    if (copy == 0)
      shift = 0;
    else
      shiftOf[instance] = now.nodes - begin.nodes;
    for (uint32_t i = begin.clusters; copy && i < end.clusters; ++i) {
      Cluster cluster = graph.clusters[i];
      if (cluster.parent != kNoCluster && cluster.parent >= begin.clusters)
        cluster.parent += shift;
      if (cluster.owner != kNoNode)
        cluster.owner += shiftOf[instance];
      graph.clusters.push_back(std::move(cluster));
    }
    for (uint32_t i = begin.nodes; copy && i < end.nodes; ++i) {
      Node node = graph.nodes[i];
      node.cluster += shift;
      node.id = index.size() + uint32_t(graph.nodes.size()) -
                placedBefore.back().nodes;
      graph.nodes.push_back(std::move(node));
    }
    graph.clusters[bodyOf[op] + shift].name =
        name + " by " + describeCall(instances[instance]);
  }
}

/// Gives each instance of an op its part of the time.
void ModuleGraphBuilder::splitTime(uint32_t number) {
  llvm::ArrayRef<uint32_t> all = instances.of(index[number].function);
  if (nodeOf[number] == kNoNode)
    return;
  Node &first = graph.nodes[nodeOf[number]];
  first.places = instances.placesOf(index[number].function);
  if (auto time = kernelTimes.find(number); time != kernelTimes.end())
    first.estimatedPs = time->second.estimatedPs;
  else if (number < attribution.ops.size())
    first.estimatedPs = attribution.ops[number].estimatedPs;
  if (all.size() < 2)
    return;
  int64_t restPs = first.durationPs - first.estimatedPs;
  std::vector<int64_t> measuredPs(all.size());
  for (auto [instance, measured] : llvm::zip_equal(all, measuredPs))
    if (auto it = times.find({number, instance}); it != times.end()) {
      measured =
          std::clamp<int64_t>(it->second, 0, std::max<int64_t>(restPs, 0));
      restPs -= measured;
    }
  std::vector<uint64_t> even(all.size(), 1);
  std::vector<int64_t> rests = splitExactly(restPs, even);
  std::vector<int64_t> estimates = splitExactly(first.estimatedPs, even);
  uint32_t id = first.id;
  int64_t wholePs = first.durationPs;
  for (auto [i, instance] : llvm::enumerate(all)) {
    Node &node = graph.nodes[getNode(number, instance)];
    node.instanceOf = id;
    node.splitPs = rests[i];
    node.estimatedPs = estimates[i];
    node.durationPs = measuredPs[i] + rests[i] + estimates[i];
    if (wholePs != 0)
      node.tooltip += "\nthe call by " + describeCall(instances[instance]) +
                      ": " + formatTime(measuredPs[i]) + " measured, " +
                      formatTime(rests[i] + estimates[i]) +
                      " estimated as an even part of " +
                      std::to_string(all.size()) + " calls";
  }
}

void ModuleGraphBuilder::addArgumentSources(mlir::BlockArgument argument,
                                            uint32_t instance, Sources &todo) {
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
          todo.push_back({operands[number], instance});
      }
  if (!parent || !block->isEntryBlock())
    return;
  if (functionOf.contains(parent)) {
    for (auto [call, caller] : instances[instance].calls)
      if (number < index[call].op->getNumOperands())
        todo.push_back({index[call].op->getOperand(number), caller});
    return;
  }
  // A loop's arguments correspond to its last operands: a counter may precede
  // them in the body, bounds in the operands.
  unsigned arguments = argument.getOwner()->getNumArguments();
  unsigned operands = parent->getNumOperands();
  unsigned fromEnd = arguments - number;
  if (fromEnd <= operands && fromEnd <= parent->getNumResults())
    todo.push_back({parent->getOperand(operands - fromEnd), instance});
}

void ModuleGraphBuilder::addResultSources(mlir::OpResult result,
                                          uint32_t instance, Sources &todo) {
  mlir::Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  uint32_t opNumber = index.find(op);
  auto addYield = [&](mlir::Block &block, uint32_t at) {
    if (!block.empty() && number < block.back().getNumOperands())
      todo.push_back({block.back().getOperand(number), at});
  };
  if (opNumber == kNone || !opensFrame(opNumber))
    return;
  for (mlir::Region &region : op->getRegions())
    if (region.hasOneBlock())
      addYield(region.front(), instance);
  auto [begin, end] = calleesOf.equal_range(opNumber);
  for (auto callee = begin; callee != end; ++callee)
    if (uint32_t called = instances.find(instance, opNumber, callee->second);
        called != kNone)
      for (mlir::Region &region :
           index[index.getFunctions()[callee->second].op].op->getRegions())
        if (region.hasOneBlock())
          addYield(region.front(), called);
}

/// The node that wrote a buffer for `number` in `instance`: unknown if it is in
/// another function with several instances.
uint32_t ModuleGraphBuilder::getBufferNode(uint32_t source, uint32_t number,
                                           uint32_t instance) const {
  uint32_t function = index[source].function;
  if (function == index[number].function)
    return getNode(source, instance);
  llvm::ArrayRef<uint32_t> all = instances.of(function);
  bool standsForAll = all.size() == 1 && instances.placesOf(function) == 1;
  return standsForAll ? getNode(source, all.front()) : kNoNode;
}

void ModuleGraphBuilder::addEdges(uint32_t number, uint32_t instance) {
  llvm::SmallVector<Source> todo;
  for (mlir::Value operand : index[number].op->getOperands())
    todo.push_back({operand, instance});
  llvm::SmallDenseSet<std::pair<void *, uint32_t>, 16> seen;
  llvm::SmallVector<uint32_t> from;
  size_t limit = todo.size() + kMaxSources;
  for (size_t i = 0; i < todo.size() && i < limit; ++i) {
    auto [value, at] = todo[i];
    if (!seen.insert({value.getAsOpaquePointer(), at}).second)
      continue;
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
      addArgumentSources(argument, at, todo);
      continue;
    }
    auto result = llvm::cast<mlir::OpResult>(value);
    uint32_t source = index.find(result.getOwner());
    uint32_t node = source == kNone ? kNoNode : getNode(source, at);
    if (node != kNoNode && node != getNode(number, instance))
      from.push_back(node);
    addResultSources(result, at, todo);
  }
  for (uint32_t source : bufferSources[number])
    if (uint32_t node = getBufferNode(source, number, instance);
        node != kNoNode)
      from.push_back(node);
  // A function that returns its results in memory returns after the last op.
  if (from.empty() && index.getTraits(number).isTerminator)
    for (mlir::Operation *before = index[number].op->getPrevNode(); before;
         before = before->getPrevNode()) {
      uint32_t last = index.find(before);
      if (last == kNone || nodeOf[last] == kNoNode || isFree(last))
        continue;
      from.push_back(getNode(last, instance));
      break;
    }
  llvm::sort(from);
  from.erase(std::unique(from.begin(), from.end()), from.end());
  for (uint32_t node : from)
    graph.edges.push_back({node, getNode(number, instance)});
}

Graph match::buildDataflowGraph(mlir::Operation *root,
                                const Ownership &ownership,
                                const Attribution &attribution,
                                CallDrawing calls, const Profile *profile,
                                KernelDrawing kernels) {
  return ModuleGraphBuilder(root, ownership, attribution, calls, kernels)
      .build(profile);
}
