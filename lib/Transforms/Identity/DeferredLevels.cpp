//===- DeferredLevels.cpp - Levels that another thread describes ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Transforms/DeferredLevels.h"
#include "Snapshot.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

namespace mlirprof::transforms {
struct DeferredLevels::State {
  explicit State(MLIRContext *context)
      : context(context), writer(context, prof::IdentityForm::Number) {}

  MLIRContext *context;
  // For identify().
  prof::IdentityTable identities;
  prof::IdentityWriter writer;
  std::vector<std::string> levels;
  uint32_t count = 0;
  // For describe().
  ProgramAppender appender;
  LocationTexts texts;
  Program program;
  std::vector<LevelLosses> losses;
};
} // namespace mlirprof::transforms

DeferredLevels::DeferredLevels(MLIRContext *context)
    : state(std::make_unique<State>(context)) {}

DeferredLevels::~DeferredLevels() = default;

FailureOr<uint32_t> DeferredLevels::identify(ModuleOp module, StringRef level) {
  bool isKnown = llvm::is_contained(state->levels, level);
  if (failed(checkLevel(module, level, isKnown, state->count)))
    return failure();
  state->levels.push_back(level.str());
  uint32_t first = state->count;
  prof::IdentityNeed needsIdentity;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    Location bare = state->identities.remove(op->getLoc());
    bool isNode = needsIdentity(op) || isDefinition(op);
    op->setLoc(isNode ? state->writer.add(bare, state->count++) : bare);
  });
  return first;
}

void DeferredLevels::describe(ModuleOp copy, StringRef level, uint32_t first) {
  auto number = uint32_t(state->program.levels.size());
  state->program.levels.push_back(level.str());
  Snapshot snapshot(state->context, state->appender, first,
                    prof::IdentityForm::Number, &state->texts);
  copy->walk<WalkOrder::PreOrder>([&](Operation *op) { snapshot.take(op); });
  state->losses.push_back(snapshot.getLosses(level));
  for (ProgramNode &node : snapshot.nodes) {
    node.level = number;
    state->program.nodes.push_back(std::move(node));
  }
}

void DeferredLevels::warn(ModuleOp module) const {
  for (const LevelLosses &losses : state->losses)
    losses.warn(module, /*isFirst=*/&losses == &state->losses.front());
}

Program DeferredLevels::take() {
  Program program = std::move(state->program);
  program.strings = state->appender.getStrings(state->context);
  return program;
}
