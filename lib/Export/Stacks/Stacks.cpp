//===- Stacks.cpp - The stacks of a profile -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stacks.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

StackRule::~StackRule() = default;

static llvm::Expected<std::unique_ptr<StackRule>>
makeRule(const ExportInput &input, StackKind kind) {
  switch (kind) {
  case StackKind::Module:
    return makeModuleStacks(input);
  case StackKind::Source:
    return makeSourceStacks(input);
  case StackKind::Level:
    return makeLevelStacks(input);
  case StackKind::Loop:
    return makeLoopStacks(input);
  case StackKind::Scope:
    break;
  }
  llvm_unreachable("not a kind with a rule");
}

static void pushAll(llvm::ArrayRef<std::string> texts, StackTree &tree,
                    llvm::SmallVectorImpl<uint32_t> &stack) {
  for (const std::string &text : texts)
    stack.push_back(tree.addFrame(text));
}

void exporter::pushPath(llvm::StringRef path, StackTree &tree,
                        llvm::SmallVectorImpl<uint32_t> &stack) {
  std::vector<std::string> parts;
  splitPath(path, parts);
  pushAll(parts, tree, stack);
}

void exporter::pushKey(const OpKey &key, StackTree &tree,
                       llvm::SmallVectorImpl<uint32_t> &stack) {
  std::vector<std::string> frames;
  addKeyStack(key, frames);
  pushAll(frames, tree, stack);
}

uint32_t exporter::addOpFrame(const MlirOp &op, StackTree &tree) {
  return tree.addFrame(describeOp(op), op.file, op.line);
}

namespace {
/// Charges one measured op after another.
class StackCharger {
public:
  StackCharger(StackRule &rule, StackTree &tree) : rule(rule), tree(tree) {}
  void charge(const OpSummary &op);

private:
  void charge(uint32_t key, uint32_t owner, int64_t timePs, uint64_t count);

  StackRule &rule;
  StackTree &tree;
  llvm::SmallVector<uint32_t> stack;
};
} // namespace

void StackCharger::charge(uint32_t key, uint32_t owner, int64_t timePs,
                          uint64_t count) {
  stack.clear();
  rule.getStack(key, owner, tree, stack);
  tree.charge(stack, timePs, count);
}

void StackCharger::charge(const OpSummary &op) {
  if (op.measurements.empty())
    return;
  int64_t timePs = op.getTimePs();
  uint64_t count = op.getCount();
  const Ownership *ownership = rule.getOwnership();
  const Match *match = ownership ? &ownership->matches[op.op] : nullptr;
  if (!match || match->matchClass == MatchClass::Unmatched ||
      match->ops.empty()) {
    charge(op.op, kNone, timePs, count);
    return;
  }
  std::vector<uint64_t> weights = match->weights;
  weights.resize(match->ops.size());
  std::vector<int64_t> times = splitExactly(timePs, weights);
  std::vector<int64_t> counts =
      splitExactly(int64_t(std::min<uint64_t>(count, INT64_MAX)), weights);
  for (size_t i = 0; i < match->ops.size(); ++i)
    if (times[i] || counts[i])
      charge(op.op, match->ops[i], times[i], uint64_t(counts[i]));
}

llvm::Expected<StackTree> exporter::buildStacks(const ExportInput &input,
                                                StackKind kind) {
  if (kind == StackKind::Scope)
    return buildScopeStacks(input);
  auto rule = makeRule(input, kind);
  if (!rule)
    return rule.takeError();
  StackTree tree;
  StackCharger charger(**rule, tree);
  for (const OpSummary &op : mergeRuns(input.profile))
    charger.charge(op);
  if (tree.getNodes().empty())
    return inputError(input.where, "does not contain the time of any op",
                      "Record with the device or op tracer on.");
  return std::move(tree);
}

std::vector<uint32_t> exporter::getTimedNodes(const StackTree &tree,
                                              const ExportInput &input) {
  std::vector<uint32_t> nodes;
  for (auto [index, node] : llvm::enumerate(tree.getNodes())) {
    if (node.timePs < 0 && input.losses)
      input.losses->add("stack with a negative time, left out", node.count,
                        node.timePs);
    if (node.timePs > 0)
      nodes.push_back(uint32_t(index));
  }
  return nodes;
}
