//===- Outline.h - Moving groups into kernels -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_DISPATCH_OUTLINE_H
#define MLIR_PROF_LIB_CODEGEN_DISPATCH_OUTLINE_H

#include "Groups.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"

#include <string>

namespace mlirprof::codegen {

/// Whether a kernel can return the results of `group`: their sizes are known
/// before it runs.
bool canOutline(const DispatchGroup &group);

/// Moves the ops of `group` into a kernel with this name, which does not exist
/// yet, and runs it in their place. Values that the ops share with the host
/// side are operands. `kernels` is the place of the kernel.
mlir::func::FuncOp outlineGroup(const DispatchGroup &group,
                                mlir::StringRef name, mlir::OpBuilder &kernels);

/// A name that says what the ops of `group` compute, such as conv3x3_relu.
std::string nameGroup(const DispatchGroup &group);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_DISPATCH_OUTLINE_H
