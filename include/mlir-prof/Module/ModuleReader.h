//===- ModuleReader.h - Reading modules, and keeping them in profiles *- C++
//-*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_MODULE_MODULEREADER_H
#define MLIR_PROF_MODULE_MODULEREADER_H

#include "mlir-prof/Profile/Profile.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace mlirprof::module {

/// Sets up `context` for reading any module: dialects of MLIR and prof are
/// registered, others are allowed.
void prepareContext(mlir::MLIRContext &context);
/// A context of one thread that is set up so.
std::unique_ptr<mlir::MLIRContext> makeModuleContext();

/// What reading does about text on which MLIR's own parser crashes. Either way
/// the error names the file and the op.
enum class CrashRule : uint8_t {
  /// Reads in this process and comes back from a crash of this thread. After
  /// such an error memory of the parser leaks, and the context must not be used
  /// again. For programs that end then.
  ComeBack,
  /// Reads in a child process first, which takes the same time again. For
  /// services, and for what is a part of another program.
  ChildFirst,
};

/// Reads a module, text or bytecode. Refuses, with the way out, what stock MLIR
/// misreads or cannot read: StableHLO bytecode, pretty-printed StableHLO, the
/// textual tf_executor form. See parseModule for what holds for both.
llvm::Expected<mlir::OwningOpRef<mlir::Operation *>>
readModule(llvm::StringRef path, mlir::MLIRContext &context,
           CrashRule rule = CrashRule::ComeBack);

/// Parses `buffer`, text or bytecode, as it is. The buffer's identifier names
/// it in errors, which hold what the parser had to say.
///
/// Bytecode is first read in a child process, as MLIR's reader crashes on
/// damaged bytes; text as `rule` says. Precondition: no other thread is at work
/// in MLIR or LLVM meanwhile, as the child would inherit locks that nobody
/// gives back (idle threads of a context do no harm); if one is, the file may
/// be refused.
///
/// Locations that nest too deeply for MLIR's printer come shortened
/// (shortenLocations).
llvm::Expected<mlir::OwningOpRef<mlir::Operation *>>
parseModule(std::unique_ptr<llvm::MemoryBuffer> buffer,
            mlir::MLIRContext &context, CrashRule rule = CrashRule::ComeBack);

/// Replaces the locations of `root`, of the ops in it and of their block
/// arguments that nest so deeply that MLIR's printer and writer run out of
/// stack, by what ops are matched by, their outermost names and the user's
/// frame, and the profile data that they carry. Returns how many.
uint64_t shortenLocations(mlir::Operation *root);

/// Puts zeros in the place of the values of large constants and of resources.
/// Returns how many.
uint64_t elideConstants(mlir::Operation *root);

/// Whether elideConstants leaves `elements` out, unless they are a splat.
bool isLargeConstant(mlir::ElementsAttr elements);

/// The attributes of `op`, with those that the text of an op of a dialect that
/// is not here has between <{ and }>: MLIR keeps them apart, as its properties.
mlir::DictionaryAttr getAllAttributes(mlir::Operation *op);

/// Hash of the values of all constants that `op` holds, the same on every
/// machine; 0 where it has none, or nothing but splats.
uint64_t hashValues(mlir::Operation *op);

/// Puts `root` into the profile as level `level`, as bytecode without the
/// values that elideConstants leaves out. Replaces what the level held.
llvm::Error storeModule(profile::Profile &profile, llvm::StringRef level,
                        mlir::Operation *root, llvm::StringRef source);

/// Reads a stored module back; fails when the profile has none of that level.
llvm::Expected<mlir::OwningOpRef<mlir::Operation *>>
loadStoredModule(const profile::Profile &profile, llvm::StringRef level,
                 mlir::MLIRContext &context);
llvm::Expected<mlir::OwningOpRef<mlir::Operation *>>
loadStoredModule(const profile::IrModule &stored, mlir::MLIRContext &context);

} // namespace mlirprof::module

#endif // MLIR_PROF_MODULE_MODULEREADER_H
