//===- KernelCompiler.h - Compiling one kernel ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is compiled alone, in a context of its own, so that kernels of one
// model are compiled on several threads, and the same kernel of another model
// is found in the cache. Its code is a function
//
//   void symbol(void *const *bindings, const int64_t *parameters,
//               uint32_t x, uint32_t y, uint32_t z)
//
// `bindings` are the addresses of the kernel's arguments, `parameters` the
// sizes of their dynamic dimensions in order, and x, y, z the workgroup.
//
// With several threads, a kernel has phases, which run one after the other. If
// there are several, the parameter behind the sizes is the number of the phase.
// If the phases share memory, its address is the last binding.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_KERNELS_KERNELCOMPILER_H
#define MLIR_PROF_LIB_COMPILE_KERNELS_KERNELCOMPILER_H

#include "../StageRunner.h"
#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Transforms/Identity.h"

namespace mlirprof::compile {

/// The level at which the host calls kernels, and at which a kernel begins.
inline constexpr llvm::StringLiteral kDispatchLevel = "dispatch";

/// A kernel to compile.
struct KernelSource {
  /// The name of its function in the model ("matmul_tanh").
  std::string name;
  /// The symbol of its code: the name, and a hash of its content.
  std::string symbol;
  /// A module with the function alone, without locations.
  std::string bytecode;
  /// Names the content: source, options, versions.
  std::string hash;
  /// Where the model has the ops of the kernel, for errors and warnings.
  std::string place;
  /// Speed or size: what the balance of the model chooses, if it has one.
  codegen::CodeGoal goal = codegen::CodeGoal::Speed;
  /// Ops at level dispatch, a measure of the time that compiling it takes.
  uint64_t operations = 0;
  /// Whether it has probes or records values: its last input is the record of
  /// the probes of the dispatch that runs it (KernelProbes.h).
  bool hasProbes = false;
};

struct CompiledKernel {
  /// ELF, position independent, or for a GPU, PTX as text. It defines the
  /// kernel's symbol.
  std::string object;
  bool usesOpenMP = false;
  KernelPhases phases;
  /// The warnings of its passes.
  std::vector<std::string> warnings;
  /// Levels from dispatch on, and the code. The nodes of level dispatch are the
  /// function and its ops in pre-order.
  profile::Program program;
  /// The levels after dispatch.
  std::vector<profile::IrModule> levels;
  /// The changes of its passes, if they are asked for; not cached.
  transforms::AuditLog audit;
};

/// A place in which kernels are compiled, one after the other and by the same
/// options.
struct KernelWorkshop {
  KernelWorkshop();

  /// With the dialects of kernels.
  std::unique_ptr<mlir::MLIRContext> context;
  StagePasses passes;
};

/// Whether each function has a section of its own, which is so in packages.
/// Code of a target without a heap that is to be measured is one piece, whose
/// instructions the program lists.
bool hasSections(const CompileOptions &options);

/// Compiles `kernel` by the stages of the pipeline after the one that forms
/// kernels.
llvm::Expected<CompiledKernel> compileKernel(const KernelSource &kernel,
                                             const CompileOptions &options,
                                             KernelWorkshop &workshop);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_KERNELS_KERNELCOMPILER_H
