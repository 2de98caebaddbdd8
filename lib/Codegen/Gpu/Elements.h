//===- Elements.h - Code that computes one element --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The ops of a kernel are computed where their results are needed: the code of
// an element of a tensor computes the elements that it depends on, back to the
// arguments of the kernel. So chains of ops keep their values in registers.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_GPU_ELEMENTS_H
#define MLIR_PROF_LIB_CODEGEN_GPU_ELEMENTS_H

#include "Indices.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>

namespace mlirprof::codegen {

/// The elements of the results of an op, in order.
using ElementValues = llvm::SmallVector<mlir::Value>;

class ElementBuilder {
public:
  /// The code goes to the insertion point of `builder`.
  explicit ElementBuilder(mlir::OpBuilder &builder) : builder(builder) {}

  /// The element of `tensor` at `indices`. An op that does not have code is an
  /// error at the op.
  mlir::FailureOr<mlir::Value> get(mlir::Value tensor,
                                   llvm::ArrayRef<mlir::Value> indices);

  /// How code computes an element of one tensor.
  using Maker = std::function<mlir::FailureOr<mlir::Value>(
      llvm::ArrayRef<mlir::Value> indices)>;
  /// Makes the elements of `tensor` those that `maker` makes.
  void define(mlir::Value tensor, Maker maker);
  void undefine(mlir::Value tensor) { makers.erase(tensor); }

  /// The results of the body of `op` at the iteration `dims`, if the outputs
  /// have the values `outputs` before.
  mlir::FailureOr<ElementValues>
  computeBody(mlir::linalg::LinalgOp op, llvm::ArrayRef<mlir::Value> dims,
              llvm::ArrayRef<mlir::Value> outputs);

  /// The same with given elements of the inputs.
  mlir::FailureOr<ElementValues>
  computeBody(mlir::linalg::LinalgOp op, llvm::ArrayRef<mlir::Value> dims,
              llvm::ArrayRef<mlir::Value> inputs,
              llvm::ArrayRef<mlir::Value> outputs);

private:
  struct Known {
    llvm::SmallVector<mlir::Value> indices;
    mlir::Value value;
  };

  mlir::FailureOr<mlir::Value> make(mlir::Value tensor,
                                    llvm::ArrayRef<mlir::Value> indices);
  mlir::FailureOr<mlir::Value> getStructured(mlir::linalg::LinalgOp op,
                                             unsigned result,
                                             llvm::ArrayRef<mlir::Value>);
  mlir::FailureOr<mlir::Value> getPadded(mlir::Operation *pad,
                                         llvm::ArrayRef<mlir::Value> indices);
  mlir::FailureOr<mlir::Value> getInserted(mlir::Operation *insert,
                                           llvm::ArrayRef<mlir::Value> indices);
  mlir::FailureOr<mlir::Value> getPart(mlir::Operation *concat,
                                       llvm::ArrayRef<mlir::Value> indices);
  mlir::FailureOr<mlir::Value>
  choose(mlir::Location location, mlir::Value condition,
         llvm::function_ref<mlir::FailureOr<mlir::Value>()> ifTrue,
         llvm::function_ref<mlir::FailureOr<mlir::Value>()> ifFalse);
  mlir::FailureOr<ElementValues> copyBody(mlir::Block &body,
                                          llvm::ArrayRef<mlir::Value> dims,
                                          mlir::IRMapping &values);

  mlir::OpBuilder &builder;
  llvm::DenseMap<mlir::Value, Maker> makers;
  /// By tensor: elements that are known where their code is.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Known>> known;
};

/// Emits the error about an op without code, and why it has none.
llvm::LogicalResult refuseElements(mlir::Operation *op, const llvm::Twine &why);

/// The iteration of `op` at which its output `result` has the element at
/// `indices`; dimensions of reductions are null. Failure if the output is not
/// indexed by all other dimensions, each by itself.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
getIteration(mlir::linalg::LinalgOp op, unsigned result,
             llvm::ArrayRef<mlir::Value> indices);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_GPU_ELEMENTS_H
