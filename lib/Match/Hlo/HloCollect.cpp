//===- HloCollect.cpp - Collecting products of both sides -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloSteps.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

bool match::isForDevices(const HloProgram &program) {
  return llvm::any_of(program.module.instructions, [](const auto &at) {
    llvm::StringRef opcode = at.opcode;
    return opcode.starts_with("all-") || opcode.starts_with("reduce-scatter") ||
           opcode.starts_with("collective-") || opcode == "partition-id" ||
           opcode == "replica-id";
  });
}

static bool collectRecorded(HloPairing &pairing) {
  const HloModule &module = pairing.program.module;
  llvm::SmallVector<uint32_t> roots;
  for (const HloComputation &computation : module.computations)
    if (computation.id == module.entryComputationId)
      roots.push_back(pairing.program.index.findId(computation.rootId));
  pairing.hlo =
      makeDataGraph(roots, module.instructions.size(),
                    [&](uint32_t at, llvm::SmallVectorImpl<uint32_t> &inputs) {
                      pairing.walk.addInputs(at, inputs);
                    });
  for (uint32_t place = 0; place < pairing.hlo.items.size(); ++place) {
    const HloInstruction &instruction =
        module.instructions[pairing.hlo.items[place]];
    if (isProduct(instruction))
      pairing.recorded.push_back(
          {pairing.hlo.items[place],
           place,
           getProductSizes(pairing.program, instruction),
           {},
           pairing.program.matches[pairing.hlo.items[place]].names.empty(),
           {}});
  }
  return !pairing.recorded.empty();
}

/// Collects products that were recorded under the names of their transposes.
static void collectFolded(HloPairing &pairing) {
  pairing.folded.resize(pairing.index.size());
  for (const HloProduct &product : pairing.recorded)
    for (const auto &name : pairing.program.matches[product.item].names)
      for (const OwnerCandidate &candidate : pairing.resolve(name.name)) {
        if (cost::isProduct(pairing.index[candidate.op].op))
          continue;
        uint32_t work = findFoldedWork(
            pairing.index, candidate.op,
            pairing.program.module.instructions[product.item].opcode);
        if (work != kNone)
          pairing.folded.set(work);
      }
}

static bool collectModule(HloPairing &pairing) {
  // Only ops with a name of this program can belong to it.
  llvm::StringMap<bool> known;
  for (const InstructionMatch &match : pairing.program.matches)
    for (const auto &name : match.names) {
      ScopeName scopes(name.name);
      if (size_t count = pairing.countKnownParts(scopes))
        known[scopes.getText(count)] = true;
    }
  collectFolded(pairing);
  for (unsigned work : pairing.folded.set_bits())
    for (uint32_t own : pairing.index.getLocation(work).names) {
      ScopeName scopes(pairing.index.getLocations().getName(own));
      known[scopes.getText(scopes.parts.size())] = true;
    }
  for (uint32_t place = 0; place < pairing.ops.items.size(); ++place) {
    uint32_t op = pairing.ops.items[place];
    if (!cost::isProduct(pairing.index[op].op))
      continue;
    bool isNamed =
        llvm::any_of(pairing.index.getLocation(op).names, [&](uint32_t own) {
          ScopeName scopes(pairing.index.getLocations().getName(own));
          return known.contains(scopes.getText(scopes.parts.size()));
        });
    if (isNamed)
      pairing.products.push_back(
          {op, place, getProductSizes(pairing.index[op].op), {}, false, {}});
  }
  return !pairing.products.empty();
}

/// The names of what only reshapes the result of an instruction.
static std::vector<std::string> getNamesBehind(const HloPairing &pairing,
                                               uint32_t item) {
  auto isMoved = [&](uint32_t at) {
    return isMovedFreely(pairing.program.module.instructions[at].opcode);
  };
  auto isNamed = [&](uint32_t at) {
    return !pairing.program.matches[at].names.empty() &&
           pairing.program.module.instructions[at].opcode != "parameter";
  };
  std::vector<std::string> names;
  for (uint32_t at :
       pairing.walk.find(item, Direction::Users, isNamed, isMoved))
    if (isMoved(at))
      for (const auto &name : pairing.program.matches[at].names)
        if (!llvm::is_contained(names, name.name))
          names.push_back(name.name);
  return names;
}

/// Names products that XLA rewrote and left without a name: the reshapes that
/// XLA put behind such a product have its name. Reshapes that prepare an
/// operand of a later product have the name of that later product, and do not
/// count.
static void findNamesBehind(HloPairing &pairing) {
  llvm::DenseMap<uint32_t, HloProduct *> nameless;
  for (HloProduct &product : pairing.recorded)
    if (product.isNameless) {
      product.namesBehind = getNamesBehind(pairing, product.item);
      nameless[product.item] = &product;
    }
  auto isProductAt = [&](uint32_t at) {
    return isProduct(pairing.program.module.instructions[at]);
  };
  auto isMoved = [&](uint32_t at) {
    return isMovedFreely(pairing.program.module.instructions[at].opcode);
  };
  // `recorded` is ordered by use: the names of users are still complete.
  for (HloProduct &product : pairing.recorded) {
    if (product.namesBehind.empty())
      continue;
    for (uint32_t user : pairing.walk.find(product.item, Direction::Users,
                                           isProductAt, isMoved)) {
      HloProduct *other = nameless.lookup(user);
      llvm::erase_if(product.namesBehind, [&](const std::string &name) {
        return (other && llvm::is_contained(other->namesBehind, name)) ||
               llvm::any_of(pairing.program.matches[user].names,
                            [&](const auto &own) { return own.name == name; });
      });
    }
  }
}

bool match::collectProducts(HloPairing &pairing) {
  if (!collectRecorded(pairing) || !collectModule(pairing))
    return false;
  findNamesBehind(pairing);
  return true;
}
