//===- KernelVariants.h - Kernels with other choices ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COMPILE_KERNELVARIANTS_H
#define MLIR_PROF_COMPILE_KERNELVARIANTS_H

#include "mlir-prof/Codegen/RepackArgument.h"
#include "mlir-prof/Compile/Compiler.h"

#include <map>

namespace mlirprof::compile {

struct KernelWorkshop;

/// A choice (Choices.h) for ops of a kernel.
struct KernelChange {
  /// The ops that have identities are numbered in pre-order, from 0.
  std::vector<uint32_t> ops;
  std::string technique;
  std::map<std::string, std::string> parameters;
};

/// A kernel that can take the place of another one.
struct KernelVariant {
  /// ELF, which defines `symbol`: a function as in KernelCode.
  std::string object, symbol;
  bool usesOpenMP = false;
  KernelPhases phases;
  /// contentHash() of its instructions: two kernels with the same one run the
  /// same.
  std::string fingerprint;
  /// The arguments that it reads in another order than the other kernel: the
  /// constants there have to be repacked.
  std::vector<codegen::RepackedArgument> repacked;
};

/// Compiles variants of kernels by the stages that a pipeline has for them.
/// Compiled ones are found in the cache, as those of models are.
class KernelVariants {
public:
  /// As the model was compiled. Identities, probes and choices are ignored.
  explicit KernelVariants(const CompileOptions &options);
  ~KernelVariants();

  /// `kernel` with `changes`, each in place of what was chosen before by the
  /// same technique; without any, as it is. Fails if an op is not there, or a
  /// choice needs a constant in another order that is not one.
  llvm::Expected<KernelVariant> compile(const KernelCode &kernel,
                                        llvm::ArrayRef<KernelChange> changes);

private:
  KernelWorkshop &getWorkshop();

  CompileOptions options;
  std::unique_ptr<KernelWorkshop> workshop;
};

/// Calls `visit` with the number and op of each op of a kernel that has an
/// identity.
void forEachKernelOp(
    mlir::ModuleOp kernel,
    llvm::function_ref<void(uint32_t number, mlir::Operation *op)> visit);

/// The kernel that `bytecode` holds, in `context`, which must have loaded the
/// dialects of kernels (one that compiled a model has).
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
readKernel(llvm::StringRef bytecode, mlir::MLIRContext &context);

} // namespace mlirprof::compile

#endif // MLIR_PROF_COMPILE_KERNELVARIANTS_H
