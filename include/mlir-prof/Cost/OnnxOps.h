//===- OnnxOps.h - Ops imported from ONNX -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COST_ONNXOPS_H
#define MLIR_PROF_COST_ONNXOPS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlirprof::cost {

/// The node type from which `op` was imported: "Conv" for onnx-mlir's
/// "onnx.Conv" and for torch-mlir's torch.operator "onnx.Conv"; else "".
llvm::StringRef getOnnxType(mlir::Operation *op);

/// The static cost of such an op; none for other ops.
std::optional<uint64_t> getOnnxCost(mlir::Operation *op);

} // namespace mlirprof::cost

#endif // MLIR_PROF_COST_ONNXOPS_H
