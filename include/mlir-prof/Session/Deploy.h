//===- Deploy.h - Packaging a model for targets -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SESSION_DEPLOY_H
#define MLIR_PROF_SESSION_DEPLOY_H

#include "mlir-prof/Deploy/Table.h"
#include "mlir-prof/Session/Session.h"

#include <optional>

namespace mlirprof {

/// A machine to package a model for.
struct DeployTarget {
  /// As the user names it.
  std::string name;
  codegen::TargetModel target;
  /// If not empty, the processors whose code the package has, the best last.
  std::vector<deploy::Variant> variants;
};

struct DeployOptions {
  /// At least one.
  std::vector<DeployTarget> targets;
  /// At least one.
  std::vector<deploy::Container> containers;
  deploy::Control control;
  std::vector<deploy::ArgumentShape> shapes;
  /// If set, receives what was chosen in place of the user.
  std::function<void(llvm::StringRef)> onNote;
  /// An identifier of C.
  std::string name = "model";
  /// Whether the functions that run models check addresses; if not set, those
  /// of targets with an operating system do.
  std::optional<bool> checks;
  /// The aim of the code. If it is too large, it gets the next goal.
  codegen::CodeGoal goal = codegen::CodeGoal::Speed;
  deploy::Budget budget;
  /// If not null, gets the files that the control makes, such as C to read.
  llvm::raw_ostream *hostCode = nullptr;
  /// For all targets.
  compile::CompileOptions compile;
};

/// Packages the module `path` for each target in each container, and writes the
/// files into the folder `output`, those of several targets into a folder of
/// each, which is made if needed. An output *.mpm is a file, the only one. Each
/// file is written whole or not at all, and none before all targets are
/// compiled. Without an output, nothing is written. Returns the sizes of the
/// packages.
llvm::Expected<std::vector<deploy::SizeRow>>
deployFile(llvm::StringRef path, const DeployOptions &options,
           std::optional<llvm::StringRef> output);

/// Writes `files` into `folder`, which is made if needed; each whole or not at
/// all.
llvm::Error writePackage(llvm::ArrayRef<deploy::PackageFile> files,
                         llvm::StringRef folder);

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_DEPLOY_H
