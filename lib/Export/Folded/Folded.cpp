//===- Folded.cpp - Folded stacks -----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One line per stack: its frames, outermost first, separated by ';', a blank
// and the time in picoseconds, which is exact.

#include "../Exporters.h"
#include "../Stacks/Stacks.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::exporter;

/// ';' would end the frame.
static void writeFrame(llvm::StringRef name, llvm::raw_ostream &os) {
  for (char c : name)
    os << (c == ';' ? ',' : c);
}

static llvm::Error writeFolded(const ExportInput &input,
                               llvm::raw_ostream &os) {
  auto tree = buildStacks(input, getStackKind(input));
  if (!tree)
    return tree.takeError();
  for (uint32_t node : getTimedNodes(*tree, input)) {
    llvm::interleave(
        tree->getPath(node), os,
        [&](uint32_t frame) { writeFrame(tree->getFrames()[frame].name, os); },
        ";");
    os << ' ' << tree->getNodes()[node].timePs << '\n';
  }
  return llvm::Error::success();
}

Exporter exporter::Folded() {
  return {"folded", "folded stacks, one line per stack with its time in ps",
          ExportNeeds::Ownership, writeFolded, /*hasStacks=*/true};
}
