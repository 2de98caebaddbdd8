//===- Plan.h - Names in a package of dispatches ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEPLOY_PLAN_H
#define MLIR_PROF_LIB_DEPLOY_PLAN_H

#include "mlir-prof/Deploy/Deploy.h"
#include "llvm/ADT/MapVector.h"

namespace mlirprof::deploy {

/// The kernels of a graph by symbol, in the order of their first dispatches,
/// each with that one.
using PlanKernels = llvm::MapVector<llvm::StringRef, const codegen::HostStep *>;
PlanKernels getKernels(const codegen::HostGraph &graph);

/// The symbol of a constant of `model`.
std::string getConstantSymbol(const DeployedModel &model, size_t index);

/// Fails if a size or an offset does not have 32 bits, which packages have for
/// them.
llvm::Error checkOffsets(const DeployedModel &model);

/// The meaning of `place`, for readers: "argument x", "arena + 64".
std::string describePlace(const DeployedModel &model,
                          const codegen::HostPlace &place);

/// The effect of `step`, for readers: its kernel and its places.
std::string describeStep(const DeployedModel &model,
                         const codegen::HostStep &step);

/// Declares the kernels and the constants for C.
std::string declareSymbols(const DeployedModel &model);

/// The number of the variables' memory, or of the arena, among the bindings of
/// the model.
uint32_t getStateNumber(const DeployedModel &model);
uint32_t getArenaNumber(const DeployedModel &model);

/// Adds the function NAME_reset, which gives the variables their first values,
/// if there are any.
llvm::Error addReset(DeployedModel &model);

/// Adds the object of the constants.
llvm::Error addConstants(DeployedModel &model);

/// Compiles `text` in LLVM's assembly for the target of `model`.
llvm::Error addAssembly(llvm::StringRef name, llvm::StringRef text,
                        DeployedModel &model);

/// `bytes` as an initializer of LLVM's assembly: [N x i8] c"...".
std::string writeBytes(llvm::ArrayRef<char> bytes);

} // namespace mlirprof::deploy

#endif // MLIR_PROF_LIB_DEPLOY_PLAN_H
