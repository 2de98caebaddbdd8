//===- Diff.cpp - Comparing two profiles op by op -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Diff.h"
#include "Note.h"
#include "mlir-prof/Module/Alignment.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::match;
using namespace mlirprof::module;

/// A session as a side of the diff.
static DiffSide makeSide(Session &session, llvm::StringRef name) {
  return {session.profile,
          name.str(),
          session.ownership ? &*session.ownership : nullptr,
          {}};
}

/// Finds the counterparts of the ops of two modules. Ops that cannot be
/// distinguished form one group.
static void align(Session &before, Session &after, DiffSide &first,
                  DiffSide &second) {
  if (!first.ownership || !second.ownership || !before.module || !after.module)
    return;
  Alignment alignment =
      alignModules(before.module.get(), after.module.get(),
                   before.getStoredValues(), after.getStoredValues());
  // Every module has a function and a return: these alone do not indicate the
  // same model.
  bool isOneModel = llvm::any_of(
      llvm::zip(alignment.ops, first.ownership->ops), [](const auto &entry) {
        const auto &[counterpart, op] = entry;
        return !counterpart.ops.empty() && op.cost != 0;
      });
  if (!isOneModel)
    return;
  first.aligned.resize(first.ownership->ops.size());
  second.aligned.resize(second.ownership->ops.size());
  llvm::IntEqClasses groups(
      unsigned(first.aligned.size() + second.aligned.size()));
  unsigned offset = unsigned(first.aligned.size());
  for (auto [op, counterpart] : llvm::enumerate(alignment.ops))
    for (uint32_t other : counterpart.ops)
      groups.join(unsigned(op), offset + other);
  groups.compress();
  for (auto [op, counterpart] : llvm::enumerate(alignment.ops))
    for (uint32_t other : counterpart.ops) {
      bool isNamed =
          first.ownership->ops[op].path == second.ownership->ops[other].path;
      DiffMatch match = isNamed ? DiffMatch::Key : DiffMatch::Structure;
      first.aligned[op] = {groups[unsigned(op)], match};
      second.aligned[other] = {groups[offset + other], match};
    }
}

llvm::Expected<ProfileDiff>
mlirprof::diffSessions(Session &before, llvm::StringRef beforeName,
                       Session &after, llvm::StringRef afterName,
                       const DiffOptions &options, const NoteHandler &onNote) {
  // If only one side has a module, its ops cannot be compared with anything.
  if (bool(before.ownership) != bool(after.ownership)) {
    note(onNote,
         (before.ownership ? afterName : beforeName) +
             ": does not contain a module, so measured ops are compared");
    before.ownership.reset();
    after.ownership.reset();
  }
  DiffSide first = makeSide(before, beforeName);
  DiffSide second = makeSide(after, afterName);
  align(before, after, first, second);
  return diffProfiles(first, second, options);
}
