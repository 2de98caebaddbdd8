//===- Identity.h - Identities of ops through lowering ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Identities are indices into Program::nodes. During compilation, the program
// built so far is stored on the module as the attribute `prof.program` (builtin
// attributes), so that the passes work in any driver.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRANSFORMS_IDENTITY_H
#define MLIR_PROF_TRANSFORMS_IDENTITY_H

#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Profile/Program.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace mlirprof::transforms {

/// The texts about locations in nodes. The levels of one module, which have the
/// same locations, share them.
struct LocationTexts;
std::shared_ptr<LocationTexts> makeLocationTexts();

struct SnapshotOptions {
  prof::IdentityForm form = prof::IdentityForm::Attribute;
  /// If set, called while no location of the module holds an identity: writing
  /// them to bytecode takes as long as all the rest.
  llvm::function_ref<void()> whileBare = nullptr;
  /// May be null. Must not outlive the context of the module.
  LocationTexts *texts = nullptr;
};

/// Gives each op that needs one (prof::needsIdentity) a new identity, with a
/// node of the level `level`. The first call starts the program; in later calls
/// the parents of the new nodes are the identities that the ops had. Ops in
/// regions count separately. Positions are in pre-order over the current
/// `module`. Functions with a body get a node too. Emits an error, and does not
/// change the module, if the level exists already or `prof.program` is
/// malformed.
llvm::LogicalResult snapshotLevel(mlir::ModuleOp module, llvm::StringRef level,
                                  const SnapshotOptions &options = {});

/// Gives each op without an identity the location of its parent, else of a
/// user, an operand, a neighbor, and finally of its function. A constant vector
/// among its operands that has an identity takes precedence: it was created
/// together with the op. Functions with a body and without an identity, which a
/// pass has created, first get the identities of the ops that refer to them.
/// Finally removes the identities of constants. Touches only ops in `root`.
/// Returns the number of identities given.
uint64_t repairIdentities(mlir::Operation *root);

/// The program on `module`; without levels if there is none, or if it is
/// malformed. All indices in it are in range.
profile::Program getProgram(mlir::ModuleOp module);
/// Like getProgram, but emits an error if the program is malformed.
llvm::LogicalResult readProgram(mlir::ModuleOp module,
                                profile::Program &program);
/// Attaches `program` to `module`, without its machine code. Its nodes must be
/// sorted by level.
void setProgram(mlir::ModuleOp module, const profile::Program &program);
/// Removes `prof.program` and all identities. Returns the number of ops that
/// had one.
uint64_t stripIdentities(mlir::ModuleOp module);

/// Turns the identities in `module`, of the LLVM dialect, into debug lines:
/// every location becomes the line `identity + 1`, or 0, of the file
/// `kLinesFile` in the folder `fingerprint`, and functions get a DISubprogram.
/// The first of several owners represents all, so take a snapshot before. Emits
/// an error if a function is not of the LLVM dialect, or an op in one has not
/// been lowered.
llvm::LogicalResult setDebugLines(mlir::ModuleOp module,
                                  llvm::StringRef fingerprint);
/// Adds `program` to `module`, of the LLVM dialect, as a constant that the
/// object stores in its section kProgramSection, even if nothing in the linked
/// program refers to it.
void embedProgram(mlir::ModuleOp module, const profile::Program &program);

/// The changes that one pass made to the identities.
struct PassAudit {
  std::string pass;
  /// The op that it ran on ("func.func @main").
  std::string anchor;
  uint64_t opsBefore = 0;
  uint64_t opsAfter = 0;
  /// Number of ops left without an identity, by kind of op.
  std::vector<std::pair<std::string, uint64_t>> lostByOp;
  /// For each entry of lostByOp, its part of lostNodes.
  std::vector<std::vector<uint32_t>> lostNodesByOp;
  /// Nodes that ops had before the pass and no op has after it (erased, merged,
  /// or lost), and nodes that appeared. Ascending.
  std::vector<uint32_t> gone;
  std::vector<uint32_t> invented;
  /// Number of ops to which the repair after the pass gave an identity.
  uint64_t repaired = 0;
  /// Nodes that the ops without an identity would have had, according to the
  /// repair, by which the loss is weighted. Ascending.
  std::vector<uint32_t> lostNodes;

  /// The sum of lostByOp.
  uint64_t lost() const;
};

/// The changes made by all passes of a pipeline.
struct AuditLog {
  std::vector<PassAudit> passes;
};

/// Repairs identities before and after each pass. If `log` is not null, writes
/// the changes of each pass to it when no pass runs any more: in the order in
/// which the passes would end on one thread, op by op for nested pipelines.
/// Pipelines that a pass runs itself (on a part of the module) are logged
/// separately, and excluded from `gone` and `invented` of the outer pass.
/// Passes of one pass manager may run on several threads.
std::unique_ptr<mlir::PassInstrumentation> createIdentityKeeper(AuditLog *log);

} // namespace mlirprof::transforms

#endif // MLIR_PROF_TRANSFORMS_IDENTITY_H
