//===- Cpu.h - The cpu dialect ----------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DIALECT_CPU_CPU_H
#define MLIR_PROF_DIALECT_CPU_CPU_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "mlir-prof/Dialect/Cpu/CpuDialect.h.inc"

#define GET_OP_CLASSES
#include "mlir-prof/Dialect/Cpu/CpuOps.h.inc"

#endif // MLIR_PROF_DIALECT_CPU_CPU_H
