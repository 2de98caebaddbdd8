//===- StoredLevel.h - Modules as profiles store them -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_MODULE_STOREDLEVEL_H
#define MLIR_PROF_MODULE_STOREDLEVEL_H

#include "mlir-prof/Module/ModuleReader.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlirprof::module {

/// Makes `root` what a profile stores of it: without the values that
/// elideConstants drops, and with short locations. Returns the description
/// without the bytecode, which setBytecode() adds; more ops may follow before.
/// So somebody who owns `root` stores it without a copy (see storeModule).
profile::IrModule shortenToStored(mlir::Operation *root, llvm::StringRef level,
                                  llvm::StringRef source, ValueHashes &hashes);

/// Reads a module that this program wrote, so that it needs no protection from
/// what files may hold; the caller knows that its bytes are those. Null if it
/// cannot be read.
mlir::OwningOpRef<mlir::ModuleOp> readOwnLevel(const profile::IrModule &level,
                                               mlir::MLIRContext &context);

} // namespace mlirprof::module

#endif // MLIR_PROF_MODULE_STOREDLEVEL_H
