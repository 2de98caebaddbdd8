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

/// Adds the kinds of `ops` to those that `audit` has lost.
static void addLost(ArrayRef<Operation *> ops, PassAudit &audit) {
  llvm::MapVector<StringRef, uint64_t> counts;
  for (Operation *op : ops)
    ++counts[op->getName().getStringRef()];
  for (const auto &added : counts) {
    auto known = llvm::find_if(audit.lostByOp, [&](const auto &entry) {
      return entry.first == added.first;
    });
    if (known != audit.lostByOp.end())
      known->second += added.second;
    else
      audit.lostByOp.emplace_back(added.first.str(), added.second);
  }
}

/// Repairs what `audit`'s pass has left.
static void repairAndCount(IdentityScan &scan, PassAudit &audit) {
  addLost(scan.lost, audit);
  audit.repaired += scan.repair();
  std::vector<uint32_t> all;
  std::set_union(audit.lostNodes.begin(), audit.lostNodes.end(),
                 scan.given.begin(), scan.given.end(), std::back_inserter(all));
  audit.lostNodes = std::move(all);
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
