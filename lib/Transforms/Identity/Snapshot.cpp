//===- Snapshot.cpp - The levels of a program -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeDescription.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
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

namespace {

class Snapshot {
public:
  Snapshot(MLIRContext *context, ProgramAppender &program,
           prof::IdentityForm form, LocationTexts *texts)
      : describer(program, texts ? *texts : ownTexts),
        first(uint32_t(program.getNodeCount())), writer(context, form) {}

  /// Makes the node of `op`, and removes identities from its locations.
  void take(Operation *op);
  /// Gives the ops taken their identities.
  void identify();

  std::vector<ProgramNode> nodes;
  /// Number of identities that are not in the program.
  uint64_t unknown = 0;
  /// Number of ops without an op of an earlier level as origin.
  uint64_t withoutParents = 0;
  /// Number of ops with more origins than are kept, and of the dropped origins.
  uint64_t cutOps = 0;
  uint64_t cut = 0;

private:
  std::vector<uint32_t> keepKnown(ArrayRef<uint32_t> ids);
  void removeFromArguments(Operation *op);

  LocationTexts ownTexts;
  NodeDescriber describer;
  uint32_t first;
  uint32_t position = 0;
  /// Nodes of the ops with regions.
  llvm::DenseMap<Operation *, uint32_t> holders;
  /// The ops with the nodes, in their order.
  std::vector<Operation *> taken;
  /// The locations that block arguments had and get again.
  std::vector<std::pair<BlockArgument, Location>> arguments;
  prof::IdentityTable identities;
  prof::IdentityWriter writer;
  prof::IdentityNeed needsIdentity;
};

} // namespace

std::vector<uint32_t> Snapshot::keepKnown(ArrayRef<uint32_t> ids) {
  std::vector<uint32_t> known;
  llvm::copy_if(ids, std::back_inserter(known),
                [&](uint32_t id) { return id < first; });
  unknown += ids.size() - known.size();
  return known;
}

static bool isDefinition(Operation *op) {
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
  withoutParents += node.parents.empty();
  cutOps += before.cut != 0;
  cut += before.cut;
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

/// Emits `what` as an error of the snapshot of `level`.
static LogicalResult fail(ModuleOp module, StringRef level, const Twine &what,
                          const Twine &hint) {
  InFlightDiagnostic error = emitError(module.getLoc())
                             << "no snapshot of the level '" << level
                             << "' was taken: " << what;
  error.attachNote() << "hint: " << hint;
  return error;
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
  if (level.empty())
    return fail(module, level, "its name is missing", "name it: level=NAME");
  if (program.hasLevel(level))
    return fail(module, level, "the program already has that level",
                "give each level its own name; to start again, remove the "
                "program with prof-strip");
  uint64_t ops = 0;
  module.walk([&](Operation *) { ++ops; });
  // A debug line is an identity + 1, and identities are i32.
  if (program.getNodeCount() + ops >= uint64_t(INT32_MAX))
    return fail(module, level, "the program has too many ops",
                "take fewer snapshots");
  return success();
}

LogicalResult transforms::snapshotLevel(ModuleOp module, StringRef level,
                                        const SnapshotOptions &options) {
  ProgramAppender program;
  std::string problem =
      program.open(module->getDiscardableAttr(getAttributeName()));
  if (failed(check(module, level, program, problem)))
    return failure();
  bool isFirst = program.isNew();
  Snapshot snapshot(module.getContext(), program, options.form, options.texts);
  module->walk<WalkOrder::PreOrder>([&](Operation *op) { snapshot.take(op); });
  if (options.whileBare)
    options.whileBare();
  snapshot.identify();
  if (snapshot.unknown != 0)
    emitWarning(module.getLoc())
        << "level '" << level << "': " << snapshot.unknown
        << " identities in locations are not of this module's program and were "
           "dropped";
  if (snapshot.cut != 0)
    emitWarning(module.getLoc())
        << "level '" << level << "': " << snapshot.cutOps
        << " ops come from more than " << prof::kMaxIdentities << " ops; "
        << snapshot.cut << " of their origins are left out";
  if (!isFirst && !snapshot.nodes.empty() &&
      snapshot.withoutParents == snapshot.nodes.size()) {
    InFlightDiagnostic warning = emitWarning(module.getLoc())
                                 << "level '" << level
                                 << "': no op has an identity, so nothing can "
                                    "be traced to earlier levels";
    warning.attachNote() << "hint: pass modules on with their locations "
                            "(--mlir-print-debuginfo)";
  }
  DictionaryAttr encoded =
      encodeLevel(module.getContext(), level, snapshot.nodes);
  module->setDiscardableAttr(getAttributeName(),
                             program.append(module.getContext(), encoded));
  return success();
}
