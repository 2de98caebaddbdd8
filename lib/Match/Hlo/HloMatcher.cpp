//===- HloMatcher.cpp - HLO instructions to ops ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloMatcher.h"
#include "../Matchers.h"
#include "HloProducts.h"
#include "OpNames.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "mlir-prof/Cost/StaticCost.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::cost;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {

/// Instructions that a fusion turns into indexing: they do not take time next
/// to others of the same name.
bool isIndexing(StringRef opcode) {
  return opcode == "broadcast" || opcode == "reshape" || opcode == "iota" ||
         HloIndex::isFree(opcode);
}

llvm::SmallVector<uint32_t> getOps(const OwnerCandidates &candidates) {
  llvm::SmallVector<uint32_t> ops;
  for (const OwnerCandidate &candidate : candidates)
    if (ops.empty() || ops.back() != candidate.op)
      ops.push_back(candidate.op);
  return ops;
}

/// "HLO copy without op_name (compiler-made: copy)".
std::string describeNameless(const HloModule &module, uint32_t instruction,
                             llvm::ArrayRef<uint32_t> members) {
  std::set<std::string> opcodes;
  for (uint32_t member : members)
    opcodes.insert(module.instructions[member].opcode);
  return "HLO " + module.instructions[instruction].opcode +
         " without op_name (compiler-made: " + llvm::join(opcodes, ",") + ")";
}

/// Candidates that are equally likely share the time, also in a fusion.
void adjustToAligned(const HloProgram &program,
                     llvm::ArrayRef<uint32_t> instructions, Match &match) {
  bool isOpen = llvm::any_of(instructions, [&](uint32_t at) {
    return llvm::any_of(program.matches[at].names, [](const auto &name) {
      return countOps(name.candidates) > 1;
    });
  });
  if (isOpen && match.ops.size() > 1)
    match.matchClass = MatchClass::Ambiguous;
  if (!match.unmatched.empty())
    match.reason = "no op agrees with " + match.unmatched.front() +
                   " in name, sizes and what is before and behind it, or "
                   "another instruction agrees as well";
}

} // namespace

uint32_t InstructionMatch::getOnlyOp() const {
  uint32_t op = kNone;
  for (const Name &name : names) {
    if (name.candidates.empty() || countOps(name.candidates) != 1)
      return kNone;
    if (op != kNone && op != name.candidates.front().op)
      return kNone;
    op = name.candidates.front().op;
  }
  return op;
}

HloProgram::HloProgram(const HloModule &module)
    : module(module), index(module), walk(module, index) {
  for (const HloInstruction &instruction : module.instructions)
    if (instruction.opcode == "parameter" &&
        instruction.computation < module.computations.size() &&
        module.computations[instruction.computation].id ==
            module.entryComputationId)
      arguments.insert(instruction.opName);
}

HloMatcher::HloMatcher(const ModuleIndex &index, PathResolver &resolver,
                       const Profile &profile, const MatchOptions &options)
    : index(index), resolver(resolver), profile(profile), rule(options.rule) {}

const OwnerCandidates &HloMatcher::resolve(StringRef name) {
  // The reference rule assumes that only TensorFlow uses names without the
  // caller's.
  bool ownNames = rule == MatchRule::Best || index.hasTensorFlowOps();
  return resolver.resolve(name, PathStyle::Xla,
                          ownNames ? PathScope::FullThenOwn : PathScope::Full);
}

llvm::SmallVector<std::string, 1>
HloMatcher::getNames(const HloProgram &program,
                     const HloInstruction &instruction) {
  // A scope's name may also contain a ';' or ':': then the whole name is known.
  if (rule == MatchRule::Best && !resolve(instruction.opName).empty())
    return {instruction.opName};
  if (rule == MatchRule::Best && program.arguments.contains(instruction.opName))
    return {};
  return expandOpName(instruction.opName);
}

InstructionMatch
HloMatcher::matchInstruction(const HloProgram &program,
                             const HloInstruction &instruction) {
  InstructionMatch result;
  for (std::string &name : getNames(program, instruction)) {
    OwnerCandidates candidates = resolve(name);
    MatchTier tier = MatchTier::LocationPath;
    // Exporters leave functions that nothing calls.
    if (rule == MatchRule::Best)
      keepSome(candidates, [&](const OwnerCandidate &candidate) {
        return index.getFunctions()[index[candidate.op].function].isReachable;
      });
    for (const NarrowingTier &narrowing : getNarrowingTiers()) {
      size_t before = countOps(candidates);
      if (before < 2)
        break;
      narrowing.narrow(index, {program.module, instruction}, rule, candidates);
      if (countOps(candidates) < before)
        tier = narrowing.tier;
    }
    result.names.push_back({std::move(name), std::move(candidates), tier});
  }
  return result;
}

HloProgram &HloMatcher::getProgram(const HloModule &module) {
  std::unique_ptr<HloProgram> &program = programs[&module];
  if (program)
    return *program;
  program = std::make_unique<HloProgram>(module);
  for (const HloInstruction &instruction : module.instructions)
    program->matches.push_back(matchInstruction(*program, instruction));
  if (rule == MatchRule::Reference)
    return *program;
  narrowBySizes(index, *program);
  narrowByNeighbors(index, *program);
  narrowByOrder(index, *program);
  addMergedProducts(index, *program);
  align(*program);
  copyToSums(*program);
  return *program;
}

/// Replaces matches if the program was made from another state of the module.
void HloMatcher::align(HloProgram &program) {
  if (!products)
    products = countProducts(index);
  if (areProductsOneToOne(index, *products, program))
    return;
  if (!data)
    data = std::make_unique<ModuleData>(index);
  program.isAligned = alignByData(index, resolver, *data, program);
}

void HloMatcher::addMembers(const HloProgram &program,
                            llvm::ArrayRef<uint32_t> members,
                            MatchBuilder &builder) const {
  for (uint32_t member : members)
    for (const auto &name : program.matches[member].names)
      builder.addName(name.name);
  // If all have one name, the time belongs to the op that computes.
  bool oneName = builder.getNameCount() == 1 && rule == MatchRule::Best;
  auto isSkipped = [&](uint32_t member) {
    return oneName && isIndexing(program.module.instructions[member].opcode);
  };
  bool all = llvm::all_of(members, [&](uint32_t member) {
    return isSkipped(member) || program.matches[member].names.empty();
  });
  for (uint32_t member : members)
    if (all || !isSkipped(member))
      for (const auto &name : program.matches[member].names)
        builder.addOps(name.name, getOps(name.candidates), name.tier);
}

void HloMatcher::addNames(llvm::ArrayRef<std::string> names,
                          MatchBuilder &builder) {
  for (const std::string &name : names) {
    builder.addName(name);
    builder.addOps(name, getOps(resolve(name)), MatchTier::LocationPath);
  }
}

void HloMatcher::addSendCosts(StringRef opcode, Match &match) const {
  if (opcode.starts_with("all-") || opcode.starts_with("reduce-scatter") ||
      opcode.starts_with("collective-"))
    for (uint32_t op : match.ops)
      match.weights.push_back(getSendCost(index[op].op));
}

void HloMatcher::addSumCosts(const HloProgram &program,
                             llvm::ArrayRef<uint32_t> members,
                             Match &match) const {
  llvm::DenseMap<uint32_t, uint64_t> sums;
  llvm::DenseSet<uint32_t> computed;
  for (uint32_t member : members) {
    const HloInstruction &instruction = program.module.instructions[member];
    uint64_t cost = getSumCost(program, instruction);
    uint32_t op = program.matches[member].getOnlyOp();
    if (op == kNone || !cost::isProduct(index[op].op))
      continue;
    // One that is computed here is not only added up.
    if (match::isProduct(instruction))
      computed.insert(op);
    else if (cost != 0)
      sums[op] += cost;
  }
  for (uint32_t op : computed)
    sums.erase(op);
  if (sums.empty() || !match.weights.empty())
    return;
  for (uint32_t op : match.ops) {
    auto sum = sums.find(op);
    match.weights.push_back(sum == sums.end() ? getStaticCost(index[op].op)
                                              : sum->second);
  }
}

Match HloMatcher::match(uint32_t number) {
  const OpKey &key = profile.opKeys[number];
  const auto &details = key.get<HloInstructionKey>();
  std::string name = details.getModule().str();
  MatchBuilder builder;
  const HloModule *module =
      findHloModule(profile.hloModules, name, details.programId);
  if (!module)
    return builder.build("the profile does not have HLO module " + name);
  HloProgram &program = getProgram(*module);
  uint32_t instruction = program.index.find(key.op);
  if (instruction == kNone)
    return builder.build("HLO module " + name + " does not have instruction " +
                         key.op);
  llvm::SmallVector<uint32_t> members = program.index.getMembers(instruction);
  addMembers(program, members.empty() ? llvm::ArrayRef(instruction) : members,
             builder);
  if (!builder.hasNames())
    addNames(getNames(program, module->instructions[instruction]), builder);
  if (builder.hasNames() || rule == MatchRule::Reference) {
    Match match =
        builder.build(describeNameless(*module, instruction, members));
    if (program.isAligned)
      adjustToAligned(program,
                      members.empty() ? instruction
                                      : llvm::ArrayRef<uint32_t>(members),
                      match);
    addSendCosts(module->instructions[instruction].opcode, match);
    if (rule == MatchRule::Best)
      addSumCosts(program, members, match);
    if (match.matchClass == MatchClass::Ambiguous &&
        llvm::any_of(members, [&](uint32_t member) {
          return program.matches[member].isMerged;
        }))
      match.matchClass = MatchClass::Fused;
    return match;
  }

  llvm::SmallVector<uint32_t> neighbors =
      findNamedNeighbors(program, instruction);
  for (uint32_t neighbor : neighbors)
    for (const auto &name : program.matches[neighbor].names)
      if (!name.candidates.empty())
        builder.addOps(name.name, getOps(name.candidates),
                       MatchTier::Neighborhood);
  Match match = builder.build(describeNameless(*module, instruction, members));
  if (builder.hasNames())
    match.reason = describeNameless(*module, instruction, members) +
                   ": takes the names of its neighbors";
  if (program.isAligned)
    adjustToAligned(program, neighbors, match);
  return match;
}

std::unique_ptr<KeyMatcher> matcher::Instructions(const MatchContext &context) {
  return std::make_unique<HloMatcher>(context.index, context.resolver,
                                      context.profile, context.options);
}
