//===- Flow.cpp - Measured ops and the users of their results -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flow.h"
#include "mlir-prof/Attribution/Instances.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <set>

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// Share of the machine's operations per second, in millionths: an op above it
/// is bound by computing.
static constexpr int64_t kComputesPpm = 500000;

bool Flow::isFused(uint32_t a, uint32_t b) const {
  return llvm::any_of(ops[a].loops, [&](uint32_t loop) {
    return llvm::binary_search(ops[b].loops, loop);
  });
}

static void sortUsers(Flow &flow) {
  for (FlowOp &op : flow.ops) {
    llvm::sort(op.users);
    op.users.erase(llvm::unique(op.users), op.users.end());
  }
}

//===----------------------------------------------------------------------===//
// XLA
//===----------------------------------------------------------------------===//

/// Whether the instruction does more than about one operation on each element
/// that it moves, or controls others: then memory does not bound it.
static bool isHeavy(llvm::StringRef opcode) {
  return llvm::StringSwitch<bool>(opcode)
      .Cases({"dot", "convolution", "custom-call", "fft", "cholesky"}, true)
      .Cases({"triangular-solve", "sort", "reduce-window", "scatter"}, true)
      .Cases({"while", "conditional", "call", "rng", "infeed"}, true)
      .Cases({"rng-bit-generator", "outfeed", "send", "recv"}, true)
      .Cases({"select-and-scatter", "ragged-dot", "topk"}, true)
      .StartsWith("all-", true)
      .StartsWith("collective-", true)
      .Default(false);
}

static bool isMemoryBound(const HloIndex &index, uint32_t instruction) {
  const HloModule &module = index.getModule();
  llvm::SmallVector<uint32_t> members = index.getMembers(instruction);
  return !members.empty() &&
         !isHeavy(module.instructions[instruction].opcode) &&
         llvm::none_of(members, [&](uint32_t member) {
           return isHeavy(module.instructions[member].opcode);
         });
}

namespace {
struct Place {
  const HloIndex *index;
  uint32_t instruction;
};
} // namespace

static std::optional<Flow> getHloFlow(const AdviseContext &context) {
  Flow flow;
  std::vector<Place> places;
  llvm::DenseMap<std::pair<const HloIndex *, uint32_t>, uint32_t> positions;
  for (const OpSummary &op : context.merged) {
    auto [index, instruction] = context.findInstruction(op);
    if (!index || op.measurements.empty())
      continue;
    positions.try_emplace({index, instruction}, uint32_t(flow.ops.size()));
    places.push_back({index, instruction});
    FlowOp &made = flow.ops.emplace_back();
    made.subject = context.getSubject(op);
    made.isMemoryBound = isMemoryBound(*index, instruction);
  }
  if (flow.ops.empty())
    return std::nullopt;
  for (auto [op, place] : llvm::zip_equal(flow.ops, places)) {
    HloIndex::Consumers consumers =
        place.index->getConsumers(place.instruction);
    for (uint32_t consumer : consumers.instructions) {
      if (HloIndex::isFree(
              place.index->getModule().instructions[consumer].opcode))
        continue;
      auto it = positions.find({place.index, consumer});
      op.users.push_back(it == positions.end() ? kNone : it->second);
    }
    if (consumers.isCut)
      op.users.push_back(kNone);
  }
  sortUsers(flow);
  return flow;
}

//===----------------------------------------------------------------------===//
// Recordings by mlir-prof record
//===----------------------------------------------------------------------===//

namespace {
/// A loop of a kernel is another one in each dispatch: it runs other ops.
class LoopNumbers {
public:
  explicit LoopNumbers(const Program &program)
      : first(uint32_t(program.nodes.size())) {}

  uint32_t get(uint32_t loop, uint32_t instance) {
    if (instance == kNone)
      return loop;
    auto next = uint32_t(first + numbers.size());
    return numbers.try_emplace({loop, instance}, next).first->second;
  }

private:
  uint32_t first;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> numbers;
};
} // namespace

/// The loops of the level "loops", outermost among those of the compiler, by
/// the op of the input whose code they contain. Loops of the model itself
/// contain everything that it repeats, fused or not.
static std::map<uint32_t, std::set<uint32_t>> getLoops(const Program &program,
                                                       uint32_t level) {
  AncestorTable inputs(program, 0);
  attribution::InstanceFinder instances(program);
  LoopNumbers numbers(program);
  auto isOfModel = [&](uint32_t node) {
    return llvm::any_of(inputs.get(node), [&](uint32_t input) {
      return program.nodes[input].kind == NodeKind::Loop;
    });
  };
  std::vector<uint32_t> outermost =
      descend(program, kNone, [&](uint32_t node, uint32_t above) {
        bool isLoop = program.nodes[node].level == level &&
                      program.nodes[node].kind == NodeKind::Loop;
        return above == kNone && isLoop && !isOfModel(node) ? node : above;
      });
  std::map<uint32_t, std::set<uint32_t>> loops;
  for (uint32_t node = 0; node < program.nodes.size(); ++node)
    if (program.nodes[node].level == level && outermost[node] != kNone) {
      llvm::ArrayRef<uint32_t> all = instances.findAll(node);
      for (uint32_t instance : all.empty() ? llvm::ArrayRef(kNone) : all)
        for (uint32_t input : inputs.get(node, instance))
          loops[getWholeOp(program, input)].insert(
              numbers.get(outermost[node], instance));
    }
  return loops;
}

/// The users of each result, by position in the module.
static std::map<uint32_t, std::vector<uint32_t>>
getUsers(const graph::Graph &graph) {
  std::map<uint32_t, std::vector<uint32_t>> users;
  for (const graph::Edge &edge : graph.edges)
    if (edge.from < graph.nodes.size() && edge.to < graph.nodes.size())
      users[graph.nodes[edge.from].id].push_back(graph.nodes[edge.to].id);
  return users;
}

static std::optional<Flow> getOwnFlow(const AdviseContext &context) {
  const Profile &profile = context.profile;
  const Table *table = context.getRoofline();
  if (!table || profile.programs.size() != 1 || !context.input.graph)
    return std::nullopt;
  const Program &program = profile.programs.front();
  uint32_t level = findLevel(program, "loops");
  if (level >= program.levels.size())
    return std::nullopt;
  std::map<uint32_t, uint32_t> nodeOf;
  for (auto [node, index] : llvm::enumerate(getOpIndices(program)))
    if (program.nodes[node].level == 0)
      nodeOf.try_emplace(index, uint32_t(node));
  auto loops = getLoops(program, level);
  auto users = getUsers(*context.input.graph);
  Flow flow;
  std::map<uint32_t, uint32_t> byPosition;
  std::vector<uint32_t> placeOf;
  bool hasBound = false;
  for (uint32_t row = 0; row < table->size(); ++row) {
    auto index = uint32_t(getNumber(*table, row, "index").value_or(kNone));
    auto found = nodeOf.find(index);
    if (found == nodeOf.end())
      continue;
    llvm::StringRef bound = getText(*table, row, "bound");
    hasBound |= bound != "unknown";
    byPosition.try_emplace(index, uint32_t(flow.ops.size()));
    placeOf.push_back(index);
    FlowOp &op = flow.ops.emplace_back();
    op.position = index;
    op.subject = {getText(*table, row, "op").str(),
                  getText(*table, row, "location").str(),
                  getNumber(*table, row, "time_ps").value_or(0)};
    // Near the peak of computing, the source of the bytes does not matter.
    op.isMemoryBound =
        (bound == "memory" || bound == "cache") &&
        getNumber(*table, row, "peak_ppm").value_or(0) < kComputesPpm;
    const std::set<uint32_t> &own = loops[found->second];
    op.loops.assign(own.begin(), own.end());
  }
  if (!hasBound)
    return std::nullopt;
  for (auto [op, place] : llvm::zip_equal(flow.ops, placeOf))
    for (uint32_t user : users[place]) {
      auto it = byPosition.find(user);
      op.users.push_back(it == byPosition.end() ? kNone : it->second);
    }
  sortUsers(flow);
  return flow;
}

std::optional<Flow> advise::getFlow(const AdviseContext &context) {
  if (std::optional<Flow> flow = getOwnFlow(context))
    return flow;
  return getHloFlow(context);
}
