//===- Identity.h - Identities of ops through lowering ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Identities are indices into Program::nodes. While a module is compiled, the
// program made so far is kept on it as the attribute `prof.program` (builtin
// attributes), so that the passes work in any driver.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRANSFORMS_IDENTITY_H
#define MLIR_PROF_TRANSFORMS_IDENTITY_H

#include "mlir-prof/Profile/Program.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace mlirprof::transforms {

/// Gives each op that needs one (prof::needsIdentity) a new identity; its node
/// is of the level `level`. The first call starts the program; in a later one
/// the parents of the new nodes are the identities that the ops had. Op regions
/// are ops of their own. Positions count in pre-order over `module` as it is.
/// Functions with a body get a node, too. Emits an error, and leaves the module
/// as it was, when the level is there already or `prof.program` is malformed.
llvm::LogicalResult snapshotLevel(mlir::ModuleOp module, llvm::StringRef level);

/// Gives ops without an identity the location of their parent, else of a user,
/// an operand, a neighbor, and at last of their function; before all that, of
/// a constant vector that they use, when it has an identity: it was made
/// together with them. Functions with a body and without an identity, which a
/// pass has made, first get those of the ops that mention them. Then takes the
/// identities off constants. Touches only ops in `root`. Returns how many it
/// gave.
uint64_t repairIdentities(mlir::Operation *root);

/// The program on `module`; without levels when there is none, or a malformed
/// one. All indices in it are in range.
profile::Program getProgram(mlir::ModuleOp module);
/// As getProgram, but emits an error when it is malformed.
llvm::LogicalResult readProgram(mlir::ModuleOp module,
                                profile::Program &program);
/// Puts `program` on `module`, without its machine code. Its nodes have to
/// stand level by level.
void setProgram(mlir::ModuleOp module, const profile::Program &program);
/// Takes `prof.program` off, and all identities. Returns the number of ops that
/// held one.
uint64_t stripIdentities(mlir::ModuleOp module);

/// Turns the identities in `module`, of the LLVM dialect, into debug lines:
/// every location becomes the line `identity + 1`, or 0, of the file
/// `kLinesFile` in the folder `fingerprint`, and functions get a DISubprogram.
/// Of several owners the first stands for all, so take a snapshot before. Emits
/// an error when a function is not of the LLVM dialect, or an op in one has not
/// been lowered.
llvm::LogicalResult setDebugLines(mlir::ModuleOp module,
                                  llvm::StringRef fingerprint);
/// Adds `program` to `module`, of the LLVM dialect, as a constant that the
/// object has in its section kProgramSection, also where nothing that is linked
/// refers to it.
void embedProgram(mlir::ModuleOp module, const profile::Program &program);

/// What one pass did to the identities.
struct PassAudit {
  std::string pass;
  /// The op that it ran on ("func.func @main").
  std::string anchor;
  uint64_t opsBefore = 0;
  uint64_t opsAfter = 0;
  /// Ops that it left without an identity, by kind of op.
  std::vector<std::pair<std::string, uint64_t>> lostByOp;
  /// For each entry of lostByOp the part of lostNodes that is its own.
  std::vector<std::vector<uint32_t>> lostNodesByOp;
  /// Nodes that ops had before and none has after it (erased, merged, or
  /// lost), and the other way around. Ascending.
  std::vector<uint32_t> gone;
  std::vector<uint32_t> invented;
  /// Ops that the repair gave an identity after it.
  uint64_t repaired = 0;
  /// Nodes that the ops that lost theirs would have had, as far as the repair
  /// tells: what the loss is weighed by. Ascending.
  std::vector<uint32_t> lostNodes;

  /// The sum of lostByOp.
  uint64_t lost() const;
};

/// What all passes of a pipeline did.
struct AuditLog {
  std::vector<PassAudit> passes;
};

/// Repairs identities before and after each pass, and writes what each did to
/// `log` when that is not null and nothing runs any more: in the order in which
/// they would end on one thread, op by op where a pipeline is nested. What a
/// pass has run by itself (a pipeline on a part of the module) is logged on its
/// own; the gone and invented of the outer pass are without it. Passes of one
/// pass manager may run on several threads.
std::unique_ptr<mlir::PassInstrumentation> createIdentityKeeper(AuditLog *log);

} // namespace mlirprof::transforms

#endif // MLIR_PROF_TRANSFORMS_IDENTITY_H
