//===- Recordings.h - Recordings and expected results -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIRPROF_UNITTESTS_MATCH_RECORDINGS_H
#define MLIRPROF_UNITTESTS_MATCH_RECORDINGS_H

#include "mlir-prof/Match/Matcher.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/JSON.h"

#include <memory>
#include <string>
#include <vector>

using namespace mlirprof::profile;

namespace mlirprof::test {

/// The recordings in test/data/recordings, made by the frameworks themselves.
const std::vector<std::string> &getRecordings();

std::string getPath(llvm::StringRef recording, llvm::StringRef file);

/// Imports the recording's trace; fails the test if that fails.
Profile loadProfile(llvm::StringRef recording);

/// Independently computed results; see their `definitions`.
llvm::json::Object loadExpected(llvm::StringRef recording);

/// A module with its context.
struct LoadedModule {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::Operation *> root;
};
/// Reads a module; fails the test if that fails.
LoadedModule loadModule(llvm::StringRef path);
LoadedModule parseText(llvm::StringRef text);

/// The message of `error`, which is consumed; "" for success.
std::string getMessage(llvm::Error error);

} // namespace mlirprof::test

#endif // MLIRPROF_UNITTESTS_MATCH_RECORDINGS_H
