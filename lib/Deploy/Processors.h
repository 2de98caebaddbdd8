//===- Processors.h - Asking processors for features ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEPLOY_PROCESSORS_H
#define MLIR_PROF_LIB_DEPLOY_PROCESSORS_H

#include "../../runtime/target/Variants.h"
#include "mlir-prof/Codegen/Target.h"

#include <array>

namespace mlirprof::deploy {

/// Bits of prof_variant_row::needs.
using ProcessorNeeds = std::array<uint32_t, PROF_PROCESSOR_WORDS>;

/// The bits that a processor has if it has all features of `target`. A usage
/// error if code cannot ask processors for one of them.
llvm::Expected<ProcessorNeeds> getNeeds(const codegen::TargetModel &target);

} // namespace mlirprof::deploy

#endif // MLIR_PROF_LIB_DEPLOY_PROCESSORS_H
