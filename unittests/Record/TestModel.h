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

using namespace mlirprof::compile;
using namespace mlirprof::record;

namespace mlirprof {

/// A context with all upstream dialects.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// Lowers `text` (func, scf, memref, math ...) to the LLVM dialect, gives each
/// op an identity of the level "llvm", and compiles its function @main.
llvm::Expected<CompiledModel> compileText(mlir::MLIRContext &context,
                                          llvm::StringRef text,
                                          const Signature &signature);

//===----------------------------------------------------------------------===//
// Models that misbehave
//===----------------------------------------------------------------------===//

/// Without arguments; never returns.
inline constexpr const char *kForever = R"(
func.func @main() {
  cf.br ^loop
^loop:
  llvm.inline_asm has_side_effects "nop", "" : () -> ()
  cf.br ^loop
})";

/// Crashes in its fifth call: the counter is memory of the caller's, one f32
/// that is 0 at first.
inline constexpr const char *kFifthCallCrashes = R"(
func.func @main(%n: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %most = arith.constant 5.0 : f32
  %x = memref.load %n[%c0] : memref<1xf32>
  %y = arith.addf %x, %one : f32
  memref.store %y, %n[%c0] : memref<1xf32>
  %is = arith.cmpf oge, %y, %most : f32
  scf.if %is {
    %zero = llvm.mlir.zero : !llvm.ptr
    %bad = llvm.getelementptr %zero[16] : (!llvm.ptr) -> !llvm.ptr, i8
    llvm.store volatile %y, %bad : f32, !llvm.ptr
  }
  return
})";

/// Without arguments; calls exit(3).
inline constexpr const char *kExits = R"(
llvm.func @exit(i32)
func.func @main() {
  %code = arith.constant 3 : i32
  llvm.call @exit(%code) : (i32) -> ()
  return
})";

/// Allocates and returns as many f32 as its argument, an index, requests.
inline constexpr const char *kAllocates = R"(
func.func @main(%n: index) -> memref<?xf32> {
  %m = memref.alloc(%n) : memref<?xf32>
  return %m : memref<?xf32>
})";

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// A scalar of the type index.
HostTensor indexOf(int64_t value);
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
