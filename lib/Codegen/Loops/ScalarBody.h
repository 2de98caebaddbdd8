//===- ScalarBody.h - Numbers that a body computes --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_LOOPS_SCALARBODY_H
#define MLIR_PROF_LIB_CODEGEN_LOOPS_SCALARBODY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace mlirprof::codegen {

/// Computes values in the body of an op when the model is built: those that
/// depend only on its loops, numbers and constant tensors.
class ScalarBody {
public:
  explicit ScalarBody(mlir::linalg::GenericOp op);

  /// Whether `value` depends on nothing else. (To evaluate it may still fail,
  /// where an op divides by zero, say.)
  bool canEvaluate(mlir::Value value);
  /// The loops on which a value that canEvaluate depends.
  llvm::ArrayRef<unsigned> getLoops(mlir::Value value) {
    return facts[value].loops;
  }
  /// The numbers that `values` are at `point`, one index for each loop; null
  /// where it is not known.
  llvm::SmallVector<mlir::Attribute>
  evaluate(llvm::ArrayRef<mlir::Value> values, llvm::ArrayRef<int64_t> point);

private:
  struct Facts {
    bool isKnown = false;
    llvm::SmallVector<unsigned, 2> loops;
  };

  Facts describe(mlir::Operation &op);
  /// Sets the arguments of constant inputs. Returns false if there is no
  /// element.
  bool readConstants(llvm::ArrayRef<int64_t> point);
  mlir::Attribute evaluateOp(mlir::Operation &op,
                             llvm::ArrayRef<int64_t> point);

  mlir::linalg::GenericOp op;
  llvm::DenseMap<mlir::Value, Facts> facts;
  /// The elements of constant inputs, by argument.
  llvm::DenseMap<mlir::Value, mlir::DenseElementsAttr> constants;
  /// The values at the point that is evaluated.
  llvm::DenseMap<mlir::Value, mlir::Attribute> current;
};

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_LOOPS_SCALARBODY_H
