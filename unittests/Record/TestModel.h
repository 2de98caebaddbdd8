//===- TestModel.h - Small models for tests ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIRPROF_UNITTESTS_RECORD_TESTMODEL_H
#define MLIRPROF_UNITTESTS_RECORD_TESTMODEL_H

#include "mlir-prof/Compile/Backend.h"
#include "mlir-prof/Record/Runner.h"
#include "mlir/IR/MLIRContext.h"

namespace mlirprof {

/// A context that knows all of upstream.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// Lowers `text` (func, scf, memref, math ...) to the LLVM dialect, gives each
/// op an identity of the level "llvm", and compiles its function @main.
llvm::Expected<CompiledModel> compileText(mlir::MLIRContext &context,
                                          llvm::StringRef text,
                                          const Signature &signature);

/// An array of f32.
ValueSignature arrayOf(std::vector<int64_t> shape);
ValueSignature scalarOf(llvm::StringRef type, unsigned bytes);
HostTensor tensorOf(std::vector<int64_t> shape, std::vector<float> values);
std::vector<float> floatsOf(const HostTensor &tensor);

/// Number of samples of a class.
size_t countSamples(const RunResult &result, SampleClass sampleClass);
/// The name of the op at level "llvm" that owns the code at `address`.
std::string opAt(const CompiledModel &model, uint64_t address);

} // namespace mlirprof

#endif // MLIRPROF_UNITTESTS_RECORD_TESTMODEL_H
