//===- IdentityTier.h - Ops of compiled programs ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_RECORDED_IDENTITYTIER_H
#define MLIR_PROF_LIB_MATCH_RECORDED_IDENTITYTIER_H

#include "mlir-prof/Attribution/Ownership.h"
#include "mlir-prof/Module/Alignment.h"
#include "mlir-prof/Module/ModuleIndex.h"

namespace mlirprof::match {

/// Finds the owners of what recordings of our own measured (op keys of the
/// kinds Code, Probe and Outside): the programs in the profile say at which
/// position of the module of a level each op stands, and `stored` what that op
/// is in a module that changed since. `level` may be empty: then it is the
/// first that the module fits, or the one it is most like. Other keys get empty
/// matches.
std::vector<attribution::Match>
matchByIdentity(const module::ModuleIndex &index,
                const profile::Profile &profile, llvm::StringRef level,
                module::StoredAlignments &stored);

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_RECORDED_IDENTITYTIER_H
