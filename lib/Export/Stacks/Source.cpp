//===- Source.cpp - Stacks by the user's program --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stacks.h"
#include "mlir-prof/Profile/HloFinder.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// By the calls in the location of the op that owns the time; without an owner,
/// by the frames in the HLO module. The op is innermost.
class SourceStacks : public StackRule {
public:
  explicit SourceStacks(const ExportInput &input)
      : input(input), instructions(input.profile.hloModules) {}

  const Ownership *getOwnership() const override { return input.ownership; }
  void getStack(uint32_t key, uint32_t owner, StackTree &tree,
                llvm::SmallVectorImpl<uint32_t> &stack) override;

private:
  void pushFrames(llvm::ArrayRef<SourceFrame> frames, uint32_t innermost,
                  StackTree &tree, llvm::SmallVectorImpl<uint32_t> &stack);
  bool pushOp(uint32_t owner, StackTree &tree,
              llvm::SmallVectorImpl<uint32_t> &stack);
  bool pushInstruction(const OpKey &key, StackTree &tree,
                       llvm::SmallVectorImpl<uint32_t> &stack);

  const ExportInput &input;
  HloFinder instructions;
};

} // namespace

static uint32_t addPosition(llvm::StringRef function, llvm::StringRef file,
                            uint32_t line, StackTree &tree) {
  std::string position = (file + ":" + llvm::Twine(line)).str();
  return tree.addFrame(function.empty() ? position
                                        : (function + " " + position).str(),
                       file, line);
}

void SourceStacks::pushFrames(llvm::ArrayRef<SourceFrame> frames,
                              uint32_t innermost, StackTree &tree,
                              llvm::SmallVectorImpl<uint32_t> &stack) {
  llvm::SmallVector<uint32_t> chain;
  // Frames of a file may refer to each other in a cycle.
  while (innermost != 0 && innermost <= frames.size() &&
         chain.size() + 1 < StackTree::kMaxDepth) {
    const SourceFrame &frame = frames[innermost - 1];
    chain.push_back(addPosition(frame.function, frame.file, frame.line, tree));
    innermost = frame.parent;
  }
  stack.append(chain.rbegin(), chain.rend());
}

bool SourceStacks::pushOp(uint32_t owner, StackTree &tree,
                          llvm::SmallVectorImpl<uint32_t> &stack) {
  const MlirOp &op = input.ownership->ops[owner];
  if (input.sources && owner < input.sources->frameOfOp.size())
    pushFrames(input.sources->frames, input.sources->frameOfOp[owner], tree,
               stack);
  if (stack.empty() && !op.file.empty())
    stack.push_back(addPosition({}, op.file, op.line, tree));
  if (stack.empty())
    return false;
  stack.push_back(tree.addFrame(op.op, op.file, op.line));
  return true;
}

/// The recording itself contains the frames.
static bool pushCall(const OpKey &key, StackTree &tree,
                     llvm::SmallVectorImpl<uint32_t> &stack) {
  KeyTraits traits = getKeyTraits(key);
  if (traits.frames.empty())
    return false;
  for (const SourcePosition &frame : traits.frames)
    stack.push_back(tree.addFrame(printFrame(frame)));
  stack.push_back(tree.addFrame(key.op));
  return true;
}

bool SourceStacks::pushInstruction(const OpKey &key, StackTree &tree,
                                   llvm::SmallVectorImpl<uint32_t> &stack) {
  HloFinder::Found found = instructions.find(key);
  if (!found)
    return false;
  const HloInstruction &instruction = found.getInstruction();
  pushFrames(found.getModule().frames, instruction.frame, tree, stack);
  if (stack.empty() && !instruction.sourceFile.empty())
    stack.push_back(
        addPosition({}, instruction.sourceFile, instruction.sourceLine, tree));
  if (stack.empty())
    return false;
  stack.push_back(tree.addFrame(key.op));
  return true;
}

void SourceStacks::getStack(uint32_t key, uint32_t owner, StackTree &tree,
                            llvm::SmallVectorImpl<uint32_t> &stack) {
  const OpKey &opKey = input.profile.opKeys[key];
  if (owner != kNone && pushOp(owner, tree, stack))
    return;
  if (pushCall(opKey, tree, stack) || pushInstruction(opKey, tree, stack))
    return;
  stack.push_back(tree.addFrame("(no source position)"));
  if (owner != kNone)
    stack.push_back(addOpFrame(input.ownership->ops[owner], tree));
  else
    pushKey(opKey, tree, stack);
}

llvm::Expected<std::unique_ptr<StackRule>>
exporter::makeSourceStacks(const ExportInput &input) {
  bool known = input.sources && !input.sources->frames.empty();
  if (input.ownership)
    known |= llvm::any_of(input.ownership->ops,
                          [](const MlirOp &op) { return !op.file.empty(); });
  for (const HloModule &module : input.profile.hloModules)
    known |= !module.frames.empty() ||
             llvm::any_of(module.instructions, [](const HloInstruction &i) {
               return !i.sourceFile.empty();
             });
  for (const OpKey &key : input.profile.opKeys)
    known |= !getKeyTraits(key).frames.empty();
  if (!known)
    return inputError(input.where,
                      "does not contain positions in the user's program",
                      "Name the module that was run, with its locations, by "
                      "--model=FILE, or use --stacks=module.");
  return std::make_unique<SourceStacks>(input);
}
