//===- Module.cpp - Stacks by the framework's modules ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stacks.h"
#include "mlir-prof/Profile/HloFinder.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// By the path of the op that owns the time; without an owner, by the path in
/// the recording.
class ModuleStacks : public StackRule {
public:
  explicit ModuleStacks(const ExportInput &input)
      : input(input), instructions(input.profile.hloModules) {}

  const Ownership *getOwnership() const override { return input.ownership; }
  void getStack(uint32_t key, uint32_t owner, StackTree &tree,
                llvm::SmallVectorImpl<uint32_t> &stack) override;

private:
  const ExportInput &input;
  HloFinder instructions;
};

} // namespace

void ModuleStacks::getStack(uint32_t key, uint32_t owner, StackTree &tree,
                            llvm::SmallVectorImpl<uint32_t> &stack) {
  if (owner != kNone) {
    const MlirOp &op = input.ownership->ops[owner];
    pushPath(op.path, tree, stack);
    stack.push_back(tree.addFrame(op.op, op.file, op.line));
    return;
  }
  const OpKey &opKey = input.profile.opKeys[key];
  HloFinder::Found found = instructions.find(opKey);
  if (!found || found.getInstruction().opName.empty()) {
    pushKey(opKey, tree, stack);
    return;
  }
  const HloInstruction &instruction = found.getInstruction();
  pushPath(instruction.opName, tree, stack);
  stack.push_back(
      tree.addFrame(opKey.op, instruction.sourceFile, instruction.sourceLine));
}

llvm::Expected<std::unique_ptr<StackRule>>
exporter::makeModuleStacks(const ExportInput &input) {
  return std::make_unique<ModuleStacks>(input);
}
