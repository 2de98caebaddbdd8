//===- Backend.h - Lowering the LLVM dialect to an object -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COMPILE_BACKEND_H
#define MLIR_PROF_COMPILE_BACKEND_H

#include "mlir-prof/Compile/Compiler.h"

namespace mlirprof::compile {

struct BackendOptions {
  codegen::TargetModel target;
  /// LLVM's optimization level, -O.
  unsigned optimization = 3;
  /// Whether rules have arranged and vectorized the loops: of LLVM's passes,
  /// the few that such code needs run.
  bool isVectorized = false;
  /// Whether the module is the host side of kernels.
  bool callsKernels = false;
  /// Constants of at least this many bytes are stored outside of the object.
  uint64_t externalBytes = 1024;
  /// Whether each function and constant has a section of its own, from which a
  /// linker chooses. The instructions of such code are not read.
  bool hasSections = false;
  /// As CompileOptions::embedsBitcode.
  bool embedsBitcode = false;
};

/// The features that a target has, by LLVM's names: those of its processor, and
/// its own. A usage error if LLVM does not know the processor or a feature, or
/// cannot write its objects.
llvm::Expected<std::vector<std::string>>
listFeatures(const codegen::TargetModel &target);

/// Compiles `module`, which contains only the LLVM dialect and whose function
/// `entry` has a C interface (`llvm.emit_c_interface`). Debug lines encode the
/// identities in the locations. Sets object, entrySymbol, constants, storage
/// and usesOpenMP of `model`, and the program's functions, loops and
/// instructions.
llvm::Error emitObject(mlir::ModuleOp module, llvm::StringRef entry,
                       const BackendOptions &options, CompiledModel &model);

/// Machine code of one module.
struct EmittedCode {
  /// ELF, position independent.
  std::string object;
  /// Whether the code calls the OpenMP runtime.
  bool usesOpenMP = false;
};

/// Compiles `module`, a kernel in the LLVM dialect, whose function `symbol` is
/// the only symbol of the object that others see. Sets the target, functions,
/// loops and instructions of `program`. Several threads may compile, each with
/// modules of its own context.
llvm::Expected<EmittedCode> emitKernel(mlir::ModuleOp module,
                                       llvm::StringRef symbol,
                                       const BackendOptions &options,
                                       profile::Program &program);

/// Words of 32 bits in read-only memory.
struct DataSymbol {
  std::string name;
  std::vector<uint32_t> words;
};

/// An object that defines `symbols`, aligned to 8 bytes, and nothing else.
llvm::Expected<std::string> emitData(llvm::ArrayRef<DataSymbol> symbols,
                                     const BackendOptions &options);

/// A function that calls the one whose address is at `offset` bytes of a table.
struct Forwarder {
  std::string name;
  /// The types of its result and arguments: v is void, i and l are integers of
  /// 32 and 64 bits, p is a pointer.
  std::string types;
  uint64_t offset = 0;
};

/// An object that defines `forwarders`, which jump through the table to which
/// the variable `table`, at first null, points.
llvm::Expected<std::string> emitForwarders(llvm::StringRef table,
                                           llvm::ArrayRef<Forwarder> forwarders,
                                           const BackendOptions &options);

/// An object of functions that are written in LLVM's assembly, without errors.
llvm::Expected<std::string> emitAssembly(llvm::StringRef text,
                                         const BackendOptions &options);

/// A symbol, and the one that takes its place.
using SymbolChange = std::pair<llvm::StringRef, llvm::StringRef>;

/// An object of `bitcode`, which clang made for any processor of the target's
/// architecture, with other names for some of its symbols.
llvm::Expected<std::string>
emitBitcode(llvm::StringRef bitcode, const BackendOptions &options,
            llvm::ArrayRef<SymbolChange> changes = {});

} // namespace mlirprof::compile

#endif // MLIR_PROF_COMPILE_BACKEND_H
