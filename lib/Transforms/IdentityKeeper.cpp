//===- IdentityKeeper.cpp - Repair and audit around passes ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Repair.h"
#include "mlir-prof/Transforms/Identity.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlirprof;

uint64_t PassAudit::lost() const {
  uint64_t sum = 0;
  for (const auto &[op, count] : lostByOp)
    sum += count;
  return sum;
}

namespace {

/// A pass that runs.
struct Running {
  Pass *pass;
  Operation *op;
  PassAudit audit;
  std::vector<uint32_t> nodesBefore;
  /// Ops without an identity that no repair helps: not lost by this pass.
  uint64_t hopeless = 0;
};

/// MLIR calls an instrumentation under a lock, so that passes on other threads
/// only interleave with these calls; what they see of the module is their own
/// anchor and what it is nested in.
class IdentityKeeper : public PassInstrumentation {
public:
  explicit IdentityKeeper(AuditLog *log) : log(log) {}

  void runBeforePass(Pass *pass, Operation *op) override;
  void runAfterPass(Pass *pass, Operation *op) override;
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    finish(pass, op);
  }

private:
  /// The pass that runs `op`'s pass as a part of its own work, or null.
  Running *findAround(Operation *op);
  /// Takes the entry of `pass` off the list.
  std::unique_ptr<Running> finish(Pass *pass, Operation *op);

  AuditLog *log;
  /// In the order of their begins. Passes that nest are not on threads of their
  /// own always, hence no stack.
  std::vector<std::unique_ptr<Running>> running;
};

} // namespace

/// An adaptor only runs the passes of a nested pipeline, which are seen
/// themselves.
static bool isAdaptor(Pass *pass) {
  return pass->getName().ends_with("OpToOpPassAdaptor");
}

static std::string describe(Operation *op) {
  std::string text = op->getName().getStringRef().str();
  if (auto name =
          op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
    text += " @" + name.str();
  return text;
}

/// Adds `more` to `nodes`, which stays ascending and without repeats.
static void add(std::vector<uint32_t> &nodes, std::vector<uint32_t> more) {
  llvm::sort(more);
  std::vector<uint32_t> all;
  std::set_union(nodes.begin(), nodes.end(), more.begin(), more.end(),
                 std::back_inserter(all));
  all.erase(llvm::unique(all), all.end());
  nodes = std::move(all);
}

/// Position of `op` in audit.lostByOp.
static size_t findKind(Operation *op, PassAudit &audit) {
  StringRef name = op->getName().getStringRef();
  for (auto [i, entry] : llvm::enumerate(audit.lostByOp))
    if (entry.first == name)
      return i;
  audit.lostByOp.emplace_back(name.str(), 0);
  audit.lostNodesByOp.emplace_back();
  return audit.lostByOp.size() - 1;
}

/// Repairs what `audit`'s pass has left.
static void repairAndCount(IdentityScan &scan, PassAudit &audit) {
  std::vector<Operation *> lost = scan.lost;
  audit.repaired += scan.repair();
  llvm::MapVector<OperationName, SmallVector<Operation *>> byKind;
  for (Operation *op : lost)
    byKind[op->getName()].push_back(op);
  for (const auto &[name, ops] : byKind) {
    size_t kind = findKind(ops.front(), audit);
    audit.lostByOp[kind].second += ops.size();
    std::vector<uint32_t> nodes;
    for (Operation *op : ops)
      llvm::append_range(nodes, scan.getIdentities(op).owners);
    add(audit.lostNodes, nodes);
    add(audit.lostNodesByOp[kind], std::move(nodes));
  }
}

Running *IdentityKeeper::findAround(Operation *op) {
  for (auto &other : llvm::reverse(running))
    if (other->op->isAncestor(op))
      return other.get();
  return nullptr;
}

void IdentityKeeper::runBeforePass(Pass *pass, Operation *op) {
  if (isAdaptor(pass))
    return;
  IdentityScan scan(op);
  Running *around = findAround(op);
  // What a pass has lost before it runs others is its own loss.
  if (around && log)
    repairAndCount(scan, around->audit);
  else
    scan.repair();
  if (!log)
    return;
  auto entry = std::make_unique<Running>();
  entry->pass = pass;
  entry->op = op;
  StringRef argument = pass->getArgument();
  entry->audit.pass = (argument.empty() ? pass->getName() : argument).str();
  entry->audit.anchor = describe(op);
  entry->audit.opsBefore = scan.ops;
  entry->nodesBefore = std::move(scan.nodes);
  entry->hopeless = scan.lost.size();
  running.push_back(std::move(entry));
}

std::unique_ptr<Running> IdentityKeeper::finish(Pass *pass, Operation *op) {
  for (size_t i = running.size(); i-- > 0;) {
    if (running[i]->pass != pass || running[i]->op != op)
      continue;
    std::unique_ptr<Running> entry = std::move(running[i]);
    running.erase(running.begin() + i);
    return entry;
  }
  return nullptr;
}

static std::vector<uint32_t> subtract(ArrayRef<uint32_t> from,
                                      ArrayRef<uint32_t> what) {
  std::vector<uint32_t> rest;
  std::set_difference(from.begin(), from.end(), what.begin(), what.end(),
                      std::back_inserter(rest));
  return rest;
}

void IdentityKeeper::runAfterPass(Pass *pass, Operation *op) {
  if (isAdaptor(pass))
    return;
  IdentityScan scan(op);
  std::unique_ptr<Running> entry = finish(pass, op);
  if (!entry) {
    scan.repair();
    return;
  }
  PassAudit &audit = entry->audit;
  audit.opsAfter = scan.ops;
  audit.gone = subtract(entry->nodesBefore, scan.nodes);
  audit.invented = subtract(scan.nodes, entry->nodesBefore);
  // No repair helps them, again.
  if (scan.lost.size() > entry->hopeless)
    repairAndCount(scan, audit);
  else
    scan.repair();
  if (Running *around = findAround(op)) {
    // The inner pass did this, not the outer one.
    std::vector<uint32_t> rest = subtract(around->nodesBefore, audit.gone);
    around->nodesBefore.clear();
    std::set_union(rest.begin(), rest.end(), audit.invented.begin(),
                   audit.invented.end(),
                   std::back_inserter(around->nodesBefore));
  }
  log->passes.push_back(std::move(audit));
}

std::unique_ptr<PassInstrumentation>
mlirprof::createIdentityKeeper(AuditLog *log) {
  return std::make_unique<IdentityKeeper>(log);
}
