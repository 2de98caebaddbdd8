//===- ProgramStacks.cpp - Stacks of compiled models ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramStacks.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

std::string exporter::chooseLoopLevel(const Profile &profile) {
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

uint32_t exporter::addNodeFrame(const Program &program, uint32_t node,
                                StackTree &tree) {
  const ProgramNode &info = program.nodes[node];
  llvm::StringRef name = getString(program, info.name);
  llvm::StringRef file = getString(program, info.file);
  if (info.kind == NodeKind::Function && !name.empty())
    return tree.addFrame(name, file, info.line);
  std::string text = getString(program, info.op).str();
  if (std::string place = getPlace(program, node); !place.empty())
    text += " (" + place + ")";
  return tree.addFrame(text, file, info.line);
}

void ProgramStacks::getStack(uint32_t key, uint32_t owner, StackTree &tree,
                             llvm::SmallVectorImpl<uint32_t> &stack) {
  const OpKey &opKey = input.profile.opKeys[key];
  MeasuredNode measured = programs.find(opKey);
  ProgramRow row;
  if (owner != kNone)
    row = match.rows[owner];
  else if (measured.node != kNone)
    row = {measured.program, measured.node};
  if (row.program == kNone || row.node == kNone) {
    pushKey(opKey, tree, stack);
    return;
  }
  llvm::ArrayRef<uint32_t> ran = instances.of(row.program).find(opKey);
  pushNode(row.program, row.node, ran.size() == 1 ? ran.front() : kNone, tree,
           stack);
  if (!showsKeys() || !opKey.is<CodeKey>() || measured.index == kNone)
    return;
  const Program &program = input.profile.programs[measured.program];
  llvm::StringRef text =
      getString(program, program.instructions[measured.index].text);
  stack.push_back(tree.addFrame((opKey.op + " " + text).str()));
  if (!opKey.kernel.empty())
    stack.push_back(tree.addFrame(opKey.kernel));
}
