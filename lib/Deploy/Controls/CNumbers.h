//===- CNumbers.h - Numbers of a host side in C -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEPLOY_CONTROLS_CNUMBERS_H
#define MLIR_PROF_LIB_DEPLOY_CONTROLS_CNUMBERS_H

#include "mlir-prof/Codegen/HostGraph.h"

namespace mlirprof::deploy {

/// The array of all numbers, of type int64_t.
inline constexpr llvm::StringLiteral kNumbers = "numbers";

/// The number, or its value.
std::string writeNumber(const codegen::HostNumber &number);

/// The statement that does `step`, which computes a number.
std::string writeComputation(const codegen::HostStep &step);

/// `value`, an expression of at least so many bits, as a number of `bits` bits.
std::string writeWrapped(const llvm::Twine &value, unsigned bits);

} // namespace mlirprof::deploy

#endif // MLIR_PROF_LIB_DEPLOY_CONTROLS_CNUMBERS_H
