//===- Deploy.h - Packaging a model for targets -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SESSION_DEPLOY_H
#define MLIR_PROF_SESSION_DEPLOY_H

#include "mlir-prof/Deploy/Deploy.h"
#include "mlir-prof/Session/Session.h"

namespace mlirprof {

struct DeployOptions {
  /// Names and targets; at least one.
  std::vector<std::pair<std::string, codegen::TargetModel>> targets;
  deploy::Container container;
  /// An identifier of C.
  std::string name = "model";
  /// For all targets.
  compile::CompileOptions compile;
};

/// Packages the module `path` for each target, and writes the files into
/// `folder`, those of several targets into a folder of each, which is made if
/// needed. Each file is written whole or not at all, and none before all
/// targets are compiled.
llvm::Expected<std::vector<deploy::DeployedModel>>
deployFile(llvm::StringRef path, const DeployOptions &options,
           llvm::StringRef folder);

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_DEPLOY_H
