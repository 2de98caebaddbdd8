//===- NodeLookup.cpp - The node that owns an op's measurements -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeLookup.h"

#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Transforms/Identity.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using namespace mlirprof::transforms;

LogicalResult transforms::getOrStartProgram(ModuleOp module, Program &program) {
  if (failed(readProgram(module, program)))
    return failure();
  if (!program.levels.empty())
    return success();
  if (failed(snapshotLevel(module, "input")))
    return failure();
  return readProgram(module, program);
}

NodeLookup::NodeLookup(const Program &program) : nodes(program.nodes.size()) {
  for (size_t i = 0; i < nodes; ++i) {
    const ProgramNode &node = program.nodes[i];
    if (node.kind == NodeKind::Function && node.name < program.strings.size())
      functions[program.strings[node.name]] = i;
  }
}

uint32_t NodeLookup::find(Operation *op) {
  prof::Identities identities = prof::getIdentities(op->getLoc());
  if (identities.owners.size() > 1)
    ++shared;
  if (!identities.owners.empty() && identities.owners.front() < nodes)
    return identities.owners.front();
  if (auto function = dyn_cast<FunctionOpInterface>(op)) {
    auto found = functions.find(SymbolTable::getSymbolName(op).getValue());
    if (found != functions.end())
      return found->second;
  }
  ++lost;
  return kNone;
}
