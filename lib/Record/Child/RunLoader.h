//===- RunLoader.h - Loading a compiled model -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_RECORD_CHILD_RUNLOADER_H
#define MLIR_PROF_LIB_RECORD_CHILD_RUNLOADER_H

#include "mlir-prof/Compile/Compiler.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mlirprof::record {

/// A model in the memory of this process.
struct LoadedModel {
  void (*entry)(void **arguments) = nullptr;
  /// Gives the model's variables their first values; null if it does not have
  /// any. Loading does that too.
  void (*reset)() = nullptr;
  /// Address of its text section.
  uint64_t textBegin = 0;
  /// Bindings of its undefined symbols, except constants.
  std::vector<std::pair<std::string, void *>> bindings;
  /// Where the code looks for its executor, and stores the error of a program
  /// of it that failed; null if the code does not have such programs.
  void **executorVariable = nullptr;
  const int32_t *status = nullptr;
  /// Keeps the code alive.
  std::shared_ptr<void> linker;
  /// That of the code, if it has one; it must end before the code does.
  std::shared_ptr<void> executor;
};

/// Loads `model`. Functions that it calls are found, in this order, in the pool
/// of memory, from `overrides`, the process, MLIR's runner library and, if the
/// model uses it, OpenMP's runtime.
llvm::Expected<LoadedModel>
loadModel(const compile::CompiledModel &model,
          llvm::ArrayRef<std::pair<std::string, void *>> overrides);

/// The dispatch that the code of the last loaded model runs, whose calls are
/// one at a time; as CurrentInstance. May be called in a signal handler.
uint32_t readInstanceSlot();

} // namespace mlirprof::record

#endif // MLIR_PROF_LIB_RECORD_CHILD_RUNLOADER_H
