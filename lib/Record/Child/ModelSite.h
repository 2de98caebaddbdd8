//===- ModelSite.h - Scopes of calls of a model -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_MODELSITE_H
#define MLIR_PROF_LIB_RECORD_MODELSITE_H

#include "mlir-prof/Profile/Profile.h"
#include "mlir-prof/Scope/Scope.h"

namespace mlirprof::record {

/// The site of calls of a model (ScopeType::Model), by which a scope finds the
/// profile of the model. `program` must outlive it.
inline prof_scope_site getModelSite(const profile::Program &program) {
  prof_scope_site site = {};
  site.name = program.entry.c_str();
  site.file = program.fingerprint.c_str();
  site.type = uint16_t(scope::ScopeType::Model);
  site.level = uint8_t(scope::kDefaultLevel);
  return site;
}

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_MODELSITE_H
