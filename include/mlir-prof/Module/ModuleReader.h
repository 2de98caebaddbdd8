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
#include <optional>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace mlirprof::module {

/// Sets up `context` for reading any module: dialects of MLIR and prof are
/// registered, others are allowed.
void prepareContext(mlir::MLIRContext &context);
/// A context with one thread and that setup.
std::unique_ptr<mlir::MLIRContext> makeModuleContext();

/// The handling of text on which MLIR's own parser crashes. Either way the
/// error names the file and the op.
enum class CrashRule : uint8_t {
  /// Reads in this process and recovers from a crash of this thread. After such
  /// an error, memory of the parser leaks, and the context must not be used
  /// again. For programs that then end.
  ComeBack,
  /// Reads in a child process first, which doubles the time. For services, and
  /// for parts of other programs.
  ChildFirst,
};

/// Reads a module, text or bytecode. Refuses, with a hint, forms that stock
/// MLIR misreads or cannot read: StableHLO bytecode, pretty-printed StableHLO,
/// the textual tf_executor form. See parseModule for further conditions.
llvm::Expected<mlir::OwningOpRef<mlir::Operation *>>
readModule(llvm::StringRef path, mlir::MLIRContext &context,
           CrashRule rule = CrashRule::ComeBack);
/// The same of a file that openInput() has opened. With `sources`, which is
/// empty, resources of bytecode are not copied: they stay in the buffer, which
/// then belongs to `sources` and to the context. Whoever uses their values must
/// check afterwards that the file is unchanged.
llvm::Expected<mlir::OwningOpRef<mlir::Operation *>>
readModule(std::unique_ptr<llvm::MemoryBuffer> buffer,
           mlir::MLIRContext &context, CrashRule rule = CrashRule::ComeBack,
           std::shared_ptr<llvm::SourceMgr> sources = nullptr);

/// Parses `buffer`, text or bytecode, as it is. The buffer's identifier names
/// it in errors, which contain the parser's message.
///
/// Bytecode is first read in a child process, as MLIR's reader crashes on
/// damaged bytes; text according to `rule`. Precondition: no other thread works
/// in MLIR or LLVM in the meantime, as the child would inherit locks that are
/// never released (idle threads of a context do no harm); if one is, the file
/// may be refused.
///
/// Locations that nest too deeply for MLIR's printer are shortened
/// (shortenLocations).
llvm::Expected<mlir::OwningOpRef<mlir::Operation *>>
parseModule(std::unique_ptr<llvm::MemoryBuffer> buffer,
            mlir::MLIRContext &context, CrashRule rule = CrashRule::ComeBack,
            std::shared_ptr<llvm::SourceMgr> sources = nullptr);

/// Replaces the locations of `root`, of the ops in it and of their block
/// arguments that nest so deeply that MLIR's printer and writer run out of
/// stack, by the parts used for matching, their outermost names and the user's
/// frame, and the profile data that they carry. Returns their number.
uint64_t shortenLocations(mlir::Operation *root);

/// Replaces the values of large constants and of resources by zeros. Returns
/// their number.
uint64_t elideConstants(mlir::Operation *root);

/// Whether elideConstants drops `elements`, unless they are a splat.
bool isLargeConstant(mlir::ElementsAttr elements);

/// The attributes of `op`, including those between <{ and }> in the text of an
/// op of an unregistered dialect: MLIR stores these separately, as its
/// properties.
mlir::DictionaryAttr getAllAttributes(mlir::Operation *op);

/// Hash of the values of all constants in `op`, the same on every machine; 0 if
/// it does not have any, or only splats.
uint64_t hashValues(mlir::Operation *op);

/// The hashes of the values of constants, which several levels of a model
/// share. Must not outlive the context, nor a change of the values.
class ValueHashes {
public:
  uint64_t get(mlir::ElementsAttr elements);
  /// XXH3 of `bytes` if get() has hashed them as the memory of a resource.
  std::optional<uint64_t> find(llvm::ArrayRef<char> bytes) const;

private:
  llvm::DenseMap<mlir::Attribute, uint64_t> hashes;
  /// By the begin and the number of the bytes.
  llvm::DenseMap<std::pair<const char *, size_t>, uint64_t> resources;
};

/// Stores `root` in the profile as level `level`, as bytecode without the
/// values that elideConstants drops. Replaces the previous content of the
/// level.
llvm::Error storeModule(profile::Profile &profile, llvm::StringRef level,
                        mlir::Operation *root, llvm::StringRef source,
                        ValueHashes *hashes = nullptr);

/// Makes `root`, from which nothing has to be left out, the bytecode of
/// `stored`.
llvm::Error setBytecode(profile::IrModule &stored, mlir::Operation *root);

/// Reads a stored module back; fails if the profile does not have one of that
/// level.
llvm::Expected<mlir::OwningOpRef<mlir::Operation *>>
loadStoredModule(const profile::Profile &profile, llvm::StringRef level,
                 mlir::MLIRContext &context);
llvm::Expected<mlir::OwningOpRef<mlir::Operation *>>
loadStoredModule(const profile::IrModule &stored, mlir::MLIRContext &context);

} // namespace mlirprof::module

#endif // MLIR_PROF_MODULE_MODULEREADER_H
