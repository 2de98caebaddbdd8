//===- Sites.cpp - The ops that decisions are about -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/Sites.h"
#include "LeastWork.h"
#include "SiteSizes.h"
#include "mlir-prof/Codegen/Algorithms.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Cost/StaticCost.h"
#include "mlir-prof/Cost/Work.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "mlir-prof/Transforms/Identity.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::cost;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;
using namespace mlirprof::record;
using namespace mlirprof::report;
using namespace mlirprof::trace;
using namespace mlirprof::transforms;
using namespace mlirprof::tuning;

/// On the function that is called from outside.
static constexpr StringLiteral kEntryAttribute = "llvm.emit_c_interface";

uint64_t optimize::applyChoices(
    ModuleOp canonical,
    llvm::function_ref<Choices(const OpSignature &)> source) {
  uint64_t count = 0;
  for (const SignedOp &entry : getSignatures(canonical)) {
    Choices choices = source(entry.signature);
    for (const auto &[technique, parameters] : choices)
      codegen::setChoice(entry.op, technique, parameters);
    count += !choices.empty();
  }
  return count;
}

uint64_t optimize::applyChoices(ModuleOp canonical, const ChoiceMap &choices) {
  return applyChoices(canonical, [&](const OpSignature &signature) {
    auto found = choices.find(signature.exact);
    return found == choices.end() ? Choices() : found->second;
  });
}

namespace {

class SiteCollector {
public:
  explicit SiteCollector(const SiteInput &input)
      : input(input), program(getProgram(input.canonical)) {}

  ModelSites collect();

private:
  void findEntry();
  void addOps();
  void addOp(const SignedOp &entry);
  /// Split times, bounds and values of each node of the input among the ops
  /// that it became.
  void addTimes();
  void addBounds();
  void addValues();
  void split(uint32_t node, double seconds, double OpSite::*member);
  llvm::DenseMap<uint32_t, Operation *> indexInput();
  double getPeakSeconds(double operations, double bytes) const;

  const SiteInput &input;
  Program program;
  ModelSites result;
  llvm::StringMap<size_t> siteOf;
  prof::IdentityTable identities;
  struct Part {
    size_t site;
    uint64_t cost;
  };
  /// The ops that each node of the input became.
  std::vector<std::vector<Part>> parts;
  /// The node of the input at a position, or kNone.
  std::vector<uint32_t> nodeAt;
};

} // namespace

void SiteCollector::addOp(const SignedOp &entry) {
  auto [place, isNew] =
      siteOf.try_emplace(entry.signature.exact, result.sites.size());
  prof::Identities owners = identities.get(entry.op->getLoc());
  if (isNew) {
    OpSite &site = result.sites.emplace_back();
    site.signature = entry.signature;
    site.label = entry.op->getName().getStringRef().str();
    if (auto function = dyn_cast<FunctionOpInterface>(entry.op))
      site.label += " @" + function.getName().str();
    else if (!owners.owners.empty() &&
             owners.owners.front() < program.nodes.size())
      site.label += " " + getPlace(program, owners.owners.front());
  }
  result.sites[place->second].ops.push_back(entry.op);
  for (uint32_t node : owners.owners)
    if (node < parts.size())
      parts[node].push_back({place->second, getStaticCost(entry.op)});
}

void SiteCollector::addOps() {
  parts.resize(program.nodes.size());
  for (auto [index, node] : llvm::enumerate(program.nodes)) {
    if (node.level != 0 || node.position == kNone)
      continue;
    if (nodeAt.size() <= node.position)
      nodeAt.resize(node.position + 1, kNone);
    nodeAt[node.position] = index;
  }
  for (const SignedOp &entry : getSignatures(input.canonical))
    addOp(entry);
}

void SiteCollector::split(uint32_t node, double seconds,
                          double OpSite::*member) {
  double total = 0;
  for (const Part &part : parts[node])
    total += double(part.cost);
  for (const Part &part : parts[node])
    result.sites[part.site].*member +=
        total > 0 ? seconds * double(part.cost) / total
                  : seconds / double(parts[node].size());
}

void SiteCollector::addTimes() {
  result.hasProfile = input.evidence && !input.evidence->shares.empty();
  if (!result.hasProfile)
    return;
  result.seconds = input.evidence->modelSeconds;
  for (auto [position, share] : llvm::enumerate(input.evidence->shares))
    if (share > 0 && position < nodeAt.size() && nodeAt[position] != kNone)
      split(nodeAt[position], share * result.seconds, &OpSite::seconds);
}

/// The ops of the input by the node that they are.
llvm::DenseMap<uint32_t, Operation *> SiteCollector::indexInput() {
  llvm::DenseMap<uint32_t, Operation *> ops;
  uint32_t position = 0;
  input.input->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (position < nodeAt.size() && nodeAt[position] != kNone)
      ops[nodeAt[position]] = op;
    ++position;
  });
  return ops;
}

/// Seconds that `operations` and `bytes` of memory take at this machine's peak.
double SiteCollector::getPeakSeconds(double operations, double bytes) const {
  bool isAlone = input.target.threads == 1;
  const MachinePeak &peak = input.peak;
  uint64_t flops = isAlone ? peak.flopsOneThread : peak.flopsAllThreads;
  uint64_t rate = isAlone ? peak.bytesOneThread : peak.bytesAllThreads;
  return std::max(flops ? operations / double(flops) : 0,
                  rate ? bytes / double(rate) : 0);
}

/// The part of the operations that an op is defined by which the best of its
/// algorithms needs.
static double getFewestOperations(Operation *op,
                                  const codegen::TargetModel &target) {
  double part = 1;
  for (StringRef name : codegen::getAlgorithms(op, target))
    part = std::min(part, name == "winograd4"   ? 1 / 4.0
                          : name == "winograd2" ? 4 / 9.0
                                                : 1);
  return part;
}

void SiteCollector::addBounds() {
  if (!input.input)
    return;
  llvm::DenseMap<uint32_t, Operation *> ops = indexInput();
  // Step 1: the part of all weights that comes from memory in each run. Weights
  // that no cache holds from one run to the next come from memory. The
  // caches hold a part of all that are read in a run, whichever.
  llvm::DenseSet<Value> seen;
  llvm::DenseMap<uint32_t, double> weights;
  double all = 0;
  for (auto [node, op] : ops)
    if (getNeededPart(op) > 0)
      all += weights[node] = double(getWeightBytes(op, seen));
  std::optional<uint64_t> cache = getLastCacheBytes();
  double missed = cache && all > double(*cache) ? 1 - double(*cache) / all : 0;
  // Step 2: the least work of each op, on average over the requests.
  double part = 1.0 / double(std::max<size_t>(1, input.requests.size()));
  for (const auto &shapes : input.requests)
    for (const NodeWork &work : computeWork(input.input, program, shapes)) {
      result.operations += double(work.flops) * part;
      Operation *op = ops.lookup(work.node);
      double needed = op ? getNeededPart(op) : 0;
      if (needed > 0 && work.node < parts.size())
        split(work.node,
              part * getPeakSeconds(needed * double(work.flops),
                                    missed * weights.lookup(work.node)),
              &OpSite::boundSeconds);
    }
  // Step 3: fewer operations where an algorithm saves some.
  for (OpSite &site : result.sites)
    if (site.boundSeconds > 0)
      site.boundSeconds *= getFewestOperations(site.ops.front(), input.target);
}

void SiteCollector::addValues() {
  if (!input.evidence)
    return;
  for (const Evidence::Values &entry : input.evidence->values) {
    if (entry.position >= nodeAt.size() || nodeAt[entry.position] == kNone)
      continue;
    for (const Part &part : parts[nodeAt[entry.position]])
      result.sites[part.site].values.push_back(entry.values);
  }
}

/// The function that has a C interface: the compiler gives it one. In other
/// drivers the first public one.
void SiteCollector::findEntry() {
  ModuleOp canonical = input.canonical;
  for (auto function : canonical.getOps<FunctionOpInterface>()) {
    bool isMarked = function->hasAttr(kEntryAttribute);
    if (!isMarked && (result.entry || !function.isPublic()))
      continue;
    result.entry = function;
    if (isMarked)
      break;
  }
  if (!result.entry)
    return;
  for (uint32_t node : identities.get(result.entry->getLoc()).owners)
    if (node < program.nodes.size())
      program.entry = program.strings[program.nodes[node].name];
}

ModelSites SiteCollector::collect() {
  result.module = input.canonical;
  result.target = input.target;
  result.valueOrigin = input.valueOrigin;
  result.effort = input.effort;
  findEntry();
  addOps();
  addTimes();
  addBounds();
  addValues();
  addSizes(input, result);
  return std::move(result);
}

ModelSites optimize::collectSites(const SiteInput &input) {
  return SiteCollector(input).collect();
}
