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
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::transforms;

uint64_t PassAudit::lost() const {
  uint64_t sum = 0;
  for (const auto &[op, count] : lostByOp)
    sum += count;
  return sum;
}

/// An adaptor only runs the passes of a nested pipeline, which are instrumented
/// themselves.
static bool isAdaptor(Pass *pass) {
  return pass->getName().ends_with("OpToOpPassAdaptor");
}

namespace {

/// The position of an entry in the log: for each enclosing pass, and for the
/// pass itself, the position of its op within the outer pass's op and the
/// pass's number there. So the order of entries does not depend on the order of
/// the threads.
using RunKey = SmallVector<uint64_t, 8>;

/// A pass that is running.
struct Running {
  Pass *pass;
  Operation *op;
  RunKey key;
  PassAudit audit;
  std::vector<uint32_t> nodesBefore;
  /// Ops without an identity that the repair cannot help: not lost by this
  /// pass.
  DenseSet<Operation *> hopeless;
  /// For an adaptor, which runs a nested pipeline: the ops on which it runs, in
  /// order. Adaptors are not audited.
  bool isAdaptor = false;
  DenseMap<Operation *, uint64_t> places;
  /// Number of passes that have begun within this one on each op.
  DenseMap<Operation *, uint64_t> begun;
};

/// MLIR calls an instrumentation under a lock, so passes on other threads only
/// interleave with these calls. Each call sees only its own anchor and the ops
/// around it.
class IdentityKeeper : public PassInstrumentation {
public:
  explicit IdentityKeeper(AuditLog *log) : result(log) {}

  void runBeforePass(Pass *pass, Operation *op) override;
  void runAfterPass(Pass *pass, Operation *op) override;
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    open -= !isAdaptor(pass);
    finish(pass, op);
    flush();
  }

private:
  /// Whether no pass has changed anything since the last repair.
  bool isRepaired() const { return open == 0 && hasRepaired; }
  /// The pass that runs `op`'s pass as part of its own work, or null.
  Running *findAround(Operation *op);
  /// The same, or an adaptor.
  Running *findAnyAround(Operation *op);
  void start(std::unique_ptr<Running> entry);
  void startAdaptor(Pass *pass, Operation *op);
  /// Removes the entry of `pass` from the list.
  std::unique_ptr<Running> finish(Pass *pass, Operation *op);
  /// When no pass runs any more, moves the finished entries to the log, in
  /// order.
  void flush();

  AuditLog *result;
  /// All scans share it.
  prof::IdentityTable identities;
  /// Number of passes that are running.
  uint64_t open = 0;
  bool hasRepaired = false;
  std::vector<std::pair<RunKey, PassAudit>> ended;
  uint64_t begun = 0;
  /// In order of their begins. Nested passes may run on the thread of the outer
  /// pass, so this is not a stack.
  std::vector<std::unique_ptr<Running>> running;
};

} // namespace

static std::string describe(Operation *op) {
  std::string text = op->getName().getStringRef().str();
  if (auto name =
          op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
    text += " @" + name.str();
  return text;
}

/// Merges `more` into `nodes`, which stays ascending and without repeats.
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

/// Repairs the identities that the pass of `entry` left. Ops that the repair
/// cannot help are counted as lost once.
static void repairAndCount(IdentityScan &scan, Running &entry) {
  PassAudit &audit = entry.audit;
  std::vector<Operation *> lost = scan.lost;
  llvm::erase_if(lost,
                 [&](Operation *op) { return entry.hopeless.contains(op); });
  scan.repair();
  entry.hopeless.clear();
  entry.hopeless.insert(scan.lost.begin(), scan.lost.end());
  audit.repaired += llvm::count_if(
      lost, [&](Operation *op) { return !entry.hopeless.contains(op); });
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
    if (!other->isAdaptor && other->op->isAncestor(op))
      return other.get();
  return nullptr;
}

Running *IdentityKeeper::findAnyAround(Operation *op) {
  for (auto &other : llvm::reverse(running))
    if (other->op->isAncestor(op))
      return other.get();
  return nullptr;
}

void IdentityKeeper::start(std::unique_ptr<Running> entry) {
  if (Running *around = findAnyAround(entry->op)) {
    entry->key = around->key;
    entry->key.push_back(around->places.lookup(entry->op));
    entry->key.push_back(around->begun[entry->op]++);
  } else {
    entry->key = {0, begun++};
  }
  running.push_back(std::move(entry));
}

void IdentityKeeper::startAdaptor(Pass *pass, Operation *op) {
  auto entry = std::make_unique<Running>();
  entry->pass = pass;
  entry->op = op;
  entry->isAdaptor = true;
  // Do it now, while no other thread modifies the content of `op`.
  for (Region &region : op->getRegions())
    for (Operation &anchor : region.getOps())
      entry->places.try_emplace(&anchor, entry->places.size());
  start(std::move(entry));
}

/// Pipelines run by a pass end before it.
static bool endsBefore(const RunKey &left, const RunKey &right) {
  size_t common = std::min(left.size(), right.size());
  for (size_t i = 0; i < common; ++i)
    if (left[i] != right[i])
      return left[i] < right[i];
  return left.size() > right.size();
}

void IdentityKeeper::flush() {
  if (!running.empty())
    return;
  llvm::sort(ended, [](const auto &left, const auto &right) {
    return endsBefore(left.first, right.first);
  });
  for (auto &[key, audit] : ended)
    result->passes.push_back(std::move(audit));
  ended.clear();
}

void IdentityKeeper::runBeforePass(Pass *pass, Operation *op) {
  if (isAdaptor(pass)) {
    if (result)
      startAdaptor(pass, op);
    return;
  }
  bool wasRepaired = isRepaired();
  ++open;
  if (!result && wasRepaired)
    return;
  IdentityScan scan(op, result ? ScanKind::WithNodes : ScanKind::LostOnly,
                    identities);
  Running *around = findAround(op);
  // Identities lost by a pass before it runs others are its own loss.
  if (around)
    repairAndCount(scan, *around);
  else
    scan.repair();
  if (!result)
    return;
  auto entry = std::make_unique<Running>();
  entry->pass = pass;
  entry->op = op;
  StringRef argument = pass->getArgument();
  entry->audit.pass = (argument.empty() ? pass->getName() : argument).str();
  entry->audit.anchor = describe(op);
  entry->audit.opsBefore = scan.ops;
  entry->nodesBefore = std::move(scan.nodes);
  entry->hopeless.insert(scan.lost.begin(), scan.lost.end());
  start(std::move(entry));
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

/// Determines the changes by the pass of `entry` on `op`, whose state after the
/// pass is `scan`.
static void audit(IdentityScan &scan, Running &entry) {
  PassAudit &audit = entry.audit;
  audit.opsAfter = scan.ops;
  audit.gone = subtract(entry.nodesBefore, scan.nodes);
  audit.invented = subtract(scan.nodes, entry.nodesBefore);
  repairAndCount(scan, entry);
}

/// Removes the changes by `inner` from the pass around it.
static void takeOut(const Running &inner, Running &around) {
  std::vector<uint32_t> rest = subtract(around.nodesBefore, inner.audit.gone);
  around.nodesBefore.clear();
  std::set_union(rest.begin(), rest.end(), inner.audit.invented.begin(),
                 inner.audit.invented.end(),
                 std::back_inserter(around.nodesBefore));
  around.hopeless.insert(inner.hopeless.begin(), inner.hopeless.end());
}

void IdentityKeeper::runAfterPass(Pass *pass, Operation *op) {
  if (isAdaptor(pass)) {
    finish(pass, op);
    flush();
    return;
  }
  --open;
  hasRepaired = true;
  IdentityScan scan(op, result ? ScanKind::WithNodes : ScanKind::LostOnly,
                    identities);
  std::unique_ptr<Running> entry = finish(pass, op);
  if (!entry) {
    scan.repair();
    return;
  }
  audit(scan, *entry);
  if (Running *around = findAround(op))
    takeOut(*entry, *around);
  ended.emplace_back(entry->key, std::move(entry->audit));
  flush();
}

std::unique_ptr<PassInstrumentation>
transforms::createIdentityKeeper(AuditLog *log) {
  return std::make_unique<IdentityKeeper>(log);
}
