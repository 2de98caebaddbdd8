//===- JitModel.h - Running compiled models ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_COMPILE_JITMODEL_H
#define MLIR_PROF_UNITTESTS_COMPILE_JITMODEL_H

#include "mlir-prof/Compile/Compiler.h"
#include "mlir/IR/MLIRContext.h"

#include <string>
#include <vector>

using namespace mlirprof::compile;

namespace mlirprof::test {

/// A float tensor.
struct Tensor {
  std::vector<int64_t> shape;
  std::vector<float> values;
};

/// A tensor of any type whose values doubles hold exactly.
struct TypedTensor {
  /// As in ValueSignature::elementType.
  std::string element;
  std::vector<int64_t> shape;
  std::vector<double> values;
};

/// A tensor of values in [-1, 1), always the same for the same `seed`.
Tensor makeTensor(std::vector<int64_t> shape, uint32_t seed);

/// A machine with 16 vector registers of 128 or 256 bits; on x86-64, without
/// the instructions for longer ones, so that code compiled for it runs here.
codegen::TargetModel getNarrowTarget(unsigned vectorBits);

/// Parses and compiles `text`.
llvm::Expected<CompiledModel> compileText(mlir::MLIRContext &context,
                                          llvm::StringRef text,
                                          const CompileOptions &options);

/// Loads `model`, calls its entry with `arguments` (whose values the call may
/// not change) and returns its first result, of rank `rank`.
llvm::Expected<Tensor> run(const CompiledModel &model,
                           const std::vector<Tensor> &arguments, unsigned rank);

/// The same for arguments of any types; returns all results.
llvm::Expected<std::vector<TypedTensor>>
run(const CompiledModel &model, const std::vector<TypedTensor> &arguments);

/// Compiles `text` by `pipeline` for one thread of this machine, and runs it;
/// an error fails the test, and returns no results.
std::vector<TypedTensor> compute(llvm::StringRef pipeline, llvm::StringRef text,
                                 const std::vector<TypedTensor> &arguments);

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_COMPILE_JITMODEL_H
