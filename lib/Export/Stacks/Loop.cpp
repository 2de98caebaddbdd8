//===- Loop.cpp - Stacks by loops and functions ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramStacks.h"
#include "mlir-prof/Support/Error.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Limit on the enclosing ops shown: the innermost ones.
static constexpr size_t kMaxAround = StackTree::kMaxDepth - 1;
static constexpr llvm::StringLiteral kMore = "(more around)";

namespace {

/// For recordings by mlir-prof: the ops around an op at the level of the loops.
class LoopStacks : public ProgramStacks {
public:
  using ProgramStacks::ProgramStacks;

private:
  void pushNode(uint32_t program, uint32_t node, uint32_t instance,
                StackTree &tree,
                llvm::SmallVectorImpl<uint32_t> &stack) override;
};

/// For other recordings: the ops around an op of the module.
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

void LoopStacks::pushNode(uint32_t index, uint32_t node, uint32_t,
                          StackTree &tree,
                          llvm::SmallVectorImpl<uint32_t> &stack) {
  const Program &program = input.profile.programs[index];
  uint32_t at = node;
  for (; at < program.nodes.size() && stack.size() < kMaxAround;
       at = program.nodes[at].container)
    stack.push_back(addNodeFrame(program, at, tree));
  if (at < program.nodes.size())
    stack.push_back(tree.addFrame(kMore));
  std::reverse(stack.begin(), stack.end());
}

void NestStacks::getStack(uint32_t key, uint32_t owner, StackTree &tree,
                          llvm::SmallVectorImpl<uint32_t> &stack) {
  if (owner == kNone) {
    pushKey(input.profile.opKeys[key], tree, stack);
    return;
  }
  llvm::ArrayRef<MlirOp> ops = input.ownership->ops;
  // The module, 0, contains everything.
  uint32_t at = owner;
  for (; at != 0 && stack.size() < kMaxAround; at = ops[at].parent)
    stack.push_back(addOpFrame(ops[at], tree));
  if (stack.empty())
    stack.push_back(addOpFrame(ops[0], tree));
  else if (at != 0)
    stack.push_back(tree.addFrame(kMore));
  std::reverse(stack.begin(), stack.end());
}

llvm::Expected<std::unique_ptr<StackRule>>
exporter::makeLoopStacks(const ExportInput &input) {
  if (std::string level = chooseLoopLevel(input.profile); !level.empty())
    return std::make_unique<LoopStacks>(input, level);
  if (input.ownership)
    return std::make_unique<NestStacks>(input);
  return inputError(input.where, "does not contain the nesting of its ops",
                    "Name the module that was run with --model=FILE, or make "
                    "the profile with mlir-prof record.");
}
