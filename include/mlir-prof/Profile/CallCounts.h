//===- CallCounts.h - How often ops ran -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One call of an op of a framework is measured several times: aten::linear
// calls aten::addmm, which calls others, and starts kernels. All of this time
// is of the MLIR op, and it is one call all the same.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_CALLCOUNTS_H
#define MLIR_PROF_PROFILE_CALLCOUNTS_H

#include "mlir-prof/Profile/Profile.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlirprof::profile {

/// The ops that a kernel of torch.compile was fused from, as its name tells:
/// "graph_0_cpp_fused_add_relu_1" of "add_relu"; empty when it is none.
llvm::StringRef getFusedNames(llvm::StringRef op);

/// Takes the owners of a measured op.
using TakeOwners = llvm::function_ref<void(llvm::ArrayRef<uint32_t>)>;

/// For each of `owners` owners (MLIR ops or groups of them) how often it was
/// called: its measured events, without those within another one of its own.
/// Where an owner has calls of the forward pass, those of the backward pass and
/// of the optimizer are none; else those of the backward pass count.
/// Kernels that torch.compile made are each a part of the ops that they were
/// fused from: they are no call where an op has others, and else the one that
/// ran most counts.
///
/// `merged` is mergeRuns(profile); `visit` gives the owners of a measured op,
/// each once, to what it is called with.
std::vector<uint64_t>
countCalls(const Profile &profile, llvm::ArrayRef<OpSummary> merged,
           size_t owners,
           llvm::function_ref<void(uint32_t op, TakeOwners take)> visit);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_CALLCOUNTS_H
