//===- OpNumbers.cpp - Numbers of ops at a level --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpNumbers.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::serve;
using namespace mlirprof::trace;

OpNumbers::OpNumbers(OpenProfile &profile, llvm::StringRef level)
    : session(profile.get()), text(getModuleText(profile)) {
  if (!session.module)
    rows = matchProgramRows(session.profile,
                            level.empty() ? "input" : level.str());
}

uint32_t OpNumbers::find(const LinkedOp &linked) const {
  const Program &program = session.profile.programs[linked.program];
  uint32_t op = kNone;
  if (!session.module) {
    const auto &rowOf = rows.rowOf[linked.program];
    op = linked.index < rowOf.size() ? rowOf[linked.index] : kNone;
  } else {
    op = program.nodes[linked.index].position;
  }
  return op < text->firstLine.size() ? op : kNone;
}
