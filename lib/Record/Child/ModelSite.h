//===- ModelSite.h - Scopes of calls of a model -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_MODELSITE_H
#define MLIR_PROF_LIB_RECORD_MODELSITE_H

#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Scope/Scope.h"

namespace mlirprof::record {

/// The site of calls of a model (ScopeType::Model): its entry, and the
/// fingerprint by which a scope finds the model's profile.
class ModelSite {
public:
  /// Until set(), calls do not have a name.
  ModelSite() = default;
  ModelSite(const ModelSite &) = delete;
  ModelSite &operator=(const ModelSite &) = delete;

  /// Does nothing unless scopes are recorded: the fingerprint takes time.
  void set(const profile::Program &program) {
    if (!prof_scope_is_on(scope::kDefaultLevel))
      return;
    entry = program.entry;
    fingerprint = profile::fingerprintProgram(program);
    site.name = entry.c_str();
    site.file = fingerprint.c_str();
    site.type = uint16_t(scope::ScopeType::Model);
  }
  prof_scope_site &get() { return site; }

private:
  std::string entry;
  std::string fingerprint;
  prof_scope_site site = PROF_SCOPE_SITE("", uint16_t(scope::ScopeType::Model),
                                         uint8_t(scope::kDefaultLevel), 0);
};

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_MODELSITE_H
