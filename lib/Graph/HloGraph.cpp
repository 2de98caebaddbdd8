//===- HloGraph.cpp - An HLO module as a graph ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/HloGraph.h"
#include "mlir-prof/Graph/CallPlaces.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlirprof;
using namespace mlirprof::graph;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// XLA's PrimitiveType as its texts print it.
static llvm::StringRef elementTypeName(uint32_t type) {
  static constexpr llvm::StringRef kNames[] = {
      "invalid", "pred", "s8",   "s16",   "s32",  "s64",    "u8",
      "u16",     "u32",  "u64",  "f16",   "f32",  "f64",    "tuple",
      "opaque",  "c64",  "bf16", "token", "c128", "f8e5m2", "f8e4m3fn"};
  return type < std::size(kNames) ? kNames[type] : "?";
}

/// "f32[8,16]"; a tuple as "(f32[8], s32[], ...)".
static std::string shapeText(const HloShape &shape) {
  auto arrayText = [](const HloShape &array) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << elementTypeName(array.elementType) << '[';
    llvm::interleave(array.dimensions, os, ",");
    os << ']';
    return text;
  };
  if (shape.tuple.empty())
    return arrayText(shape);
  // Nested tuples are abbreviated: depth is not trusted.
  constexpr size_t kShown = 3;
  std::string text = "(";
  for (size_t i = 0; i < shape.tuple.size() && i < kShown; ++i)
    text += (i ? ", " : "") + (shape.tuple[i].tuple.empty()
                                   ? arrayText(shape.tuple[i])
                                   : std::string("(...)"));
  return text + (shape.tuple.size() > kShown ? ", ...)" : ")");
}

static std::string tooltipText(const HloInstruction &instruction) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << instruction.opcode << ' ' << shapeText(instruction.shape);
  if (!instruction.fusionKind.empty())
    os << "\nfusion kind: " << instruction.fusionKind;
  if (!instruction.customCallTarget.empty())
    os << "\ntarget: " << instruction.customCallTarget;
  if (!instruction.opName.empty())
    os << "\nop name: " << instruction.opName;
  if (!instruction.sourceFile.empty())
    os << "\nsource: " << instruction.sourceFile << ':'
       << instruction.sourceLine;
  return text;
}

namespace {

class HloGraphBuilder {
public:
  explicit HloGraphBuilder(const HloModule &module)
      : module(module), index(module) {}

  Graph build(const Profile &profile) {
    graph.kind = GraphKind::Hlo;
    graph.name = module.name;
    addNodes();
    addTimes(profile);
    addClusters();
    countPlaces();
    return std::move(graph);
  }

private:
  void addNodes();
  void addTimes(const Profile &profile);
  void findCallers();
  void addClusters();
  /// Sets the number of places that computations called by several
  /// instructions, and their callees, represent.
  void countPlaces();
  /// Makes `computation` a cluster, including the bodies of its instructions.
  void addTree(uint32_t computation, uint32_t parent, uint32_t owner);
  void fill(uint32_t computation, uint32_t cluster);

  llvm::ArrayRef<HloInstruction> bodyOf(uint32_t computation) const {
    const HloComputation &c = module.computations[computation];
    llvm::ArrayRef<HloInstruction> all = module.instructions;
    if (c.firstInstruction >= all.size())
      return {};
    all = all.drop_front(c.firstInstruction);
    return all.take_front(c.size);
  }

  struct Task {
    uint32_t computation;
    uint32_t parent;
    uint32_t owner;
  };

  const HloModule &module;
  HloIndex index;
  Graph graph;
  /// Computations called by each instruction alone.
  std::vector<llvm::SmallVector<uint32_t, 1>> bodies;
  std::vector<bool> isBody;
  std::vector<bool> done;
  std::vector<Task> tasks;
};

} // namespace

void HloGraphBuilder::addNodes() {
  for (auto [position, instruction] : llvm::enumerate(module.instructions)) {
    Node node;
    node.id = uint32_t(position);
    node.name = instruction.name;
    node.detail = instruction.opcode == "fusion" || instruction.name.empty()
                      ? shapeText(instruction.shape)
                      : instruction.opcode + " " + shapeText(instruction.shape);
    node.tooltip = tooltipText(instruction);
    graph.nodes.push_back(std::move(node));
    for (int64_t operand : instruction.operandIds)
      if (uint32_t from = index.findId(operand); from != kNone)
        graph.edges.push_back({from, uint32_t(position)});
  }
}

void HloGraphBuilder::addTimes(const Profile &profile) {
  for (const OpSummary &summary : mergeRuns(profile)) {
    if (summary.measurements.empty() || summary.op >= profile.opKeys.size())
      continue;
    const OpKey &key = profile.opKeys[summary.op];
    const auto *details = key.getIf<HloInstructionKey>();
    if (!details || details->getModule() != module.name)
      continue;
    const HloModule *meant = findHloModule(
        profile.hloModules, details->getModule(), details->programId);
    if (meant && meant->programId != module.programId)
      continue;
    uint32_t position = index.find(key.op);
    if (position == kNone)
      continue;
    Node &node = graph.nodes[position];
    node.beginPs = node.measured ? std::min(node.beginPs, summary.firstBeginPs)
                                 : summary.firstBeginPs;
    node.durationPs = saturatingAdd(node.durationPs, summary.getTimePs());
    node.measured = true;
  }
}

void HloGraphBuilder::findCallers() {
  llvm::DenseMap<int64_t, uint32_t> byId;
  for (auto [position, computation] : llvm::enumerate(module.computations))
    byId.try_emplace(computation.id, uint32_t(position));
  std::vector<llvm::SmallVector<uint32_t, 2>> callers(
      module.computations.size());
  for (auto [position, instruction] : llvm::enumerate(module.instructions))
    for (int64_t called : instruction.calledComputationIds)
      if (auto it = byId.find(called);
          it != byId.end() && callers[it->second].size() < 2)
        callers[it->second].push_back(uint32_t(position));

  bodies.resize(module.instructions.size());
  isBody.resize(module.computations.size());
  for (uint32_t computation = 0; computation < callers.size(); ++computation) {
    if (callers[computation].size() != 1 ||
        module.computations[computation].id == module.entryComputationId)
      continue;
    bodies[callers[computation].front()].push_back(computation);
    isBody[computation] = true;
  }
}

void HloGraphBuilder::fill(uint32_t computation, uint32_t cluster) {
  llvm::ArrayRef<HloInstruction> body = bodyOf(computation);
  for (const HloInstruction &instruction : body) {
    uint32_t position = uint32_t(&instruction - module.instructions.data());
    graph.nodes[position].cluster = cluster;
    if (bodies[position].empty())
      continue;
    uint32_t frame = uint32_t(graph.clusters.size());
    if (bodies[position].size() == 1) {
      tasks.push_back({bodies[position].front(), cluster, position});
      continue;
    }
    graph.clusters.push_back({graph.nodes[position].name, cluster, position});
    for (uint32_t called : llvm::reverse(bodies[position]))
      tasks.push_back({called, frame, kNoNode});
  }
}

void HloGraphBuilder::addTree(uint32_t computation, uint32_t parent,
                              uint32_t owner) {
  tasks.push_back({computation, parent, owner});
  while (!tasks.empty()) {
    Task task = tasks.back();
    tasks.pop_back();
    if (done[task.computation])
      continue;
    done[task.computation] = true;
    uint32_t cluster = uint32_t(graph.clusters.size());
    graph.clusters.push_back(
        {module.computations[task.computation].name, task.parent, task.owner});
    fill(task.computation, cluster);
  }
}

void HloGraphBuilder::addClusters() {
  findCallers();
  done.resize(module.computations.size());
  for (uint32_t computation = 0; computation < done.size(); ++computation)
    if (module.computations[computation].id == module.entryComputationId)
      addTree(computation, kNoCluster, kNoNode);
  for (uint32_t computation = 0; computation < done.size(); ++computation)
    if (!isBody[computation])
      addTree(computation, kNoCluster, kNoNode);
  // The remaining computations call themselves through others.
  for (uint32_t computation = 0; computation < done.size(); ++computation)
    addTree(computation, kNoCluster, kNoNode);
}

void HloGraphBuilder::countPlaces() {
  llvm::DenseMap<int64_t, uint32_t> byId;
  for (auto [position, computation] : llvm::enumerate(module.computations))
    byId.try_emplace(computation.id, uint32_t(position));
  std::vector<std::pair<uint32_t, uint32_t>> calls;
  for (uint32_t caller = 0; caller < module.computations.size(); ++caller)
    for (const HloInstruction &instruction : bodyOf(caller))
      for (int64_t called : instruction.calledComputationIds)
        if (auto it = byId.find(called); it != byId.end())
          calls.push_back({caller, it->second});
  std::vector<uint32_t> places =
      countCallPlaces(uint32_t(module.computations.size()), calls);
  for (uint32_t computation = 0; computation < places.size(); ++computation)
    for (const HloInstruction &instruction : bodyOf(computation))
      graph.nodes[&instruction - module.instructions.data()].places =
          places[computation];
}

Graph graph::buildHloGraph(const HloModule &module, const Profile &profile) {
  return HloGraphBuilder(module).build(profile);
}
