//===- Loop.cpp - Stacks by loops and functions ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramStacks.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;

namespace {

/// Of a recording of our own: what holds an op at the level of the loops.
class LoopStacks : public ProgramStacks {
public:
  using ProgramStacks::ProgramStacks;

private:
  void pushNode(uint32_t program, uint32_t node, StackTree &tree,
                llvm::SmallVectorImpl<uint32_t> &stack) override;
};

/// Of other recordings: what holds an op of the module.
class NestStacks : public StackRule {
public:
  explicit NestStacks(const ExportInput &input) : input(input) {}

  const Ownership *getOwnership() const override { return input.ownership; }
  void getStack(uint32_t key, uint32_t owner, StackTree &tree,
                llvm::SmallVectorImpl<uint32_t> &stack) override;

private:
  const ExportInput &input;
};

} // namespace

void LoopStacks::pushNode(uint32_t index, uint32_t node, StackTree &tree,
                          llvm::SmallVectorImpl<uint32_t> &stack) {
  const Program &program = input.profile.programs[index];
  for (uint32_t at = node; at < program.nodes.size();
       at = program.nodes[at].container)
    stack.push_back(addNodeFrame(program, at, tree));
  std::reverse(stack.begin(), stack.end());
}

void NestStacks::getStack(uint32_t key, uint32_t owner, StackTree &tree,
                          llvm::SmallVectorImpl<uint32_t> &stack) {
  if (owner == kNone) {
    pushKey(input.profile.opKeys[key], tree, stack);
    return;
  }
  llvm::ArrayRef<MlirOp> ops = input.ownership->ops;
  // The module, 0, holds everything.
  for (uint32_t at = owner; at != 0; at = ops[at].parent)
    stack.push_back(addOpFrame(ops[at], tree));
  if (stack.empty())
    stack.push_back(addOpFrame(ops[0], tree));
  std::reverse(stack.begin(), stack.end());
}

/// The level that loops are best shown at: "loops", else the last that has
/// some, else the first.
static std::string chooseLevel(const Profile &profile) {
  std::string chosen;
  for (const Program &program : profile.programs) {
    if (llvm::is_contained(program.levels, "loops"))
      return "loops";
    for (const ProgramNode &node : program.nodes)
      if (node.kind == NodeKind::Loop)
        chosen = program.levels[node.level];
    if (chosen.empty() && !program.levels.empty())
      chosen = program.levels.front();
  }
  return chosen;
}

llvm::Expected<std::unique_ptr<StackRule>>
mlirprof::makeLoopStacks(const ExportInput &input) {
  if (std::string level = chooseLevel(input.profile); !level.empty())
    return std::make_unique<LoopStacks>(input, level);
  if (input.ownership)
    return std::make_unique<NestStacks>(input);
  return inputError("profile", "does not know what holds its ops",
                    "Name the module that was run with --model=FILE, or make "
                    "the profile with mlir-prof record.");
}
