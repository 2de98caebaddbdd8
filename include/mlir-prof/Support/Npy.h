//===- Npy.h - Arrays in NumPy's file format --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_NPY_H
#define MLIR_PROF_SUPPORT_NPY_H

#include "mlir-prof/Support/HostTensor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace mlirprof {

/// Reads a *.npy file, versions 1 to 3, in either byte order and memory order.
/// Arrays of two-byte void, as ml_dtypes writes bfloat16, are "bf16".
llvm::Expected<HostTensor> readNpy(llvm::StringRef bytes,
                                   llvm::StringRef where);

/// Writes a *.npy file that numpy.load reads; bf16 as two-byte void.
void writeNpy(const HostTensor &tensor, llvm::raw_ostream &os);

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_NPY_H
