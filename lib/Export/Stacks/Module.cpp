//===- Module.cpp - Stacks by the framework's modules ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stacks.h"

#include <map>

using namespace mlirprof;

namespace {

/// By the path of the op that owns the time; without one by the path that the
/// recording knows.
class ModuleStacks : public StackRule {
public:
  explicit ModuleStacks(const ExportInput &input)
      : input(input), modules(input.profile.hloModules) {}

  const Ownership *getOwnership() const override { return input.ownership; }
  void getStack(uint32_t key, uint32_t owner, StackTree &tree,
                llvm::SmallVectorImpl<uint32_t> &stack) override;

private:
  const HloInstruction *findInstruction(const OpKey &key);

  const ExportInput &input;
  HloModuleTable modules;
  std::map<const HloModule *, HloIndex> indices;
};

} // namespace

const HloInstruction *ModuleStacks::findInstruction(const OpKey &key) {
  if (key.kind != OpKeyKind::HloInstruction)
    return nullptr;
  const HloModule *module =
      modules.find(key.module, key.hasProgramId, key.programId);
  if (!module)
    return nullptr;
  HloIndex &index = indices.try_emplace(module, *module).first->second;
  uint32_t instruction = index.find(key.op);
  return instruction == kNone ? nullptr : &module->instructions[instruction];
}

void ModuleStacks::getStack(uint32_t key, uint32_t owner, StackTree &tree,
                            llvm::SmallVectorImpl<uint32_t> &stack) {
  if (owner != kNone) {
    const MlirOp &op = input.ownership->ops[owner];
    pushPath(op.path, tree, stack);
    stack.push_back(tree.addFrame(op.op, op.file, op.line));
    return;
  }
  const OpKey &opKey = input.profile.opKeys[key];
  const HloInstruction *instruction = findInstruction(opKey);
  if (!instruction || instruction->opName.empty()) {
    pushKey(opKey, tree, stack);
    return;
  }
  pushPath(instruction->opName, tree, stack);
  stack.push_back(tree.addFrame(opKey.op, instruction->sourceFile,
                                instruction->sourceLine));
}

llvm::Expected<std::unique_ptr<StackRule>>
mlirprof::makeModuleStacks(const ExportInput &input) {
  return std::make_unique<ModuleStacks>(input);
}
