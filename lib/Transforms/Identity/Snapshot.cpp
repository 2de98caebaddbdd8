//===- Snapshot.cpp - The levels of a program -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Snapshot.h"
#include "mlir-prof/Dialect/Prof/Prof.h"
#include "mlir-prof/Transforms/Identity.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

static StringRef getAttributeName() {
  return prof::ProfDialect::getProgramAttrName();
}

LogicalResult transforms::readProgram(ModuleOp module, Program &program) {
  program = {};
  Attribute attribute = module->getDiscardableAttr(getAttributeName());
  if (!attribute)
    return success();
  std::string problem = decodeProgram(attribute, program);
  if (problem.empty())
    return success();
  InFlightDiagnostic error = emitError(module.getLoc())
                             << "'" << getAttributeName()
                             << "' is malformed: " << problem;
  error.attachNote() << "hint: remove it with prof-strip, and start again from "
                        "the input with prof-identify";
  return error;
}

Program transforms::getProgram(ModuleOp module) {
  Program program;
  decodeProgram(module->getDiscardableAttr(getAttributeName()), program);
  return program;
}

void transforms::setProgram(ModuleOp module, const Program &program) {
  module->setDiscardableAttr(getAttributeName(),
                             encodeProgram(module.getContext(), program));
}

uint64_t transforms::stripIdentities(ModuleOp module) {
  module->removeDiscardableAttr(getAttributeName());
  prof::IdentityTable table;
  uint64_t stripped = 0;
  module->walk([&](Operation *op) {
    Location bare = table.remove(op->getLoc());
    stripped += bare != op->getLoc();
    op->setLoc(bare);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(table.remove(argument.getLoc()));
  });
  return stripped;
}

std::vector<uint32_t> Snapshot::keepKnown(ArrayRef<uint32_t> ids) {
  std::vector<uint32_t> known;
  llvm::copy_if(ids, std::back_inserter(known),
                [&](uint32_t id) { return id < first; });
  losses.unknown += ids.size() - known.size();
  return known;
}

bool transforms::isDefinition(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  return function && !function.isExternal() &&
         op->getName().getDialectNamespace() != "transform";
}

void Snapshot::removeFromArguments(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments()) {
        Location bare = identities.remove(argument.getLoc());
        if (bare == argument.getLoc())
          continue;
        arguments.emplace_back(argument, argument.getLoc());
        argument.setLoc(bare);
      }
}

void Snapshot::take(Operation *op) {
  uint32_t own = position++;
  removeFromArguments(op);
  Location marked = op->getLoc();
  Location bare = identities.remove(marked);
  op->setLoc(bare);
  if (!needsIdentity(op) && !isDefinition(op))
    return;
  ProgramNode node = describer.describe(op, bare);
  prof::Identities before = identities.get(marked);
  node.parents = keepKnown(before.owners);
  node.callers = keepKnown(before.callers);
  node.position = own;
  auto holder = holders.find(op->getParentOp());
  if (holder != holders.end())
    node.container = holder->second;
  losses.withoutParents += node.parents.empty();
  losses.cutOps += before.cut != 0;
  losses.cut += before.cut;
  if (op->getNumRegions() != 0)
    holders.try_emplace(op, first + uint32_t(nodes.size()));
  nodes.push_back(std::move(node));
  taken.push_back(op);
}

void Snapshot::identify() {
  for (auto [index, op] : llvm::enumerate(taken))
    op->setLoc(writer.add(op->getLoc(), first + uint32_t(index)));
  for (auto [argument, location] : arguments)
    argument.setLoc(location);
}

LevelLosses Snapshot::getLosses(StringRef level) const {
  LevelLosses all = losses;
  all.level = level;
  all.nodes = nodes.size();
  return all;
}

void LevelLosses::warn(ModuleOp module, bool isFirst) const {
  if (unknown != 0)
    emitWarning(module.getLoc())
        << "level '" << level << "': " << unknown
        << " identities in locations are not of this module's program and were "
           "dropped";
  if (cut != 0)
    emitWarning(module.getLoc())
        << "level '" << level << "': " << cutOps << " ops come from more than "
        << prof::kMaxIdentities << " ops; " << cut
        << " of their origins are left out";
  if (isFirst || nodes == 0 || withoutParents != nodes)
    return;
  InFlightDiagnostic warning = emitWarning(module.getLoc())
                               << "level '" << level
                               << "': no op has an identity, so nothing can "
                                  "be traced to earlier levels";
  warning.attachNote() << "hint: pass modules on with their locations "
                          "(--mlir-print-debuginfo)";
}

/// Emits `what` as an error of the snapshot of `level`.
static LogicalResult fail(ModuleOp module, StringRef level, const Twine &what,
                          const Twine &hint) {
  InFlightDiagnostic error = emitError(module.getLoc())
                             << "no snapshot of the level '" << level
                             << "' was taken: " << what;
  error.attachNote() << "hint: " << hint;
  return error;
}

LogicalResult transforms::checkLevel(ModuleOp module, StringRef level,
                                     bool isKnown, uint64_t nodes) {
  if (level.empty())
    return fail(module, level, "its name is missing", "name it: level=NAME");
  if (isKnown)
    return fail(module, level, "the program already has that level",
                "give each level its own name; to start again, remove the "
                "program with prof-strip");
  uint64_t ops = 0;
  module.walk([&](Operation *) { ++ops; });
  // A debug line is an identity + 1, and identities are i32.
  if (nodes + ops >= uint64_t(INT32_MAX))
    return fail(module, level, "the program has too many ops",
                "take fewer snapshots");
  return success();
}

/// Checks whether a level can be appended to the program, and emits an error
/// otherwise.
static LogicalResult check(ModuleOp module, StringRef level,
                           const ProgramAppender &program,
                           const std::string &problem) {
  if (!problem.empty())
    return fail(module, level,
                "'" + getAttributeName() + "' is malformed: " + problem,
                "remove it with prof-strip, and start again from the input "
                "with prof-identify");
  return checkLevel(module, level, program.hasLevel(level),
                    program.getNodeCount());
}

LogicalResult transforms::snapshotLevel(ModuleOp module, StringRef level,
                                        const SnapshotOptions &options) {
  ProgramAppender program;
  std::string problem =
      program.open(module->getDiscardableAttr(getAttributeName()));
  if (failed(check(module, level, program, problem)))
    return failure();
  bool isFirst = program.isNew();
  Snapshot snapshot(module.getContext(), program,
                    uint32_t(program.getNodeCount()), options.form,
                    options.texts);
  module->walk<WalkOrder::PreOrder>([&](Operation *op) { snapshot.take(op); });
  if (options.whileBare)
    options.whileBare();
  snapshot.identify();
  snapshot.getLosses(level).warn(module, isFirst);
  DictionaryAttr encoded =
      encodeLevel(module.getContext(), level, snapshot.nodes);
  module->setDiscardableAttr(getAttributeName(),
                             program.append(module.getContext(), encoded));
  return success();
}
