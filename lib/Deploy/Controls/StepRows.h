//===- StepRows.h - Rows of the tables of steps in C ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEPLOY_CONTROLS_STEPROWS_H
#define MLIR_PROF_LIB_DEPLOY_CONTROLS_STEPROWS_H

#include "mlir-prof/Deploy/Deploy.h"
#include "llvm/ADT/Twine.h"

#include <string>
#include <vector>

namespace mlirprof::deploy {

/// The arrays to which the steps of a table refer.
struct StepRows {
  std::vector<std::string> places;
  std::vector<std::string> parameters;

  /// Adds the places and parameters of `step`. The memory of a place is a
  /// member of an enumeration of C whose names begin with `prefix`; `access` is
  /// the text that tells how the step uses a place.
  void
  add(const codegen::HostStep &step, llvm::StringRef prefix,
      llvm::function_ref<llvm::StringRef(const codegen::HostPlace &)> access);
};

/// The symbols of the constants of the host side, in order.
std::vector<std::string> getConstantSymbols(const DeployedModel &model);

/// Writes a static array. Arrays of C have at least one element: `none` if
/// there are no rows.
void writeArray(llvm::raw_ostream &os, const llvm::Twine &declaration,
                llvm::ArrayRef<std::string> rows, llvm::StringRef none);

} // namespace mlirprof::deploy

#endif // MLIR_PROF_LIB_DEPLOY_CONTROLS_STEPROWS_H
