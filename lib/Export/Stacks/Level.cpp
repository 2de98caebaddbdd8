//===- Level.cpp - Stacks by lowering level -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramStacks.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// For recordings by mlir-prof: the ops of each level, first to last, from
/// which the op of the last level came, and the instruction.
class LevelStacks : public ProgramStacks {
public:
  LevelStacks(const ExportInput &input, llvm::StringRef last)
      : ProgramStacks(input, last) {}

private:
  void pushNode(uint32_t program, uint32_t node, uint32_t instance,
                StackTree &tree,
                llvm::SmallVectorImpl<uint32_t> &stack) override;
  bool showsKeys() const override { return true; }
  std::vector<AncestorTable> &getAncestors(uint32_t program);

  std::map<uint32_t, std::vector<AncestorTable>> ancestors;
};

/// For other recordings: the op of the module, and the measured op.
class OwnerStacks : public StackRule {
public:
  explicit OwnerStacks(const ExportInput &input) : input(input) {}

  const Ownership *getOwnership() const override { return input.ownership; }
  void getStack(uint32_t key, uint32_t owner, StackTree &tree,
                llvm::SmallVectorImpl<uint32_t> &stack) override {
    stack.push_back(owner == kNone
                        ? tree.addFrame("(no op of the module)")
                        : addOpFrame(input.ownership->ops[owner], tree));
    pushKey(input.profile.opKeys[key], tree, stack);
  }

private:
  const ExportInput &input;
};

} // namespace

std::vector<AncestorTable> &LevelStacks::getAncestors(uint32_t index) {
  auto [entry, inserted] = ancestors.try_emplace(index);
  const Program &program = input.profile.programs[index];
  if (inserted)
    for (uint32_t level = 0; level < program.levels.size(); ++level)
      entry->second.emplace_back(program, level);
  return entry->second;
}

/// One frame for all origins of an op at one level.
static uint32_t addNodesFrame(const Program &program,
                              llvm::ArrayRef<uint32_t> nodes, StackTree &tree) {
  constexpr size_t kMaxNames = 4;
  if (nodes.size() == 1)
    return addNodeFrame(program, nodes.front(), tree);
  llvm::SmallVector<std::string> names;
  for (uint32_t node : nodes.take_front(kMaxNames))
    names.push_back(tree.getFrames()[addNodeFrame(program, node, tree)].name);
  if (nodes.size() > kMaxNames)
    names.push_back(llvm::utostr(nodes.size() - kMaxNames) + " more");
  return tree.addFrame(llvm::join(names, " + "));
}

void LevelStacks::pushNode(uint32_t index, uint32_t node, uint32_t instance,
                           StackTree &tree,
                           llvm::SmallVectorImpl<uint32_t> &stack) {
  const Program &program = input.profile.programs[index];
  for (AncestorTable &level : getAncestors(index)) {
    llvm::ArrayRef<uint32_t> nodes = level.get(node, instance);
    if (!nodes.empty())
      stack.push_back(addNodesFrame(program, nodes, tree));
    else if (level.isTooMany(node, instance))
      stack.push_back(tree.addFrame("(too many ops to distinguish)"));
  }
}

llvm::Expected<std::unique_ptr<StackRule>>
exporter::makeLevelStacks(const ExportInput &input) {
  std::vector<std::string> levels = getLevels(input.profile);
  llvm::erase(levels, kAsmLevel.str());
  if (!levels.empty())
    return std::make_unique<LevelStacks>(input, levels.back());
  if (input.ownership)
    return std::make_unique<OwnerStacks>(input);
  return inputError(input.where, "does not contain levels",
                    "Name the module that was run with --model=FILE, or make "
                    "the profile with mlir-prof record.");
}
