//===- Entry.h - The function to run ----------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COMPILE_ENTRY_H
#define MLIR_PROF_COMPILE_ENTRY_H

#include "mlir-prof/Compile/Compiler.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlirprof::compile {

/// The function `name` of `module`; if the name is empty, the only public one,
/// or else "main".
llvm::Expected<mlir::func::FuncOp> findEntry(mlir::ModuleOp module,
                                             llvm::StringRef name);

/// How its values are passed. Fails for types that cannot be passed.
llvm::Expected<Signature> getSignature(mlir::func::FuncOp entry);

/// Makes `entry` callable from outside, and its tensor arguments read-only (the
/// caller reuses the buffers in the next iteration).
void prepareEntry(mlir::func::FuncOp entry);

/// The error about a pass, or LLVM, that crashed while it lowered `where`.
llvm::Error makeCrashError(llvm::StringRef where, llvm::StringRef pipeline);

/// `location` without identities, as text.
std::string describeLocation(mlir::Location location);
/// The description of an unknown location, in the compiler.
inline constexpr llvm::StringLiteral kUnknownPlace = "unknown";

/// `error` as it leaves the compiler: kUnknownPlace alone does not tell readers
/// what is unknown.
llvm::Error describeUnknownPlace(llvm::Error error);

} // namespace mlirprof::compile

#endif // MLIR_PROF_COMPILE_ENTRY_H
